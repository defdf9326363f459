/*
 * Which store does a load see?  (docs/design.md, "The C11 memory model")
 *
 * Every atomic location has its stores, and what is known of their modification order: for each store the set of later
 * ones, closed under transitivity.  An operation *knows* stores that happened before it, stores that were read by loads
 * that happened before it, and what sequentially consistent operations and fences add (C11 7.17.3, C++11 29.3); their
 * total order is the order in which they are executed.  A load may see a store that does not come before any store it
 * knows.  By seeing it, the load decides that all stores it knows come before that one.  A store comes after every
 * store that it knows.
 *
 * An update comes right after the store it sees.  `next` and `previous` keep such neighbours together: what comes after
 * one comes after the other.
 *
 * Memory holds a store that has no later one.  If something else is there, it was written unseen: by a plain access, an
 * operation of another size, or the kernel.  Then the history begins anew with that value.
 */
#include "rt/atomics/store_history.h"

#include <string.h>

#include "rt/clock/clock.h"
#include "rt/fibers/endless_loop.h"
#include "rt/order/happens_before.h"
#include "rt/core/pool.h"
#include "rt/fibers/sched.h"
#include "rt/shadow/race_check.h"

#define WORDS 4
#define MOST  (64 * WORDS) /* stores of one location */
#define NONE  UINT32_MAX

typedef struct {
	uint64_t word[WORDS];
} set;

static inline bool has(const set *s, uint32_t i) { return s->word[i / 64] >> i % 64 & 1; }
static inline void put(set *s, uint32_t i) { s->word[i / 64] |= 1ul << i % 64; }
static inline void take(set *s, uint32_t i) { s->word[i / 64] &= ~(1ul << i % 64); }

static inline void unite(set *s, const set *with)
{
	for (int i = 0; i < WORDS; i++)
		s->word[i] |= with->word[i];
}

static inline bool meet(const set *s, const set *other)
{
	uint64_t common = 0;

	for (int i = 0; i < WORDS; i++)
		common |= s->word[i] & other->word[i];
	return common;
}

static inline bool includes(const set *s, const set *other)
{
	uint64_t beyond = 0;

	for (int i = 0; i < WORDS; i++)
		beyond |= other->word[i] & ~s->word[i];
	return !beyond;
}

static inline bool is_empty(const set *s) { return !meet(s, s); }

/* The first element from i on, or NONE. */
static inline uint32_t next_in(const set *s, uint32_t i)
{
	for (; i < MOST; i = (i | 63) + 1)
		if (s->word[i / 64] >> i % 64)
			return i + (uint32_t)__builtin_ctzl(s->word[i / 64] >> i % 64);
	return NONE;
}

#define FOR_EACH(i, set) for (uint32_t i = next_in(set, 0); i != NONE; i = next_in(set, i + 1))

struct seen {
	struct seen *next;
	uint32_t segment;
	bool sc; /* C++20: by a sequentially consistent load */
};

struct store {
	set after; /* the stores that come later */
	uint64_t value[2];
	struct head *heads; /* of the release sequences it belongs to */
	struct seen *seen;  /* the first load of it by each fiber */
	const struct omen_site *site;
	uint64_t event; /* when it was executed; 0: before the history began */
	uint32_t fiber, segment;
	uint32_t next, previous; /* the neighbours with nothing between; NONE */
	bool sc;                 /* sequentially consistent */
	bool shut;               /* it happened before a sequentially consistent store */
};

struct location {
	struct location *next, **self; /* the list of all locations */
	void *address;
	uint32_t size, n, room;
	uint32_t top;  /* the store that is in memory */
	uint32_t seen; /* the store that the update under way has seen */
	set used;
	uint8_t executed[MOST]; /* the stores in use, in the order of execution */
	struct store *store;
};

static struct {
	struct location *all;
	struct clock *sc_fences, *sc_stores; /* the last ones of each fiber */
	uint64_t events;
} state;

/* ---- modification order ---- */

