/*
 * An edge stands for a lock that was taken while another one was held: by which fiber, where, and with which further
 * locks held.  A new edge that closes a circle is reported.  It is not if all edges of the circle were made under one
 * common lock (a gate), because then only one thread at a time can be in the circle.  A trylock does not wait, so it
 * makes no edge.
 *
 * Locks on stacks do not count: another lock can get the same address without any notice.
 */
#include "rt/threads/lock_order.h"

#include <pthread.h>
#include <string.h>

#include "rt/ending/ending.h"
#include "rt/fibers/fiber.h"
#include "rt/memory/memory_check.h"
#include "rt/threads/notice.h"
#include "rt/core/pool.h"
#include "rt/core/text.h"

#define EDGES   2048
#define BUCKETS 1024
#define SEEN    4096
#define GATES   6 /* an edge with more gates is not kept */
#define LONGEST NOTICE_STACKS
#define PAGES   4096 /* bits: pages that may have locks */

struct edge {
	const void *from, *to;  /* NULL in a free place */
	struct edge *next_from; /* the next in the bucket of `from`; of a free place: the next free place */
	struct edge *next_pair; /* the next in the bucket of `from` and `to` */
	uint32_t fiber, ngates;
	bool reads;            /* `to` is taken for reading */
	bool held_for_reading; /* `from` is held for reading */
	const void *gate[GATES];
	struct board_stack *stack;
};

struct buckets {
	struct edge *by_from[BUCKETS], *by_pair[BUCKETS];
};

static struct {
	struct edge *edges, *unused;
	struct buckets *buckets;
	uint64_t *seen; /* hash table of pairs of locks that need not be looked at again */
	uint64_t forgotten;
	uint32_t n;
	uint64_t pages[PAGES / 64];
} state;

static uint32_t page_of(uint64_t address) { return (uint32_t)(address >> 12) % PAGES; }

static uint64_t mix(uint64_t mixed, uint64_t next)
{
	mixed = (mixed ^ next) * 0x9e3779b97f4a7c15u;
	return mixed ^ mixed >> 32;
}

static uint32_t bucket_of(const void *from, const void *to)
{
	return mix(mix(0, (uint64_t)from), (uint64_t)to) % BUCKETS;
}

static struct edge *edges_from(const void *from)
{
	return state.buckets ? state.buckets->by_from[bucket_of(from, NULL)] : NULL;
}

static struct edge *edges_of_pair(const void *from, const void *to)
{
	return state.buckets ? state.buckets->by_pair[bucket_of(from, to)] : NULL;
}

static bool has_gate(const struct edge *e, const void *lock)
{
	for (uint32_t i = 0; i < e->ngates; i++)
		if (e->gate[i] == lock)
			return true;
	return false;
}

/* Is there a lock that is held around both edges? */
static bool have_gate(const struct edge *a, const struct edge *b)
{
	for (uint32_t i = 0; i < a->ngates; i++)
		if (has_gate(b, a->gate[i]))
			return true;
	return false;
}

/* ---- circles ---- */

struct circle {
	const struct edge *edge[LONGEST];
	uint32_t n;
};

/* A fiber that takes a lock for reading does not wait for one that holds it for reading. */
static bool waits(const struct edge *who, const struct edge *holder)
{
	return !who->reads || !holder->held_for_reading;
}

static bool fits(const struct circle *c, const struct edge *e)
{
	if (!waits(c->edge[c->n - 1], e) || (e->to == c->edge[0]->from && !waits(e, c->edge[0])))
		return false;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->edge[i] == e || c->edge[i]->to == e->to || have_gate(c->edge[i], e))
			return false;
	return true;
}

/* Extends the path from its end until it comes back to its beginning. */
static bool close_circle(struct circle *c, uint32_t longest)
{
	const void *begin = c->edge[0]->from, *end = c->edge[c->n - 1]->to;

	for (const struct edge *e = edges_from(end); e && c->n < longest; e = e->next_from) {
		if (e->from != end || !fits(c, e))
			continue;
		c->edge[c->n++] = e;
		if (e->to == begin || close_circle(c, longest))
			return true;
		c->n--;
	}
	return false;
}

static void tell(const struct circle *c)
{
	uint64_t key = 0;

	for (uint32_t i = 0; i < c->n; i++) /* the key does not depend on which edge comes first */
		key += (c->edge[i]->stack->depth ? c->edge[i]->stack->pc[0] : 1) * 0x9e3779b97f4a7c15u;
	struct board_notice *n = notice_new(NOTICE_LOCK_ORDER, key);
	if (!n)
		return;
	size_t used = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		const struct edge *e = c->edge[i];
		used += text_format(n->message + used, sizeof(n->message) - used, "%sT%u takes lock %p with %p held",
		                    i ? ", " : "", e->fiber, e->to, e->from);
		n->stack[n->nstacks++] = *e->stack;
	}
}

/* ---- edges ---- */

