#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/execution.h"

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
