#include "report/failures.h"

#include <stdlib.h>
#include <string.h>

#include "run/kept_execution.h"

/* Keeps the last SHOWN_PREEMPTIONS and counts all of them. */
static void keep_preemptions(struct failure *f, const struct schedule_entry *s, uint64_t count)
{
	size_t room = SHOWN_PREEMPTIONS;

	f->preemption_count = 0;
	for (uint64_t i = count; i--;) {
		if (s[i].kind != CHOICE_RUN || s[i].blocked)
			continue;
		f->preemption_count++;
		if (room)
			f->preemptions[--room] = s[i];
	}
	memmove(f->preemptions, f->preemptions + room, (SHOWN_PREEMPTIONS - room) * sizeof f->preemptions[0]);
}

/* Replaces the kept execution by the one on the board. */
static void replace_execution(struct failure *f, const struct board *b)
{
	const struct schedule_entry *entries;
	uint64_t count;

	result_copy(f->result, b);
	bytes_free(&f->schedule);
	f->schedule = schedule_copy(b, &entries, &count);
	f->lost_entries = b->schedule_full;
	keep_preemptions(f, entries, count);
}

struct failure *failure_take(const struct board *b)
{
	struct failure *f = must_alloc(sizeof *f);

	f->result = must_alloc(sizeof *f->result);
	f->first_seed = b->result.seed;
	replace_execution(f, b);
	return f;
}

/* Whether the kept execution is longer than the one on the board. */
static bool is_longer(const struct failure *f, const struct board *b)
{
	const struct board_result *kept = f->result, *new = &b->result;

	if (f->lost)
		return true;
	if (!f->lost_entries != !b->schedule_full)
		return f->lost_entries;
	if (kept->preemptions != new->preemptions)
		return kept->preemptions > new->preemptions;
	if (kept->switches != new->switches)
		return kept->switches > new->switches;
	if (kept->points != new->points)
		return kept->points > new->points;
	/* The seed decides between equals, so that the evidence does not depend on the number and speed of workers. */
	return kept->seed > new->seed;
}

struct failure *failures_find(const struct failures *all, const struct board_result *r)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i]->result->signature == r->signature && all->list[i]->result->ending == r->ending)
			return all->list[i];
	return NULL;
}

void failures_add(struct failures *all, struct failure *f)
{
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count++] = f;
}

bool failures_has(const struct failures *all, const struct failure *f)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i] == f)
			return true;
	return false;
}

struct failure *failures_note(struct failures *all, const struct board *b, bool *kept)
{
	struct failure *f = failures_find(all, &b->result);

	*kept = !f || (!f->fixed && is_longer(f, b));
	if (!f) {
		f = failure_take(b);
		failures_add(all, f);
	} else if (*kept) {
		f->lost = false;
		replace_execution(f, b);
	}
	f->runs++;
	if (b->result.seed < f->first_seed)
		f->first_seed = b->result.seed;
	return f;
}

void failures_note_lost(struct failures *all, const struct board *b)
{
	struct failure *f = failures_find(all, &b->result);
	bool kept;

	if (f) {
		f->runs++;
		return;
	}
	failures_note(all, b, &kept)->lost = true;
}

void failure_free(struct failure *f)
{
	free(f->result);
	bytes_free(&f->schedule);
	bytes_free(&f->output[0]);
	bytes_free(&f->output[1]);
	free(f->races);
	free(f->evidence);
	free(f);
}

void failures_free(struct failures *all)
{
	for (size_t i = 0; i < all->count; i++)
		failure_free(all->list[i]);
	free(all->list);
	*all = (struct failures){0};
}
