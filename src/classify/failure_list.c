#include "classify/failure_list.h"

#include <string.h>

#include "classify/journal.h"
#include "classify/primaries.h"
#include "classify/trial.h"

#define CONTROLS 150

static bool has_failed(const struct board_result *r)
{
	return trial_is_violation(&(struct trial){.ending = r->ending});
}

struct departure departure_at(const struct classifier *c, const struct board *b, uint64_t point)
{
	return (struct departure){.from_recording = true,
	                          .at = point,
	                          .every_operation = b->config.every_operation,
	                          .seed = b->config.seed,
	                          .check = b->config.check,
	                          .ntolerated = c->manifest->ntolerated};
}

/* The caller holds the lock. */
static void keep_failure(struct classifier *c, const struct board *b, const struct departure *d)
{
	bool kept;
	struct failure *f = failures_find(c->failures, &b->result);

	if (f && f->constant) { /* its evidence is the recorded execution */
		f->runs++;
		return;
	}
	f = failures_note(c->failures, b, &kept);
	if (!kept)
		return;
	f->departure = *d;
	f->result->seed = d->seed;
	f->changed = true;
}

void failure_list_note(struct classifier *c, const struct board *b, const struct departure *d)
{
	if (!c->failures)
		return;
	pthread_mutex_lock(&c->failures_lock);
	for (uint32_t i = 0; i < c->manifest->ntolerated; i++)
		if (b->tolerated >> i & 1)
			c->constant_failures[i]->runs++;
	if (has_failed(&b->result) && d)
		keep_failure(c, b, d);
	else if (has_failed(&b->result))
		failures_note_lost(c->failures, b);
	pthread_mutex_unlock(&c->failures_lock);
}

void failure_list_save(struct classifier *c)
{
	if (!c->failures)
		return;
	pthread_mutex_lock(&c->failures_lock);
	journal_note_failures(c->journal, c->failures);
	pthread_mutex_unlock(&c->failures_lock);
}

bool failure_list_take_constant(struct classifier *c, const struct board *b, const struct departure *d)
{
	struct manifest *m = c->manifest;

	if (!c->failures || !has_failed(&b->result) || !b->result.violation_key || m->ntolerated == BOARD_TOLERATED)
		return false;
	pthread_mutex_lock(&c->failures_lock);
	keep_failure(c, b, d);
	struct failure *f = failures_find(c->failures, &b->result);
	f->constant = true;
	f->runs--; /* this execution is only the recorded one again */
	c->constant_failures[m->ntolerated] = f;
	m->tolerated[m->ntolerated++] = b->result.violation_key;
	pthread_mutex_unlock(&c->failures_lock);
	return true;
}

static struct failure *find(const struct classifier *c, uint32_t ending, uint64_t signature)
{
	const struct board_result r = {.ending = ending, .signature = signature};

	return c->failures ? failures_find(c->failures, &r) : NULL;
}

bool failure_list_has(struct classifier *c, const struct board_result *r)
{
	return !has_failed(r) || find(c, r->ending, r->signature);
}

void failure_list_set_raceless(struct classifier *c, uint32_t ending, uint64_t signature)
{
	pthread_mutex_lock(&c->failures_lock);
	struct failure *f = find(c, ending, signature);
	if (f)
		f->own = f->changed = true;
	pthread_mutex_unlock(&c->failures_lock);
}

bool failure_list_is_raceless(struct classifier *c, uint32_t ending, uint64_t signature)
{
	pthread_mutex_lock(&c->failures_lock);
	const struct failure *f = find(c, ending, signature);
	bool own = f && f->own;
	pthread_mutex_unlock(&c->failures_lock);
	return own;
}

static bool find_one_constant(struct classifier *c, const struct execution *recorded)
{
	struct replayer r = replayer_nothing;
	struct error e;
	bool found = false;

	if (replayer_prepare(&r, c, recorded, &e) && replayer_start(&r, c, &e)) {
		const struct board *b = r.process.board;
		const struct departure d = departure_at(c, b, 0);
		found = replayer_wait(&r) && failure_list_take_constant(c, b, &d);
	}
	replayer_end(&r);
	return found;
}

void failure_list_find_constant(struct classifier *c, const struct execution *recorded)
{
	if (c->failures && !c->config->unchecked)
		while (!classifier_out_of_time(c) && find_one_constant(c, recorded))
			;
	for (uint32_t i = 0; i < c->manifest->ntolerated; i++)
		c->constant_failures[i]->runs +=
		        !c->constant_failures[i]->noted; /* the recorded execution has them all */
}

/* There is a failure of which nothing is known yet. */
static bool is_any_open(const struct classifier *c)
{
	for (size_t i = 0; c->failures && i < c->failures->count; i++) {
		const struct failure *f = c->failures->list[i];
		if (!f->own && !f->constant && !f->fixed)
			return true;
	}
	return false;
}

void failure_list_find_raceless(struct classifier *c, const struct execution *recorded)
{
	struct replayer r = replayer_nothing;
	struct error e;

	const struct unit u = {.primary = journal_key(recorded), .kind = UNIT_CONTROLS};

	if (!is_any_open(c) || journal_has(c->journal, &u) || (recorded->nwatched && !recorded->ntouches) ||
	    !primaries_prepare(&r, c, recorded, &e)) {
		replayer_end(&r);
		return;
	}
	struct board *b = r.process.board;
	b->config.detect = DETECT_RACES;
	b->config.runs = CONTROLS;
	b->config.event_budget = BUDGET_FACTOR * (c->points + LEAST_POINTS);
	b->config.turn_budget = BUDGET_FACTOR * c->turns + LEAST_TURNS;
	b->config.next_strategy.id = STRATEGY_KEEP;
	b->ntouches = recorded->ntouches;
	if (recorded->ntouches)
		memcpy(b->touches, recorded->touches, recorded->ntouches * sizeof *recorded->touches);
	const struct departure d = departure_at(c, b, 1);
	bool ok = replayer_start(&r, c, &e);
	while (ok && replayer_hear(&r) == 'R' && !classifier_out_of_time(c)) {
		classifier_count_execution(c);
		failure_list_note(c, b, &d);
		if (has_failed(&b->result) && !b->plan.out_of_order && b->nwatched <= recorded->nwatched)
			failure_list_set_raceless(c, b->result.ending, b->result.signature);
		ok = replayer_say(&r, 0);
	}
	replayer_end(&r);
	failure_list_save(c);
	if (!classifier_out_of_time(c))
		journal_note_unit(c->journal, &u);
}
