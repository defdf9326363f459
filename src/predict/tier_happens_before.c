/*
 * The happens-before tier, in one pass.
 *
 * Two accesses race if they conflict and the clock of the second one's thread does not have the first. The clocks have
 * the order of the locks as they were held, the order of all other synchronisation, and the order of each write and the
 * reads that saw it. Without the last only the first race of a trace would be certain; with it all of them are ("What
 * happens-after the first race?", OOPSLA 2018). A read is compared before it learns from the write that it saw, so that
 * these two can race.
 *
 * The tier finds all pairs of places, not just one for each variable. Of the accesses of one thread at one place it
 * needs only the last, as the others come before it. A chain has the accesses of one thread to one variable, the latest
 * first: a walk along it can stop at the first that comes before the new access, as all others do, too.
 */
#include <stdlib.h>

#include "predict/trace_clocks.h"
#include "predict/tiers.h"
#include "format/file.h"

#define NONE UINT32_MAX

/* The last access of a thread to a variable at one place. */
struct last_access {
	uint32_t event, next;
};

/* The accesses of one thread to one variable: its reads or its writes. */
struct chain {
	uint32_t first;        /* in `lasts` */
	uint32_t newer, older; /* chains of the same variable */
	uint32_t variable;
	uint16_t thread;
	bool writes;
};

struct variable {
	uint32_t newest; /* a chain */
	uint32_t cover;  /* the last write that came after all accesses before it; NO_EVENT: there is none */
};

struct search {
	const struct trace *t;
	struct clocks clocks;
	struct pairs *pairs;
	struct variable *variables;
	struct chain *chains;
	struct last_access *lasts;
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

/* The chain of the access; a new and empty one if there is none. */
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

/* Moves a chain to the front of its variable's chains. */
static void move_to_front(struct search *s, uint32_t chain)
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

/* Puts the access to the front of its chain. Returns the access that it replaces, or NO_EVENT. */
static uint32_t replace_last(struct search *s, uint32_t event)
{
	const struct trace_event *n = &s->t->events[event];
	uint32_t chain = own_chain(s, n);
	struct chain *c = &s->chains[chain];
	uint32_t *link = &c->first, replaced = NO_EVENT;

	move_to_front(s, chain);
	for (; *link != NONE; link = &s->lasts[*link].next) {
		const struct trace_event *old = &s->t->events[s->lasts[*link].event];
		if (old->location == n->location && old->op == n->op)
			break;
	}
	uint32_t i = *link;
	if (i != NONE) {
		replaced = s->lasts[i].event;
		*link = s->lasts[i].next;
	} else {
		i = new_last(s);
	}
	s->lasts[i] = (struct last_access){.event = event, .next = c->first};
	c->first = i;
	return replaced;
}

/*
 * Reports the accesses of a chain that do not come before `event`. It need not look further than the last access at the
 * same place, `own_last`: what is older was compared with that one, and either raced with it or came before it.
 */
static void compare(struct search *s, const struct chain *c, uint32_t event, uint32_t own_last, uint32_t time)
{
	const struct trace_event *n = &s->t->events[event];

	for (uint32_t i = c->first; i != NONE; i = s->lasts[i].next) {
		uint32_t other = s->lasts[i].event;
		if (s->t->thread_index[other] < time || (own_last != NO_EVENT && other < own_last))
			return;
		if (!(event_is(n, IS_ATOMIC) && event_is(&s->t->events[other], IS_ATOMIC)))
			pairs_add(s->pairs, s->t, other, event, TIER_HAPPENS_BEFORE);
	}
}

static bool comes_before(const struct search *s, uint32_t event, uint32_t thread, uint32_t clock)
{
	uint32_t other = s->t->events[event].thread;

	return other == thread || s->t->thread_index[event] < clocks_get(&s->clocks, clock, other);
}

static void check_access(struct search *s, uint32_t event)
{
	const struct trace_event *n = &s->t->events[event];
	struct variable *v = &s->variables[n->object];
	uint32_t clock = clocks_before(&s->clocks, event), own_last = replace_last(s, event), cover = NO_EVENT;
	bool writes = event_is(n, IS_WRITE), after_all = writes;

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
		after_all &= s->t->thread_index[latest] < count;
		compare(s, c, event, own_last, count);
	}
	if (after_all)
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
			check_access(&s, i);
	clocks_free(&s.clocks);
	free(s.variables);
	free(s.chains);
	free(s.slots);
	free(s.lasts);
}
