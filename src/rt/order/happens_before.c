/*
 * There is one object for each address that synchronises threads.  The first release at the address makes it.
 *
 * An atomic location keeps the release sequences that its newest value belongs to (C11 5.1.2.4): a head for each fiber
 * that has one, with what the fiber knew when it released.  A store ends the sequences of all other fibers; before
 * C++20 the storing fiber's own one continues.  An update ends none.  A store or update after a release fence also
 * heads a (hypothetical) sequence.
 */
#include "rt/order/happens_before.h"

#include "rt/core/op.h"

#include <string.h>

#include "rt/clock/clock.h"
#include "rt/core/pool.h"
#include "rt/shadow/race_check.h"
#include "rt/order/above.h"

struct round {
	struct clock *clock;
	const void *key;
	uint64_t event;        /* the release of the last fiber that arrived */
	uint32_t came, inside; /* fibers of this process; other processes may share the barrier */
};

struct object {
	struct object *next;
	const void *key;
	struct clock *clock;          /* what was released; for a reader-writer lock, by writers */
	struct clock *readers;        /* what its readers released */
	uint32_t from;                /* the fiber that released all of `clock`, or BOARD_NOBODY */
	uint64_t event, reader_event; /* the last release of each kind: timeline_record.h */
	struct head *heads;           /* of an atomic location */
	struct location *location;    /* of an atomic location whose older stores can be read */
	struct round *round;          /* of a barrier: the round that is filling */
	uint32_t count;               /* of a barrier: how many fibers fill a round */
};

#define FIRST_BUCKETS 256

static struct {
	struct object **bucket;
	uint32_t buckets, n; /* buckets: a power of two */
} state;

static bool quiet(void) { return !mode_is(DETECT) || omen.off; }

/* ---- the table ---- */

static struct object **place_of(const void *key)
{
	uint64_t h = (uint64_t)key * 0x9e3779b97f4a7c15u;

	return &state.bucket[h >> 32 & (state.buckets - 1)];
}

static struct object *find(const void *key)
{
	if (!state.n)
		return NULL;
	struct object *o = *place_of(key);
	while (o && o->key != key)
		o = o->next;
	return o;
}

static void grow(void)
{
	struct object **old = state.bucket;
	uint32_t n = state.buckets;

	state.buckets = n ? 2 * n : FIRST_BUCKETS;
	state.bucket = pool_alloc(state.buckets * sizeof(*state.bucket));
	memset(state.bucket, 0, state.buckets * sizeof(*state.bucket));
	for (uint32_t i = 0; i < n; i++) {
		for (struct object *o = old[i], *next; o; o = next) {
			next = o->next;
			struct object **at = place_of(o->key);
			o->next = *at;
			*at = o;
		}
	}
	if (old)
		pool_free(old, n * sizeof(*old));
}

static struct object *get(const void *key)
{
	struct object *o = find(key);

	if (o)
		return o;
	if (state.n >= state.buckets)
		grow();
	o = pool_alloc(sizeof(*o));
	*o = (struct object){.key = key, .from = BOARD_NOBODY};
	struct object **at = place_of(key);
	o->next = *at;
	*at = o;
	state.n++;
	shadow_mark_object((uint64_t)key);
	return o;
}

void order_end_heads(struct head **heads, uint32_t but)
{
	struct head **at = heads;

	while (*at) {
		struct head *h = *at;
		if (h->fiber == but) {
			at = &h->next;
			continue;
		}
		*at = h->next;
		clock_drop(&h->clock);
		pool_free(h, sizeof(*h));
	}
}

static void remove(struct object *o)
{
	struct object **at = place_of(o->key);

	while (*at != o)
		at = &(*at)->next;
	*at = o->next;
	clock_drop(&o->clock);
	clock_drop(&o->readers);
	order_end_heads(&o->heads, BOARD_NOBODY);
	store_history_drop(o->location);
	pool_free(o, sizeof(*o)); /* a round belongs to the fibers inside it */
	state.n--;
}

void order_forget(uint64_t address)
{
	for (uint64_t key = address; key < address + 8; key++) {
		struct object *o = find((const void *)key);
		if (o)
			remove(o);
	}
}

/* ---- locks, semaphores, once ---- */

void order_release(const void *key)
{
	OP(ORDERS, .object = key);
	if (quiet())
		return;
	struct object *o = get(key);
	clock_copy(&o->clock, omen.current->order.clock);
	o->from = omen.current->id;
	o->event = OP(RELEASE, .object = key);
	clock_release();
}

void order_release_too(const void *key)
{
	OP(ORDERS, .object = key);
	if (quiet())
		return;
	struct object *o = get(key);
	clock_join(&o->clock, omen.current->order.clock);
	o->from = BOARD_NOBODY;
	o->event = OP(RELEASE, .object = key);
	clock_release();
}

void order_learnt(void)
{
	if (unlikely(omen.nlive == 1))
		mode_threads_changed();
}

static void learn(const struct clock *c)
{
	clock_join(&omen.current->order.clock, c);
	order_learnt();
}

/* A fiber that takes a lock that it released itself learns nothing. */
static void learn_released(const struct object *o)
{
	if (o->from != omen.current->id)
		learn(o->clock);
}

void order_acquire(const void *key)
{
	OP(ORDERS, .object = key);
	const struct object *o = quiet() ? NULL : find(key);

	if (!o)
		return;
	OP(ACQUIRE, .value = o->event);
	learn_released(o);
}

void order_reader_releases(const void *key)
{
	if (quiet())
		return;
	struct object *o = get(key);
	clock_join(&o->readers, omen.current->order.clock);
	o->reader_event = OP(RELEASE, .object = key);
	clock_release();
}

