#include "predict/tier_maximal.h"

#include <stdlib.h>
#include <string.h>

#include "predict/beyond_window.h"
#include "predict/order_solver.h"
#include "predict/candidates.h"
#include "predict/seconds.h"
#include "predict/window.h"
#include "predict/witness.h"
#include "format/file.h"

#define POINTS_MOST 200000 /* of a window that has grown: the solver takes some KB for each */

struct search {
	const struct trace *t;
	struct pairs *pairs;
	const struct maximal_options *options;
	struct maximal_result *result;
	struct carry carry;
	double seconds;
	/* While the window grows: */
	uint32_t beyond; /* all that windows of this size have was asked */
	double deadline; /* 0: it has not grown yet */
	bool cut;        /* not all of the trace was looked at */
};

/* A race is told only if its witness stands the rules. */
static void found(struct search *s, const struct window *w, const uint32_t event[2], const int64_t *places,
                  int64_t meeting)
{
	size_t count;
	uint32_t *order = witness_order(w, event, places, meeting, &count);
	struct error e;

	if (!witness_check(s->t, w->start, order, count, event, &e)) {
		if (!s->result->broken++)
			memcpy(s->result->first_broken, e.text, sizeof s->result->first_broken);
		free(order);
		return;
	}
	struct pair *p = pairs_add(s->pairs, s->t, event[0], event[1], TIER_MAXIMAL);
	if (!p) {
		free(order);
		return;
	}
	p->witness = order;
	p->witness_count = count;
	p->witness_start = w->start;
}

static void progress(const struct search *s, uint32_t event)
{
	if (s->options->progress &&
	    !s->options->progress(s->options->context, event, s->result->asked, s->pairs->count))
		s->result->stopped = true;
}

/* Seconds for the next question. */
static double patience(const struct search *s)
{
	double left = s->deadline > 0 ? s->deadline - seconds_now() : s->seconds;

	return left < s->seconds ? left : s->seconds;
}

/* What is not decided while the window grows is known to be far, and is told so. */
static void leave_open(struct search *s, uint32_t a, uint32_t b)
{
	if (s->deadline > 0)
		s->cut = true;
	else
		pairs_add(&s->result->undecided, s->t, a, b, TIER_MAXIMAL);
}

static void decide(struct search *s, const struct window *w, const struct candidates *c)
{
	struct order *o = order_new(w);

	for (uint32_t i = 0; i < c->count && !s->cut; i++) {
		const struct candidate *pair = &c->list[i];
		const struct alike *a = &c->alike[pair->meetings[0][0]], *b = &c->alike[pair->meetings[0][1]];
		uint32_t event[2];
		const int64_t *places;
		int64_t meeting;
		pairs_add(&s->result->passed, s->t, a->events[0], b->events[0], TIER_MAXIMAL);
		if (s->result->stopped) {
			leave_open(s, a->events[0], b->events[0]);
			continue;
		}
		enum answer answer = order_ask(o, c, pair, patience(s), event, &places, &meeting);
		s->result->asked++;
		if (answer == ANSWER_YES)
			found(s, w, event, places, meeting);
		else if (answer == ANSWER_UNDECIDED) {
			leave_open(s, a->events[0], b->events[0]);
			/* A solver that was stopped has lost its theory's state: what it says from then on is wrong. */
			order_free(o);
			o = order_new(w);
		}
		progress(s, w->start);
	}
	order_free(o);
}

/* One window, from where the carry is; what is before `fresh` as a whole was in the last one. */
static void look(struct search *s, uint32_t end, uint32_t fresh)
{
	struct scope scope = {
	        .end = end, .fresh = fresh, .beyond = s->beyond, .known = s->pairs, .deadline = s->deadline};
	struct candidates c;
	struct window w;

	s->result->windows++;
	candidates_find(&c, s->t, &s->carry, &scope);
	s->cut |= c.cut;
	if (c.count && !s->cut) {
		window_make(&w, s->t, &s->carry, end, c.wanted);
		if (s->deadline > 0 && w.point_count > POINTS_MOST)
			s->cut = true;
		else
			decide(s, &w, &c);
		window_free(&w);
	}
	candidates_free(&c);
}

/* What was not decided in one window may have been found in another. */
static void drop_found(struct search *s)
{
	struct pairs left = {0}, *u = &s->result->undecided;

	for (size_t i = 0; i < u->count; i++)
		if (!pairs_known(s->pairs, u->list[i].location[0], u->list[i].location[1]))
			pairs_add(&left, s->t, u->list[i].event[0], u->list[i].event[1], TIER_MAXIMAL);
	pairs_free(u);
	*u = left;
}

/* All of the trace by windows of this size. */
static void look_by_windows(struct search *s, uint32_t size)
{
	const struct trace *t = s->t;
	uint32_t step = window_step(size);

	carry_start(&s->carry, t);
	for (uint32_t start = 0, fresh = 0; start < t->count; start += step) {
		uint32_t end = t->count - start < size ? t->count : start + size;
		carry_advance(&s->carry, t, start);
		look(s, end, fresh);
		fresh = end;
		progress(s, end);
		if (end == t->count || s->result->stopped || s->cut)
			break;
	}
	carry_free(&s->carry);
}

/*
 * Twice as large windows, again and again, while something is further apart and there is time; only that is asked. What
 * is found before the time is over stays, but the window counts only if all of the trace was looked at by it.
 */
static void grow(struct search *s, double deadline)
{
	struct maximal_result *r = s->result;

	s->deadline = deadline;
	while ((r->far.count || r->far_more) && !r->stopped && !s->cut && seconds_now() < deadline) {
		uint32_t size = r->window > s->t->count / 2 ? s->t->count : r->window * 2;
		s->beyond = r->window;
		look_by_windows(s, size);
		if (!s->cut && !r->stopped)
			r->window = size;
		pairs_free(&r->far);
		r->far_more = !far_find(s->t, r->window, s->pairs, &r->far);
	}
}

void predict_maximal(const struct trace *t, struct pairs *pairs, const struct maximal_options *options,
                     struct maximal_result *result)
{
	struct search s = {.t = t,
	                   .pairs = pairs,
	                   .options = options,
	                   .result = result,
	                   .seconds = options->seconds > 0 ? options->seconds : MAXIMAL_SECONDS};
	uint32_t size = options->window ? options->window : MAXIMAL_WINDOW;
	double start = seconds_now();

	*result = (struct maximal_result){.window = size};
	look_by_windows(&s, size);
	if (options->far)
		result->far_more = !far_find(t, size, pairs, &result->far);
	if (options->grow_seconds > 0)
		grow(&s, start + options->grow_seconds);
	drop_found(&s);
}

void maximal_result_free(struct maximal_result *r)
{
	pairs_free(&r->passed);
	pairs_free(&r->undecided);
	pairs_free(&r->far);
}