/* Decides that these stores come before b.  Possible as long as b comes before none of them. */
static void all_precede(struct location *l, const set *these, uint32_t b)
{
	struct store *s = l->store;
	set earlier = *these, later = s[b].after;

	take(&earlier, b);
	FOR_EACH (i, these)
		if (has(&s[i].after, b))
			take(&earlier, i);
	if (is_empty(&earlier))
		return;
	set these_too = earlier;
	FOR_EACH (i, &these_too) /* and so do those that stand right behind one of them */
		for (uint32_t k = s[i].next; k != NONE && k != b && !has(&earlier, k); k = s[k].next)
			put(&earlier, k);
	if (s[b].previous != NONE) { /* and they come before the store that b stands right behind */
		set others = earlier;
		take(&others, s[b].previous);
		if (!is_empty(&others))
			all_precede(l, &others, s[b].previous);
	}
	put(&later, b);
	FOR_EACH (i, &l->used)
		if (i != b && (has(&earlier, i) || meet(&s[i].after, &earlier)))
			unite(&s[i].after, &later);
}

static void precede(struct location *l, uint32_t a, uint32_t b)
{
	set one = {{0}};

	put(&one, a);
	if (a != b && !has(&l->store[a].after, b))
		all_precede(l, &one, b);
}

/* b comes right after a, and nothing will ever come between. */
static void adjoin(struct location *l, uint32_t a, uint32_t b)
{
	unite(&l->store[b].after, &l->store[a].after);
	take(&l->store[b].after, b);
	precede(l, a, b);
	l->store[a].next = b;
	l->store[b].previous = a;
}

static bool is_last(const struct location *l, uint32_t i) { return is_empty(&l->store[i].after); }

/* A store with no later one: of several, the one executed last. */
static uint32_t last_of(const struct location *l)
{
	for (uint32_t k = l->n; k--;)
		if (has(&l->used, l->executed[k]) && is_last(l, l->executed[k]))
			return l->executed[k];
	return NONE;
}

static void show(struct location *l)
{
	l->top = last_of(l);
	memcpy(l->address, l->store[l->top].value, l->size);
}

/* ---- stores ---- */

static void forget(struct location *l, uint32_t i)
{
	struct store *s = &l->store[i];

	if (s->next != NONE)
		l->store[s->next].previous = NONE;
	order_end_heads(&s->heads, BOARD_NOBODY);
	for (struct seen *n = s->seen, *next; n; n = next) {
		next = n->next;
		pool_free(n, sizeof(*n));
	}
	take(&l->used, i);
	uint32_t k = 0;
	while (l->executed[k] != i)
		k++;
	memmove(l->executed + k, l->executed + k + 1, --l->n - k);
}

static void forget_all(struct location *l)
{
	FOR_EACH (i, &l->used)
		forget(l, i);
}

/* Decides that this store comes before all others, and forgets it for good. */
static void forget_first(struct location *l, uint32_t i)
{
	FOR_EACH (k, &l->used)
		precede(l, i, k);
	forget(l, i);
}

/* Can no load see it any more?  All others come later, and every fiber knows one of them. */
static bool is_past(const struct location *l, uint32_t i)
{
	set others = l->used;

	take(&others, i);
	if (!includes(&l->store[i].after, &others))
		return false;
	FOR_EACH (k, &l->store[i].after)
		if (clock_is_past(l->store[k].segment))
			return true;
	return false;
}

/* Makes room: forgets a store that no load can see any more, or the first one if the history is full. */
static void thin_out(struct location *l)
{
	set later = {{0}};
	uint32_t k = 0;

	FOR_EACH (i, &l->used)
		unite(&later, &l->store[i].after);
	put(&later, l->top);
	if (l->seen != NONE)
		put(&later, l->seen);
	while (k < l->n && has(&later, l->executed[k]))
		k++;
	if (k == l->n)
		return;
	uint32_t first = l->executed[k];
	bool past = is_past(l, first);
	if (!past && l->n < omen.board->config.memory.history)
		return;
	forget_first(l, first);
	omen.board->result.history_cut += !past;
}

static uint32_t free_place(struct location *l)
{
	if (l->n >= 4)
		thin_out(l);
	if (l->n == l->room) {
		uint32_t room = l->room ? 2 * l->room : 4;
		struct store *bigger = pool_alloc(room * sizeof(*bigger));
		if (l->room) {
			memcpy(bigger, l->store, l->room * sizeof(*bigger));
			pool_free(l->store, l->room * sizeof(*bigger));
		}
		l->store = bigger;
		l->room = room;
	}
	for (uint32_t i = 0;; i++)
		if (!has(&l->used, i))
			return i;
}

