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

#define NODES_MOST 200000 /* of a window that has grown: the solver takes some KB for each */

struct search {
	const struct trace *t;
	struct pairs *pairs;
	const struct maximal_options *options;
	struct maximal_result *result;
	struct window_prefix prefix;
	double seconds;
	/* While the windows grow: everything was searched by windows of this size. */
	uint32_t searched_window;
	double deadline; /* 0: the windows have not grown yet */
	bool incomplete; /* part of the trace was not searched */
};

/* Reports a race, but only if its witness passes the check. */
static void report_race(struct search *s, const struct window *w, const uint32_t event[2], const int64_t *places,
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

/* The time limit of the next question. */
static double question_seconds(const struct search *s)
{
	double left = s->deadline > 0 ? s->deadline - seconds_now() : s->seconds;

	return left < s->seconds ? left : s->seconds;
}

/* A pair that is undecided while the windows grow is in `far` already, and is reported as such. */
static void note_undecided(struct search *s, uint32_t a, uint32_t b)
{
	if (s->deadline > 0)
		s->incomplete = true;
	else
		pairs_add(&s->result->undecided, s->t, a, b, TIER_MAXIMAL);
}

static void ask_solver(struct search *s, const struct window *w, const struct candidates *c)
{
	struct order_solver *o = order_solver_new(w);

	for (uint32_t i = 0; i < c->count && !s->incomplete; i++) {
		const struct candidate *pair = &c->list[i];
		const struct access_class *a = &c->classes[pair->meetings[0][0]],
		                          *b = &c->classes[pair->meetings[0][1]];
		uint32_t event[2];
		const int64_t *places;
		int64_t meeting;
		pairs_add(&s->result->passed, s->t, a->events[0], b->events[0], TIER_MAXIMAL);
		if (s->result->stopped) {
			note_undecided(s, a->events[0], b->events[0]);
			continue;
		}
		enum answer answer = order_solver_ask(o, c, pair, question_seconds(s), event, &places, &meeting);
		s->result->asked++;
		if (answer == ANSWER_YES)
			report_race(s, w, event, places, meeting);
		else if (answer == ANSWER_UNDECIDED) {
			note_undecided(s, a->events[0], b->events[0]);
			/* An interrupted solver has lost the state of its theory: its later answers are wrong. */
			order_solver_free(o);
			o = order_solver_new(w);
		}
		progress(s, w->start);
	}
	order_solver_free(o);
}

/* Searches one window, from the end of the prefix. The last window had all events before `searched_until`. */
static void search_window(struct search *s, uint32_t end, uint32_t searched_until)
{
	struct candidate_scope scope = {.end = end,
	                                .searched_until = searched_until,
	                                .searched_window = s->searched_window,
	                                .known = s->pairs,
	                                .deadline = s->deadline};
	struct candidates c;
	struct window w;

	s->result->windows++;
	candidates_find(&c, s->t, &s->prefix, &scope);
	s->incomplete |= c.incomplete;
	if (c.count && !s->incomplete) {
		window_make(&w, s->t, &s->prefix, end, c.is_candidate);
		if (s->deadline > 0 && w.node_count > NODES_MOST)
			s->incomplete = true;
		else
			ask_solver(s, &w, &c);
		window_free(&w);
	}
	candidates_free(&c);
}

/* Drops the undecided pairs that another window has found to race. */
static void drop_decided(struct search *s)
{
	struct pairs left = {0}, *u = &s->result->undecided;

	for (size_t i = 0; i < u->count; i++)
		if (!pairs_known(s->pairs, u->list[i].location[0], u->list[i].location[1]))
			pairs_add(&left, s->t, u->list[i].event[0], u->list[i].event[1], TIER_MAXIMAL);
	pairs_free(u);
	*u = left;
}

/* Searches the whole trace by windows of this size. */
static void search_by_windows(struct search *s, uint32_t size)
{
	const struct trace *t = s->t;
	uint32_t step = window_step(size);

	window_prefix_start(&s->prefix, t);
	for (uint32_t start = 0, searched_until = 0; start < t->count; start += step) {
		uint32_t end = t->count - start < size ? t->count : start + size;
		window_prefix_advance(&s->prefix, t, start);
		search_window(s, end, searched_until);
		searched_until = end;
		progress(s, end);
		if (end == t->count || s->result->stopped || s->incomplete)
			break;
	}
	window_prefix_free(&s->prefix);
}

/*
 * Doubles the windows while some pairs are further apart and there is time, and asks only for these pairs. What it
 * finds stays found, but a size counts only if windows of this size have searched the whole trace.
 */
static void grow_windows(struct search *s, double deadline)
{
	struct maximal_result *r = s->result;

	s->deadline = deadline;
	while ((r->far.count || r->far_more) && !r->stopped && !s->incomplete && seconds_now() < deadline) {
		uint32_t size = r->window > s->t->count / 2 ? s->t->count : r->window * 2;
		s->searched_window = r->window;
		search_by_windows(s, size);
		if (!s->incomplete && !r->stopped)
			r->window = size;
		pairs_free(&r->far);
		r->far_more = !beyond_window_find(s->t, r->window, s->pairs, &r->far);
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
	search_by_windows(&s, size);
	if (options->far)
		result->far_more = !beyond_window_find(t, size, pairs, &result->far);
	if (options->grow_seconds > 0)
		grow_windows(&s, start + options->grow_seconds);
	drop_decided(&s);
}

void maximal_result_free(struct maximal_result *r)
{
	pairs_free(&r->passed);
	pairs_free(&r->undecided);
	pairs_free(&r->far);
}