static bool is_known(const void *from, const void *to)
{
	for (const struct edge *e = edges_of_pair(from, to); e; e = e->next_pair)
		if (e->from == from && e->to == to && e->fiber == omen.current->id &&
		    e->ngates + 1 == omen.current->nheld)
			return true;
	return false;
}

static struct edge *free_place(void)
{
	struct edge *e = state.unused;

	if (!state.edges) {
		state.edges = pool_alloc(EDGES * sizeof(*state.edges));
		state.buckets = pool_alloc(sizeof(*state.buckets));
		*state.buckets = (struct buckets){0};
		state.seen = pool_alloc(SEEN * sizeof(*state.seen));
		memset(state.seen, 0, SEEN * sizeof(*state.seen));
	}
	if (!e)
		return state.n < EDGES ? &state.edges[state.n++] : NULL;
	state.unused = e->next_from;
	return e;
}

static void link_edge(struct edge *e)
{
	struct edge **from = &state.buckets->by_from[bucket_of(e->from, NULL)];
	struct edge **pair = &state.buckets->by_pair[bucket_of(e->from, e->to)];

	e->next_from = *from;
	e->next_pair = *pair;
	*from = *pair = e;
}

static void unlink_edge(struct edge *e)
{
	struct edge **at;

	for (at = &state.buckets->by_from[bucket_of(e->from, NULL)]; *at != e; at = &(*at)->next_from)
		;
	*at = e->next_from;
	for (at = &state.buckets->by_pair[bucket_of(e->from, e->to)]; *at != e; at = &(*at)->next_pair)
		;
	*at = e->next_pair;
}

static bool is_held_for_reading(const struct fiber *f, const void *lock)
{
	const pthread_mutex_t *m = lock;
	const pthread_rwlock_t *l = lock;

	return (uint32_t)m->__data.__owner != f->tid && (uint32_t)l->__data.__cur_writer != f->tid;
}

static void add_edge(const void *from, const void *to, bool reads)
{
	const struct fiber *f = omen.current;
	struct edge *e = is_known(from, to) || f->nheld > GATES + 1 ? NULL : free_place();

	if (!e)
		return;
	*e = (struct edge){.from = from,
	                   .to = to,
	                   .fiber = f->id,
	                   .reads = reads,
	                   .held_for_reading = is_held_for_reading(f, from),
	                   .stack = pool_alloc(sizeof(*e->stack))};
	for (uint32_t i = 0; i < f->nheld; i++)
		if (f->held[i] != from)
			e->gate[e->ngates++] = f->held[i];
	ending_stack(e->stack);
	link_edge(e);
	state.pages[page_of((uint64_t)from) / 64] |= 1ul << page_of((uint64_t)from) % 64;
	state.pages[page_of((uint64_t)to) / 64] |= 1ul << page_of((uint64_t)to) % 64;
	for (uint32_t longest = 2; longest <= LONGEST; longest++) {
		struct circle c = {.edge = {e}, .n = 1};
		if (!close_circle(&c, longest))
			continue;
		tell(&c);
		return;
	}
}

static bool is_full(void) { return state.n == EDGES && !state.unused; }

/* Pairs with a lock on a stack are never in `seen`; they are checked each time. */
static void note_pair(const void *from, const void *to, bool reads)
{
	const struct fiber *f = omen.current;
	uint64_t is = mix(mix(mix((uint64_t)f->id << 32 | f->nheld, state.forgotten), (uint64_t)from), (uint64_t)to);

	if (is_full() || (state.seen && state.seen[is % SEEN] == is) || memory_is_on_stack((uint64_t)from) ||
	    memory_is_on_stack((uint64_t)to))
		return;
	add_edge(from, to, reads);
	if (state.seen)
		state.seen[is % SEEN] = is;
}

void lock_order_note(const void *lock, bool reads)
{
	const struct fiber *f = omen.current;

	if (omen.off)
		return;
	for (uint32_t i = 0; i < f->nheld; i++)
		if (f->held[i] == lock)
			return; /* taking a recursive lock again never blocks */
	for (uint32_t i = 0; i < f->nheld; i++)
		note_pair(f->held[i], lock, reads);
}

void lock_order_forget(uint64_t low, uint64_t high)
{
	bool any = high - low >= PAGES << 12;

	for (uint64_t at = low; state.n && !any && at < high; at = (at | 4095) + 1)
		any = state.pages[page_of(at) / 64] >> page_of(at) % 64 & 1;
	for (uint32_t i = 0; any && i < state.n; i++) {
		struct edge *e = &state.edges[i];
		if (!e->to || ((uint64_t)e->from - low >= high - low && (uint64_t)e->to - low >= high - low))
			continue;
		pool_free(e->stack, sizeof(*e->stack));
		unlink_edge(e);
		state.forgotten++;
		e->to = NULL;
		e->next_from = state.unused;
		state.unused = e;
	}
}