static uint32_t add(struct location *l, const struct store *s, const void *value)
{
	uint32_t i = free_place(l);

	l->store[i] = *s;
	l->store[i].next = l->store[i].previous = NONE;
	memcpy(l->store[i].value, value, l->size);
	put(&l->used, i);
	l->executed[l->n++] = (uint8_t)i;
	return i;
}

static uint32_t add_own(struct location *l, const struct store_history_access *a, const void *value)
{
	struct store s = {.segment = clock_segment(),
	                  .fiber = omen.current->id,
	                  .site = a->site,
	                  .event = ++state.events,
	                  .sc = a->order == SEQ_CST};
	return add(l, &s, value);
}

static struct location *location_of(const struct store_history_access *a)
{
	struct location **at = order_location(a->address), *l = *at;

	if (!l) {
		l = *at = pool_alloc(sizeof(*l));
		*l = (struct location){.next = state.all, .self = &state.all, .address = a->address, .seen = NONE};
		if (l->next)
			l->next->self = &l->next;
		state.all = l;
	}
	if (l->n && (l->size != a->size || (!a->done && memcmp(l->store[l->top].value, a->address, l->size))))
		forget_all(l);
	if (!l->n) {
		l->size = a->size;
		l->top = add(l, &(struct store){.fiber = BOARD_NOBODY}, a->address);
	}
	return l;
}

void store_history_drop(struct location *l)
{
	if (!l)
		return;
	forget_all(l);
	*l->self = l->next;
	if (l->next)
		l->next->self = l->self;
	if (l->room)
		pool_free(l->store, l->room * sizeof(*l->store));
	pool_free(l, sizeof(*l));
}

/* ---- what an operation knows of ---- */

static bool knows(const struct clock *c, uint32_t segment) { return c && clock_knows(c, segment); }

/* In C++20 the store that a load saw counts for the order of fences and sequentially consistent operations, too. */
static bool is_seen_in_order(const struct seen *n, int order)
{
	const struct order *me = &omen.current->order;

	return knows(me->sc_fences, n->segment) || (n->sc && knows(me->sc_stores, n->segment)) ||
	       (order == SEQ_CST && (n->sc || knows(state.sc_fences, n->segment)));
}

static bool is_known(const struct store *s, int order, bool writes)
{
	const struct order *me = &omen.current->order;

	if (clock_before(s->segment) || knows(me->sc_fences, s->segment) || (s->sc && knows(me->sc_stores, s->segment)))
		return true;
	if (order == SEQ_CST && (knows(state.sc_fences, s->segment) || (s->sc && (writes || mode_is(CXX20)))))
		return true;
	for (const struct seen *n = s->seen; n; n = n->next)
		if (clock_before(n->segment) || (mode_is(CXX20) && is_seen_in_order(n, order)))
			return true;
	return false;
}

/* The stores that come before the one that the running fiber's operation sees, or before the store that it makes. */
static set known(const struct location *l, int order, bool writes)
{
	set these = {{0}};

	FOR_EACH (i, &l->used)
		if ((writes && !mode_is(FREE_ORDER)) || is_known(&l->store[i], order, writes))
			put(&these, i);
	return these;
}

/*
 * In C11 a sequentially consistent load sees the last sequentially consistent store, or a store that neither is one nor
 * happened before one.  In C++20 it sees no store that comes before a sequentially consistent one (is_known).
 */
static bool is_shut(const struct location *l, uint32_t i, int order)
{
	if (order != SEQ_CST || mode_is(CXX20) || !(l->store[i].sc || l->store[i].shut))
		return false;
	FOR_EACH (k, &l->store[i].after)
		if (l->store[k].sc || l->store[k].shut)
			return true;
	return false;
}

static bool may_see(const struct location *l, uint32_t i, const set *before, int order, bool update)
{
	return !meet(&l->store[i].after, before) && !is_shut(l, i, order) && !(update && l->store[i].next != NONE);
}

/* ---- the choice ---- */

struct choice {
	uint32_t n, at[MOST]; /* the one executed last is first */
};