void order_writer_acquires(const void *key)
{
	const struct object *o = quiet() ? NULL : find(key);

	if (!o)
		return;
	OP(ACQUIRE, .value = o->event);
	OP(ACQUIRE, .value = o->reader_event > o->event ? o->reader_event : 0);
	learn_released(o);
	learn(o->readers);
}

/* ---- barriers ---- */

void order_barrier(const void *key, uint32_t count)
{
	if (!omen.current || !omen.board || !omen.board->config.detect)
		return;
	struct object *o = get(key);
	o->count = count;
	o->round = NULL;
}

struct round *order_arrive(const void *key)
{
	struct object *o = quiet() ? NULL : find(key);

	if (!o || !o->count)
		return NULL;
	if (!o->round) {
		o->round = pool_alloc(sizeof(*o->round));
		*o->round = (struct round){.key = key};
	}
	struct round *r = o->round;
	clock_join(&r->clock, omen.current->order.clock);
	r->event = OP(RELEASE, .object = key);
	clock_release();
	r->inside++;
	if (++r->came == o->count)
		o->round = NULL; /* the next fiber arrives at the next round */
	return r;
}

void order_leave(struct round *r)
{
	if (!r)
		return;
	OP(ACQUIRE, .value = r->event);
	clock_join(&omen.current->order.clock, r->clock);
	if (--r->inside)
		return;
	struct object *o = find(r->key);
	if (o && o->round == r) /* the rest of the round was in other processes */
		o->round = NULL;
	clock_drop(&r->clock);
	pool_free(r, sizeof(*r));
}

/* ---- atomics ---- */

static struct head *head_of(struct head **heads, uint32_t fiber)
{
	struct head *h = *heads;

	while (h && h->fiber != fiber)
		h = h->next;
	if (h)
		return h;
	h = pool_alloc(sizeof(*h));
	*h = (struct head){.next = *heads, .fiber = fiber};
	*heads = h;
	return h;
}

void order_read(const struct head *heads, int order)
{
	for (const struct head *h = heads; h; h = h->next) {
		if (order_acquires(order))
			OP(ACQUIRE, .value = h->event, .flags = OP_ATOMIC);
		if (h->fiber != omen.current->id) /* it already knows what it released itself */
			clock_join(order_acquires(order) ? &omen.current->order.clock
			                                 : &omen.current->order.acquire_fence,
			           h->clock);
	}
}

struct location **order_location(const void *key) { return &get(key)->location; }

bool order_heads_one(int order) { return order_releases(order) || omen.current->order.release_fence; }

void order_head(const void *key, struct head **heads, int order)
{
	const struct order *me = &omen.current->order;

	if (!order_heads_one(order))
		return;
	shadow_forget_load((uint64_t)key);
	struct head *h = head_of(heads, omen.current->id);
	clock_join(&h->clock, order_releases(order) ? me->clock : me->release_fence);
	if (order_releases(order)) {
		h->event = OP(RELEASE, .object = key, .flags = OP_ATOMIC);
		clock_release();
	}
}

static void continue_head(struct head *to, const struct head *from)
{
	clock_join(&to->clock, from->clock);
	to->event = from->event;
}

void order_continue(struct head **to, const struct head *from, uint32_t fiber)
{
	for (; from; from = from->next)
		if (fiber == ALL_FIBERS || from->fiber == fiber)
			continue_head(head_of(to, from->fiber), from);
}

bool order_load(const void *key, int order)
{
	const struct object *o = quiet() ? NULL : find(key);
	const struct head *h = o ? o->heads : NULL;

	if (!o)
		return false;
	order_read(h, order);
	order_learnt();
	while (h && h->fiber == omen.current->id)
		h = h->next;
	return h || mode_is(TIMELINE);
}

/* The running fiber's store or update is the newest value.  The caller has kept the sequences that continue. */
static void head_by(const void *key, struct object *o, int order)
{
	if (o || order_heads_one(order))
		order_head(key, &(o ? o : get(key))->heads, order);
}

void order_store(const void *key, int order)
{
	struct object *o = quiet() ? NULL : find(key);

	if (o) /* in C++20 the fiber's own sequence ends, too */
		order_end_heads(&o->heads, mode_is(CXX20) ? BOARD_NOBODY : omen.current->id);
	if (!quiet())
		head_by(key, o, order);
}

void order_update(const void *key, int order)
{
	if (!quiet())
		head_by(key, find(key), order);
}

void order_fence(int order)
{
	struct order *me = &omen.current->order;

	if (quiet())
		return;
	if (order_acquires(order))
		learn(me->acquire_fence);
	if (order_releases(order)) {
		clock_copy(&me->release_fence, me->clock);
		clock_release();
	}
}

/* ---- threads ---- */

static struct clock **released_by_all(const void *key)
{
	struct object *o = get(key);

	o->from = BOARD_NOBODY;
	return &o->clock;
}

void order_ended(const struct fiber *f)
{
	if (quiet())
		return;
	clock_copy(released_by_all((const void *)f->fs), f->order.clock);
	if (f->once_tried)
		clock_join(released_by_all(f->once_tried), f->order.clock);
}

void order_joined(const void *thread)
{
	struct object *o = quiet() ? NULL : find(thread);

	if (!o)
		return;
	learn(o->clock);
	remove(o);
}

void order_after(struct fiber *f)
{
	if (quiet() || f == omen.current)
		return;
	OP(AFTER, .fiber = f);
	learn(f->order.clock);
	f->order.segment = 0;
}
