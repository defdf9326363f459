#include "predict/maximal.h"

#include <stdlib.h>
#include <string.h>

#include "predict/order.h"
#include "predict/quick.h"
#include "predict/window.h"
#include "predict/witness.h"
#include "trace/file.h"

struct search {
	const struct trace *t;
	struct pairs *pairs;
	const struct maximal_options *options;
	struct maximal_result *result;
	struct carry carry;
	double seconds;
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

static void decide(struct search *s, const struct window *w, const struct candidates *c)
{
	struct order *o = order_new(w);

	for (uint32_t i = 0; i < c->count; i++) {
		const struct candidate *pair = &c->list[i];
		const struct alike *a = &c->alike[pair->meetings[0][0]], *b = &c->alike[pair->meetings[0][1]];
		uint32_t event[2];
		const int64_t *places;
		int64_t meeting;
		pairs_add(&s->result->passed, s->t, a->events[0], b->events[0], TIER_MAXIMAL);
		if (s->result->stopped) {
			pairs_add(&s->result->undecided, s->t, a->events[0], b->events[0], TIER_MAXIMAL);
			continue;
		}
		enum answer answer = order_ask(o, c, pair, s->seconds, event, &places, &meeting);
		s->result->asked++;
		if (answer == ANSWER_YES)
			found(s, w, event, places, meeting);
		else if (answer == ANSWER_UNDECIDED) {
			pairs_add(&s->result->undecided, s->t, a->events[0], b->events[0], TIER_MAXIMAL);
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
	struct candidates c;
	struct window w;

	s->result->windows++;
	candidates_find(&c, s->t, &s->carry, end, fresh, s->pairs);
	if (c.count) {
		window_make(&w, s->t, &s->carry, end, c.wanted);
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

void predict_maximal(const struct trace *t, struct pairs *pairs, const struct maximal_options *options,
                     struct maximal_result *result)
{
	struct search s = {.t = t,
	                   .pairs = pairs,
	                   .options = options,
	                   .result = result,
	                   .seconds = options->seconds > 0 ? options->seconds : MAXIMAL_SECONDS};
	uint32_t size = options->window ? options->window : MAXIMAL_WINDOW, step = size > 1 ? size / 2 : 1;

	*result = (struct maximal_result){0};
	carry_start(&s.carry, t);
	for (uint32_t start = 0, fresh = 0; start < t->count; start += step) {
		uint32_t end = t->count - start < size ? t->count : start + size;
		carry_advance(&s.carry, t, start);
		look(&s, end, fresh);
		fresh = end;
		progress(&s, end);
		if (end == t->count || s.result->stopped)
			break;
	}
	carry_free(&s.carry);
	drop_found(&s);
}

void maximal_result_free(struct maximal_result *r)
{
	pairs_free(&r->passed);
	pairs_free(&r->undecided);
}
