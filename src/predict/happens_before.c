/*
 * The happens-before tier, in one pass.
 *
 * Two accesses race if they conflict and the first does not come before what the second's thread did last. The order is
 * that of the locks as they were held, of everything else that synchronises, and of each write and the reads that saw
 * it: without the latter only the first race of a trace would be certain, with it all are ("What happens-after the
 * first race?", OOPSLA 2018). A read is compared before it learns of the write it saw, so that the two can race.
 *
 * All pairs of places are found, not only one for each variable: of the accesses of a thread at a place the last is
 * enough, as the others come before it. A chain has those of one thread to one variable, the latest in front: whoever
 * walks it may stop at the first that comes before its own access, as all behind do too.
 */
#include <stdlib.h>

#include "predict/clocks.h"
#include "predict/predict.h"
#include "trace/file.h"

#define NONE UINT32_MAX

/* The last access of a thread to a variable at a place. */
struct last {
	uint32_t event, next;
};

/* A thread's accesses to a variable, reads or writes. */
struct chain {
	uint32_t first; /* in `lasts` */
	uint32_t next;  /* chain of the variable */
	uint16_t thread;
	bool writes;
};

struct search {
	const struct trace *t;
	struct clocks clocks;
	struct pairs *pairs;
	uint32_t *variables; /* by variable: its first chain */
	struct chain *chains;
	struct last *lasts;
	uint32_t chain_count, last_count;
	size_t chain_capacity, last_capacity;
};

static uint32_t new_chain(struct search *s, const struct trace_event *n)
{
	if (s->chain_count == s->chain_capacity) {
		s->chain_capacity = s->chain_capacity ? s->chain_capacity * 2 : 64;
		s->chains = must_resize(s->chains, s->chain_capacity * sizeof *s->chains);
	}
	s->chains[s->chain_count] = (struct chain){
	        .first = NONE, .next = s->variables[n->object], .thread = n->thread, .writes = event_is(n, IS_WRITE)};
	return s->variables[n->object] = s->chain_count++;
}

static struct chain *own_chain(struct search *s, const struct trace_event *n)
{
	uint32_t i = s->variables[n->object];

	while (i != NONE && (s->chains[i].thread != n->thread || s->chains[i].writes != event_is(n, IS_WRITE)))
		i = s->chains[i].next;
	if (i == NONE)
		i = new_chain(s, n);
	return &s->chains[i];
}

static uint32_t new_last(struct search *s)
{
	if (s->last_count == s->last_capacity) {
		s->last_capacity = s->last_capacity ? s->last_capacity * 2 : 64;
		s->lasts = must_resize(s->lasts, s->last_capacity * sizeof *s->lasts);
	}
	return s->last_count++;
}

/* Puts the access to the front of its chain. Returns the one that it takes the place of, NO_EVENT if there was none. */
static uint32_t renew(struct search *s, uint32_t event)
{
	const struct trace_event *n = &s->t->events[event];
	struct chain *c = own_chain(s, n);
	uint32_t *link = &c->first, was = NO_EVENT;

	for (; *link != NONE; link = &s->lasts[*link].next) {
		const struct trace_event *old = &s->t->events[s->lasts[*link].event];
		if (old->location == n->location && old->op == n->op)
			break;
	}
	uint32_t i = *link;
	if (i != NONE) {
		was = s->lasts[i].event;
		*link = s->lasts[i].next;
	} else {
		i = new_last(s);
	}
	s->lasts[i] = (struct last){.event = event, .next = c->first};
	c->first = i;
	return was;
}

/*
 * Reports the accesses of a chain that `event` does not come behind. What is older than the last access at its own
 * place was compared then: it either raced, or came before that one already.
 */
static void compare(struct search *s, const struct chain *c, uint32_t event, uint32_t since, uint32_t time)
{
	const struct trace_event *n = &s->t->events[event];

	for (uint32_t i = c->first; i != NONE; i = s->lasts[i].next) {
		uint32_t other = s->lasts[i].event;
		if (s->t->local[other] < time || (since != NO_EVENT && other < since))
			return;
		if (!(event_is(n, IS_ATOMIC) && event_is(&s->t->events[other], IS_ATOMIC)))
			pairs_add(s->pairs, s->t, other, event, TIER_HAPPENS_BEFORE);
	}
}

static void look_at(struct search *s, uint32_t event)
{
	const struct trace_event *n = &s->t->events[event];
	uint32_t clock = clocks_before(&s->clocks, event), since = renew(s, event);

	for (uint32_t i = s->variables[n->object]; i != NONE; i = s->chains[i].next) {
		const struct chain *c = &s->chains[i];
		if (c->thread != n->thread && (c->writes || event_is(n, IS_WRITE)))
			compare(s, c, event, since, clocks_get(&s->clocks, clock, c->thread));
	}
}

void predict_happens_before(const struct trace *t, struct pairs *pairs)
{
	uint32_t variables = t->objects[OBJECT_VARIABLE];
	struct search s = {.t = t, .pairs = pairs};

	clocks_build(&s.clocks, t, true);
	s.variables = must_alloc((variables + 1ul) * sizeof *s.variables);
	for (uint32_t i = 0; i < variables; i++)
		s.variables[i] = NONE;
	for (uint32_t i = 0; i < t->count; i++)
		if (event_is_access(&t->events[i]))
			look_at(&s, i);
	clocks_free(&s.clocks);
	free(s.variables);
	free(s.chains);
	free(s.lasts);
}
