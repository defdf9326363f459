#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "trace/schedule.h"

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

void failure_replace(struct failure *f, const struct board *b)
{
	const struct schedule_entry *schedule = b->schedule + b->replay_entries;
	uint64_t count = b->schedule_entries;

	/* The program could write on the board: never trust a count of it. */
	if (b->replay_entries > SCHEDULE_MAX || count > SCHEDULE_MAX - b->replay_entries)
		count = 0;
	*f->result = b->result;
	if (f->result->nstacks > BOARD_STACKS)
		f->result->nstacks = BOARD_STACKS;
	if (f->result->nmodules > BOARD_MODULES)
		f->result->nmodules = BOARD_MODULES;
	f->result->message[sizeof f->result->message - 1] = 0;
	bytes_free(&f->schedule);
	f->schedule = schedule_encode(schedule, count);
	f->lost_entries = b->schedule_full;
	keep_preemptions(f, schedule, count);
}

struct failure *failure_take(const struct board *b)
{
	struct failure *f = must_alloc(sizeof *f);

	f->result = must_alloc(sizeof *f->result);
	f->first_seed = b->result.seed;
	failure_replace(f, b);
	return f;
}

bool failure_is_longer(const struct failure *f, const struct board_result *than)
{
	const struct board_result *kept = f->result;

	if (kept->preemptions != than->preemptions)
		return kept->preemptions > than->preemptions;
	if (kept->switches != than->switches)
		return kept->switches > than->switches;
	if (kept->points != than->points)
		return kept->points > than->points;
	/* The same evidence whatever the number of workers and their pace. */
	return kept->seed > than->seed;
}

void failure_free(struct failure *f)
{
	free(f->result);
	bytes_free(&f->schedule);
	bytes_free(&f->output[0]);
	bytes_free(&f->output[1]);
	free(f->evidence);
	free(f);
}
