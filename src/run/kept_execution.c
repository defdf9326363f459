#include "run/kept_execution.h"

#include <stdlib.h>
#include <string.h>

#include "format/schedule.h"
#include "run/execute.h"
#include "run/recording_files.h"

static uint32_t at_most(uint32_t count, uint32_t most) { return count < most ? count : most; }

static void *copy(const void *from, size_t count, size_t size)
{
	return count ? memcpy(must_alloc(count * size), from, count * size) : NULL;
}

void result_bound(struct board_result *r)
{
	r->nstacks = at_most(r->nstacks, BOARD_STACKS);
	r->nmodules = at_most(r->nmodules, BOARD_MODULES);
	r->message[sizeof r->message - 1] = 0;
}

void result_copy(struct board_result *to, const struct board *b)
{
	*to = b->result;
	result_bound(to);
}

struct bytes schedule_copy(const struct board *b, const struct schedule_entry **entries, uint64_t *count)
{
	bool sane = b->replay_entries <= SCHEDULE_MAX && b->schedule_entries <= SCHEDULE_MAX - b->replay_entries;

	*entries = b->schedule + (sane ? b->replay_entries : 0);
	*count = sane ? b->schedule_entries : 0;
	return schedule_encode(*entries, *count);
}

struct execution *execution_take(const struct board *b)
{
	struct execution *x = must_alloc(sizeof *x);
	const struct schedule_entry *entries;
	uint64_t count;

	x->result = must_alloc(sizeof *x->result);
	result_copy(x->result, b);
	x->schedule = schedule_copy(b, &entries, &count);
	x->every_operation = b->config.every_operation;
	x->unchecked = b->config.check == CHECK_OFF;
	x->fails_at = x->result->violation_key;
	x->event_budget = x->result->ending == ENDING_BUDGET ? b->config.event_budget : 0;
	x->lost_entries = b->schedule_full;
	x->nwatched = at_most(b->nwatched, BOARD_WATCHES);
	x->watched = copy(b->watched, x->nwatched, sizeof *x->watched);
	return x;
}

struct execution *execution_copy(const struct execution *x)
{
	struct execution *y = must_alloc(sizeof *y);

	*y = (struct execution){.departs_at = x->departs_at,
	                        .every_operation = x->every_operation,
	                        .unchecked = x->unchecked,
	                        .fails_at = x->fails_at,
	                        .event_budget = x->event_budget,
	                        .lost_entries = x->lost_entries,
	                        .nwatched = x->nwatched};
	y->result = copy(x->result, 1, sizeof *x->result);
	y->watched = copy(x->watched, x->nwatched, sizeof *x->watched);
	bytes_add(&y->schedule, x->schedule.data, x->schedule.size);
	return y;
}

/* Puts the execution on a board that configure() has filled. */
static void put(const struct execution *x, const struct schedule *s, struct board *b)
{
	b->config.strategy.id = STRATEGY_REPLAY;
	b->config.seed = x->result->seed;
	b->config.departs = x->departs_at != 0;
	b->config.stop_at = x->departs_at;
	b->config.every_operation = x->every_operation;
	for (uint32_t i = 0; i < b->config.ntolerated; i++)
		if (b->config.tolerated[i] == x->fails_at)
			b->config.tolerated[i] = 0;
	if (x->event_budget)
		b->config.event_budget = x->event_budget;
	if (s->count)
		memcpy(b->schedule, s->entries, s->count * sizeof *s->entries);
	b->replay_entries = s->count;
	if (x->nwatched)
		memcpy(b->watched, x->watched, x->nwatched * sizeof *x->watched);
	b->nwatched = x->nwatched;
}

bool execution_prepare(const struct execution *x, struct process *p, const struct manifest *m,
                       const struct input *input, struct error *e)
{
	struct schedule s;
	bool ok = schedule_decode("its schedule", &x->schedule, &s, e) && s.count <= SCHEDULE_MAX &&
	          process_prepare(p, e);

	if (ok) {
		configure(p->board, m, BOARD_RUN);
		put(x, &s, p->board);
	}
	schedule_free(&s);
	return ok && (!input->log || recording_give_log_file(p, input->log, e));
}

void execution_explain(struct execution *x, const struct board *b)
{
	free(x->threads);
	x->nthreads = at_most(b->nthreads, BOARD_THREADS);
	x->threads = copy(b->threads, x->nthreads, sizeof *x->threads);
	free(x->touches);
	x->ntouches = b->touches_lost ? 0 : at_most(b->ntouches, BOARD_TOUCHES);
	x->touches = copy(b->touches, x->ntouches, sizeof *x->touches);
	if (b->result.nmodules) {
		x->result->nmodules = at_most(b->result.nmodules, BOARD_MODULES);
		memcpy(x->result->modules, b->result.modules, sizeof x->result->modules);
	}
}

void execution_free(struct execution *x)
{
	free(x->result);
	bytes_free(&x->schedule);
	free(x->watched);
	free(x->threads);
	free(x->touches);
	free(x->trouble);
	free(x);
}