/* All stores, from the one executed last to the first. */
#define FOR_EACH_EXECUTED(i, l) for (uint32_t k_ = (l)->n, i; k_ && (i = (l)->executed[--k_], true);)

/* A choice is a point of its own and part of the schedule; the default is the first possibility. */
static uint32_t pick(uint32_t n)
{
	if (n < 2)
		return 0;
	omen.points++;
	uint32_t chosen = omen.strategy->pick(n);
	if (chosen)
		sched_record(CHOICE_PICK, chosen, false);
	loop_chose();
	return chosen;
}

/* Notes for the report that the load did not see the store executed last. */
static void note_stale(const struct location *l, const struct store_history_access *a, uint32_t i)
{
	struct board_result *r = &omen.board->result;
	const struct store *s = &l->store[i], *newest = &l->store[l->executed[l->n - 1]];

	if (newest == s)
		return;
	r->stale[r->nstale++ % BOARD_STALE] = (struct board_stale){.fiber = omen.current->id,
	                                                           .size = l->size,
	                                                           .site = (uint64_t)a->site,
	                                                           .address = (uint64_t)l->address,
	                                                           .event = state.events,
	                                                           .value = s->value[0],
	                                                           .writer = s->fiber,
	                                                           .write_site = (uint64_t)s->site,
	                                                           .newer_value = newest->value[0],
	                                                           .newer_writer = newest->fiber,
	                                                           .newer_site = (uint64_t)newest->site,
	                                                           .newer_event = newest->event};
}

static uint32_t choose(const struct location *l, const struct store_history_access *a, const struct choice *c)
{
	uint32_t i = a->done ? l->top : c->at[pick(c->n)];

	note_stale(l, a, i);
	return i;
}

/* ---- operations ---- */

static bool is_own(uint32_t segment) { return granule_of(segment)->fiber == omen.current->id && segment; }

static void note_seen(struct store *s, int order)
{
	bool sc = mode_is(CXX20) && order == SEQ_CST;

	for (const struct seen *n = s->seen; n; n = n->next)
		if (is_own(n->segment) && n->sc >= sc)
			return;
	if (is_own(s->segment) && !sc)
		return;
	struct seen *n = pool_alloc(sizeof(*n));
	*n = (struct seen){.next = s->seen, .segment = clock_segment(), .sc = sc};
	s->seen = n;
	if (!sc)
		return;
	clock_note(&state.sc_stores, &omen.current->order);
	clock_release(); /* what this fiber does next does not count as before */
}

/* The load sees this store: every store that the load knows comes before it. */
static void see(struct location *l, const struct store_history_access *a, uint32_t i, const set *before, int order,
                void *value)
{
	state.events++;
	all_precede(l, before, i);
	note_seen(&l->store[i], order);
	order_read(l->store[i].heads, order);
	memcpy(value, l->store[i].value, l->size);
	show(l);
	shadow_access((uint64_t)a->address, a->size, ACCESS_ATOMIC, a->site);
	order_learnt();
}

void store_history_load(const struct store_history_access *a, void *value)
{
	struct location *l = location_of(a);
	set before = known(l, a->order, false);
	struct choice c = {.n = 0};

	FOR_EACH_EXECUTED (i, l)
		if (may_see(l, i, &before, a->order, false))
			c.at[c.n++] = i;
	see(l, a, choose(l, a, &c), &before, a->order, value);
}

static void note_sc(struct location *l, const struct store_history_access *a)
{
	if (a->order != SEQ_CST)
		return;
	clock_note(&state.sc_stores, &omen.current->order);
	FOR_EACH (i, &l->used)
		if (clock_before(l->store[i].segment))
			l->store[i].shut = true;
}

static bool is_headed_by(const struct head *h, uint32_t fiber)
{
	while (h && h->fiber != fiber)
		h = h->next;
	return h;
}

/*
 * Before C++20 a release sequence goes on with stores of the fiber that heads it, if no other store comes between.  So
 * if the running fiber heads a sequence here, it must be decided which store comes right before its new one.
 */
