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

#include "predict/trace_clocks.h"
#include "predict/tiers.h"
#include "format/file.h"

#define NONE UINT32_MAX

/* The last access of a thread to a variable at a place. */
struct last {
	uint32_t event, next;
};

/* A thread's accesses to a variable, reads or writes. */
struct chain {
	uint32_t first;        /* in `lasts` */
	uint32_t newer, older; /* chains of the variable */
	uint32_t variable;
	uint16_t thread;
	bool writes;
};

struct variable {
	uint32_t newest; /* chain */
	uint32_t cover;  /* the last write that came behind all accesses before it; NO_EVENT: none did */
};

struct search {
	const struct trace *t;
	struct clocks clocks;
	struct pairs *pairs;
	struct variable *variables;
	struct chain *chains;
	struct last *lasts;
	uint32_t chain_count, last_count;
	size_t chain_capacity, last_capacity;
	uint32_t *slots; /* hash table of the chains: index + 1 */
	size_t slot_count;
};

static size_t first_slot(const struct search *s, uint32_t variable, uint32_t thread, bool writes)
{
	uint64_t h = ((uint64_t)variable << 17 ^ (uint64_t)thread << 1 ^ writes) * 0x9e3779b97f4a7c15;

	return h >> 32 & (s->slot_count - 1);
}

static void grow_chains(struct search *s)
{
	s->chain_capacity = s->chain_capacity ? s->chain_capacity * 2 : 64;
	s->chains = must_resize(s->chains, s->chain_capacity * sizeof *s->chains);
	s->slot_count = s->chain_capacity * 2;
	free(s->slots);
	s->slots = must_alloc(s->slot_count * sizeof *s->slots);
	for (uint32_t i = 0; i < s->chain_count; i++) {
		size_t at = first_slot(s, s->chains[i].variable, s->chains[i].thread, s->chains[i].writes);
		while (s->slots[at])
			at = (at + 1) & (s->slot_count - 1);
		s->slots[at] = i + 1;
	}
}

/* The chain of the access, a new and empty one if there is none. */
static uint32_t own_chain(struct search *s, const struct trace_event *n)
{
	bool writes = event_is(n, IS_WRITE);

	if (s->chain_count == s->chain_capacity)
		grow_chains(s);
	size_t at = first_slot(s, n->object, n->thread, writes);
	for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1)) {
		const struct chain *c = &s->chains[s->slots[at] - 1];
		if (c->variable == n->object && c->thread == n->thread && c->writes == writes)
			return s->slots[at] - 1;
	}
	s->chains[s->chain_count] = (struct chain){.first = NONE,
	                                           .newer = NONE,
	                                           .older = NONE,
	                                           .variable = n->object,
	                                           .thread = n->thread,
	                                           .writes = writes};
	s->slots[at] = s->chain_count + 1;
	return s->chain_count++;
}

/* To the front of its variable's chains. */
static void put_first(struct search *s, uint32_t chain)
{
	struct chain *c = &s->chains[chain];
	struct variable *v = &s->variables[c->variable];

	if (v->newest == chain)
		return;
	if (c->newer != NONE)
		s->chains[c->newer].older = c->older;
	if (c->older != NONE)
		s->chains[c->older].newer = c->newer;
	c->newer = NONE;
	c->older = v->newest;
	if (v->newest != NONE)
		s->chains[v->newest].newer = chain;
	v->newest = chain;
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
	uint32_t chain = own_chain(s, n);
	struct chain *c = &s->chains[chain];
	uint32_t *link = &c->first, was = NO_EVENT;

	put_first(s, chain);
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

static bool comes_before(const struct search *s, uint32_t event, uint32_t thread, uint32_t clock)
{
	uint32_t other = s->t->events[event].thread;

	return other == thread || s->t->local[event] < clocks_get(&s->clocks, clock, other);
}

static void look_at(struct search *s, uint32_t event)
{
	const struct trace_event *n = &s->t->events[event];
	struct variable *v = &s->variables[n->object];
	uint32_t clock = clocks_before(&s->clocks, event), since = renew(s, event), cover = NO_EVENT;
	bool writes = event_is(n, IS_WRITE), behind_all = writes;

	if (v->cover != NO_EVENT && comes_before(s, v->cover, n->thread, clock))
		cover = v->cover;
	for (uint32_t i = v->newest; i != NONE; i = s->chains[i].older) {
		const struct chain *c = &s->chains[i];
		uint32_t latest = s->lasts[c->first].event;
		if (cover != NO_EVENT && latest <= cover)
			break;
		if (c->thread == n->thread || !(c->writes || writes))
			continue;
		uint32_t count = clocks_get(&s->clocks, clock, c->thread);
		behind_all &= s->t->local[latest] < count;
		compare(s, c, event, since, count);
	}
	if (behind_all)
		v->cover = event;
}

void predict_happens_before(const struct trace *t, struct pairs *pairs)
{
	uint32_t variables = t->objects[OBJECT_VARIABLE];
	struct search s = {.t = t, .pairs = pairs};

	clocks_build(&s.clocks, t, CLOCKS_LOCKS);
	s.variables = must_alloc((variables + 1ul) * sizeof *s.variables);
	for (uint32_t i = 0; i < variables; i++)
		s.variables[i] = (struct variable){.newest = NONE, .cover = NO_EVENT};
	for (uint32_t i = 0; i < t->count; i++)
		if (event_is_access(&t->events[i]))
			look_at(&s, i);
	clocks_free(&s.clocks);
	free(s.variables);
	free(s.chains);
	free(s.slots);
	free(s.lasts);
}