static void continue_own(struct location *l, uint32_t i)
{
	uint32_t me = omen.current->id;
	bool heads = false;

	FOR_EACH (k, &l->used)
		heads = heads || is_headed_by(l->store[k].heads, me);
	if (!heads || mode_is(CXX20))
		return;
	take(&l->used, i);
	uint32_t last = last_of(l);
	all_precede(l, &l->used, last);
	put(&l->used, i);
	if (is_headed_by(l->store[last].heads, me)) {
		adjoin(l, last, i);
		order_continue(&l->store[i].heads, l->store[last].heads, me);
	} else {
		precede(l, last, i);
	}
}

void store_history_store(const struct store_history_access *a, const void *value)
{
	struct location *l = location_of(a);

	shadow_access((uint64_t)a->address, a->size, ACCESS_ATOMIC | ACCESS_WRITE, a->site);
	uint32_t i = add_own(l, a, value);
	continue_own(l, i);
	set before = known(l, a->order, true);
	take(&before, i);
	all_precede(l, &before, i);
	note_sc(l, a);
	order_head(a->address, &l->store[i].heads, a->order);
	show(l);
}

static void update_from(struct location *l, const struct store_history_access *a, uint32_t i, const set *before,
                        void *old)
{
	all_precede(l, before, i);
	order_read(l->store[i].heads, a->order);
	memcpy(old, l->store[i].value, l->size);
	l->seen = i;
}

struct location *store_history_update_from(const struct store_history_access *a, void *old)
{
	struct location *l = location_of(a);
	set before = known(l, a->order, true);
	struct choice c = {.n = 0};

	FOR_EACH_EXECUTED (i, l)
		if (may_see(l, i, &before, a->order, true))
			c.at[c.n++] = i;
	update_from(l, a, choose(l, a, &c), &before, old);
	return l;
}

void store_history_update_to(struct location *l, const struct store_history_access *a, const void *value)
{
	shadow_access((uint64_t)a->address, a->size, ACCESS_ATOMIC | ACCESS_WRITE, a->site);
	uint32_t i = add_own(l, a, value);
	adjoin(l, l->seen, i);
	order_continue(&l->store[i].heads, l->store[l->seen].heads, ALL_FIBERS);
	l->seen = NONE;
	note_sc(l, a);
	order_head(a->address, &l->store[i].heads, a->order);
	show(l);
	order_learnt();
}

bool store_history_compare(const struct store_history_access *a, int failure, void *expected, const void *desired,
                           bool may_fail)
{
	struct location *l = location_of(a);
	set before_update = known(l, a->order, true), before_load = known(l, failure, false);
	struct choice c = {.n = 0};

	FOR_EACH_EXECUTED (i, l) {
		bool same = !memcmp(l->store[i].value, expected, l->size);
		if (same ? may_see(l, i, &before_update, a->order, true) : may_see(l, i, &before_load, failure, false))
			c.at[c.n++] = i;
	}
	uint32_t i = choose(l, a, &c);
	bool same = !memcmp(l->store[i].value, expected, l->size);
	if (same && may_fail && !a->done && may_see(l, i, &before_load, failure, false))
		same = !pick(2);
	if (!same) {
		see(l, a, i, &before_load, failure, expected);
		return false;
	}
	update_from(l, a, i, &before_update, expected);
	store_history_update_to(l, a, desired);
	return true;
}

void store_history_fence(int order)
{
	struct order *me = &omen.current->order;

	if (order != SEQ_CST)
		return;
	if (mode_is(CXX20)) /* everything that happened before the fence counts, not only what this fiber did */
		clock_join(&state.sc_fences, me->clock);
	clock_note(&state.sc_fences, me);
	clock_join(&me->sc_fences, state.sc_fences);
	clock_join(&me->sc_stores, state.sc_stores);
}

void store_history_settle(void)
{
	for (struct location *l = state.all; l; l = l->next) {
		struct choice c = {.n = 0};
		FOR_EACH_EXECUTED (i, l)
			if (is_last(l, i))
				c.at[c.n++] = i;
		if (c.n > 1)
			memcpy(l->address, l->store[c.at[pick(c.n)]].value, l->size);
		forget_all(l);
	}
}

void store_history_sweep(uint64_t *kept)
{
	for (struct location *l = state.all; l; l = l->next)
		FOR_EACH (i, &l->used) {
			l->store[i].segment = clock_sweep(l->store[i].segment, kept);
			for (struct seen *n = l->store[i].seen; n; n = n->next)
				n->segment = clock_sweep(n->segment, kept);
		}
}
