/*
 * While races are detected, a cell knows little about an access.  So a replay follows the schedule of that execution
 * once more.  This module keeps all accesses to the bytes that raced, with stack, value and locks, and compares each
 * new one with all earlier ones.  So it finds every pair that races on these bytes, not only the first.
 */
#include "rt/observe/explain.h"

#include "rt/core/op.h"

#include <string.h>

#include "rt/core/arena.h"
#include "rt/shadow/cells.h"
#include "rt/clock/clock.h"
#include "rt/ending/ending.h"
#include "rt/observe/timeline_record.h"
#include "rt/shadow/race_table.h"
#include "rt/shadow/watch.h"

struct past { /* the fields that searches compare come first: there are many of these, and they are large */
	struct past *next; /* earlier ones */
	uint32_t segment, bytes, fiber;
	uint64_t touch, last; /* its number among those to these bytes, and that of the last like it in its segment */
	struct board_access access;
	struct ending_trail trail; /* of the access's stack */
};

struct allocation {
	struct allocation *next; /* earlier ones */
	uint64_t address, size;
	struct board_stack stack;
};

extern void *__libc_stack_end;
#define MAIN_STACK (8ul << 20) /* the kernel maps nothing else so close below the stack's end */

#define PASTS 100000 /* accesses kept; more than these stay unexplained */

static struct {
	uint32_t kept;
	struct allocation *allocations;
	struct past *unsettled; /* the kept write that may not have happened yet */
	uint32_t told;          /* how many races the board had before it */
	uint32_t settled;       /* how many of the board's touches have their value */
	struct board_stack creation;
} state;

/* ---- which accesses reach this module ---- */

void explain_start(void)
{
	const uint64_t cell = 8; /* bytes of memory for each cell */
	const int mark = 0x7f;   /* no part of it equals a part of a stamp of 0 or of OMEN_NO_STAMP */

	for (const struct watched *w = watch_from(0); w < watch_end(); w++) {
		cells_mapped(w->address - cell, w->address + 2 * cell);
		for (uint64_t at = w->address - cell; at <= w->address + cell; at += cell)
			memset(omen_cell(at), mark, sizeof(struct omen_cell));
	}
}

/* While a value is still missing, every access reaches this module; otherwise only those near watched bytes do. */
static void set_settling(bool settling)
{
	if (mode_is(EXPLAIN_VALUE) == settling)
		return;
	mode_set(EXPLAIN_VALUE, settling);
	clock_stamp();
}

/* ---- one access ---- */

static uint64_t value_at(const struct board_access *a)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)a->address, a->size < 8 ? a->size : 8);
	return value;
}

static uint64_t word_at(const struct board_touch *t)
{
	uint64_t word, mask = 0;

	memcpy(&word, (const void *)t->address, sizeof(word));
	for (uint32_t i = 0; i < 8; i++)
		if (t->bytes >> i & 1)
			mask |= 0xfful << 8 * i;
	return word & mask;
}

/* Puts one more access to these bytes on the board, for readers that want all accesses to them. */
static void note_touch(const struct watched *w, uint64_t address, uint32_t bytes, uint32_t flags,
                       const struct omen_site *site)
{
	struct board *b = omen.board;
	const struct fiber *f = omen.current;

	if (b->ntouches == BOARD_TOUCHES) {
		b->touches_lost++;
		return;
	}
	struct board_touch *t = &b->touches[b->ntouches++];
	*t = (struct board_touch){.site = (uint64_t)site,
	                          .address = w->address,
	                          .fiber = f->id,
	                          .bytes = bytes,
	                          .flags = (uint16_t)flags,
	                          .looked_at = ~0ul,
	                          .no_before = (flags & ACCESS_ATOMIC) || !site || site->kind == OMEN_SITE_CALL};
	if (site && site->kind == OMEN_SITE_STORE)
		t->update = site->flags & (OMEN_SITE_SETS_BITS | OMEN_SITE_ADDS);
	if (site && site->kind == OMEN_SITE_LOAD && address >= w->address)
		t->looked_at = omen_site_bits(site) << 8 * (address - w->address);
	for (uint32_t i = 0; i < f->nheld && i < 2; i++)
		t->lock[i] = (uint64_t)f->held[i];
	if (!(flags & ACCESS_FREE))
		t->before = t->after = word_at(t);
	if (!(flags & (ACCESS_WRITE | ACCESS_FREE)))
		t->flags |= ACCESS_HAS_VALUE;
}

static void settle_touches(void)
{
	struct board *b = omen.board;

	for (; state.settled < b->ntouches; state.settled++) {
		struct board_touch *t = &b->touches[state.settled];
		if (!(t->flags & ACCESS_WRITE) || (t->flags & ACCESS_FREE))
			continue;
		t->after = word_at(t);
		t->flags |= ACCESS_HAS_VALUE;
	}
}

/* The announced write has happened: notes its value. */
static void settle(void)
{
	set_settling(false);
	settle_touches();
	if (!state.unsettled)
		return;
	struct board_access *a = &state.unsettled->access;
	a->value = value_at(a);
	a->flags |= ACCESS_HAS_VALUE;
	for (uint32_t i = state.told; i < omen.board->nraces; i++) {
		omen.board->races[i].access[1].value = a->value;
		omen.board->races[i].access[1].flags |= ACCESS_HAS_VALUE;
	}
	state.unsettled = NULL;
}

static void describe(struct board_access *a, uint64_t address, uint64_t size, uint32_t flags,
                     const struct omen_site *site)
{
	const struct fiber *f = omen.current;

	a->site = (uint64_t)site;
	a->address = address;
	a->size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	a->flags = flags;
	if (!(flags & (ACCESS_WRITE | ACCESS_FREE))) {
		a->value = value_at(a);
		a->flags |= ACCESS_HAS_VALUE;
	}
	a->nlocks = f->nheld;
	for (uint32_t i = 0; i < f->nheld; i++)
		a->lock[i] = (uint64_t)f->held[i];
}

/*
 * Recent stacks of accesses to other bytes: often the same code accesses the fields of many objects.  Its callers are
 * unknown before a stack is taken, so a few stacks are kept for each place.
 */
#define RECENT_BITS 6
#define RECENT_WAYS 8

struct recent {
	struct board_stack stack;
	struct ending_trail trail;
};

static struct {
	struct recent at[RECENT_WAYS];
	uint32_t next; /* the next one to be replaced */
} recents[1 << RECENT_BITS];

/* The running fiber's stack, at an access at this site; `frame` belongs to a caller. */
static const struct recent *recent_stack(uint64_t site, const void *frame)
{
	uint64_t h = (site ^ (uint64_t)frame ^ (uint64_t)omen.current->id << 40) * 0x9e3779b97f4a7c15u;
	struct recent *among = recents[h >> (64 - RECENT_BITS)].at;
	uint32_t *next = &recents[h >> (64 - RECENT_BITS)].next;

	for (uint32_t i = 0; i < RECENT_WAYS; i++)
		if (among[i].stack.fiber == omen.current->id && ending_is_on_trail(&among[i].trail, frame))
			return &among[i];
	struct recent *r = &among[(*next)++ % RECENT_WAYS];
	ending_stack_with_trail(&r->stack, &r->trail, frame);
	return r;
}

/* Taking a stack costs microseconds, and accesses to a byte that is used all the time mostly have the same stack. */
static void take_stack(struct past *p, const void *frame)
{
	if (ending_is_on_trail(&p->trail, frame))
		return;
	const struct recent *r = recent_stack(p->access.site, frame);
	p->access.stack = r->stack;
	p->trail = r->trail;
}

static void add_surroundings(struct board_race *b)
{
	for (const struct allocation *a = state.allocations; a; a = a->next) {
		if (b->address - a->address >= a->size)
			continue;
		b->block = a->address;
		b->block_size = a->size;
		b->block_fiber = a->stack.fiber;
		b->allocation = a->stack;
		return;
	}
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (b->address - omen.live[i]->stack_low < omen.live[i]->stack_high - omen.live[i]->stack_low)
			b->in_stack_of = omen.live[i]->id;
	if (b->address > (uint64_t)__libc_stack_end - MAIN_STACK && b->address <= (uint64_t)__libc_stack_end)
		b->in_stack_of = 0;
}

/* Keeps the first instances, the last one, and between them one each time that their number has doubled. */
static void add_instance(struct board_race *b, const struct watched *w, const struct past *past, uint64_t touch,
                         const struct past *now)
{
	if (!b || !touch || !now->touch)
		return;
	uint32_t n = b->ninstances++, between = BOARD_INSTANCES - 1;
	if (n >= between && !(n & (n - 1))) {
		memmove(b->instance + 2, b->instance + 3, (between - 3) * sizeof(*b->instance));
		b->instance[between - 1] = b->instance[between];
	}
	b->instance[n < between ? n : between] =
	        (struct board_instance){.address = w->address,
	                                .touch = {touch, now->touch},
	                                .fiber = {past->access.stack.fiber, now->access.stack.fiber},
	                                .swapped = b->access[0].site != past->access.site};
}

static void add_race(const struct watched *w, const struct past *past, const struct past *now)
{
	struct board_race *b = race_entry(&past->access, &now->access);

	add_instance(race_known(&past->access, &now->access), w, past, past->touch, now);
	if (past->last != past->touch) /* much can have happened between: it may matter which one is reversed */
		add_instance(race_known(&past->access, &now->access), w, past, past->last, now);
	if (!b)
		return;
	b->address = w->address + (uint64_t)__builtin_ctz(past->bytes & now->bytes);
	b->explained = 1;
	add_surroundings(b);
}

static bool conflict(const struct past *a, const struct past *b)
{
	return (a->bytes & b->bytes) && ((a->access.flags | b->access.flags) & ACCESS_WRITE) &&
	       !(a->access.flags & b->access.flags & ACCESS_ATOMIC);
}

/*
 * The last access by this fiber at the same place and of the same kind.  A later access that races with the earlier one
 * races with the newer one, too, so it is enough to keep one of them.  Without a site, the segment must be the same.
 */
static struct past *same_before(const struct watched *w, uint32_t segment, uint32_t bytes, uint32_t flags,
                                const struct omen_site *site)
{
	for (struct past *p = w->past; p; p = p->next)
		if (p->fiber == omen.current->id && p->access.site == (uint64_t)site &&
		    (site || p->segment == segment) && p->bytes == bytes &&
		    (p->access.flags & ~(uint32_t)ACCESS_HAS_VALUE) == flags)
			return p;
	return NULL;
}

static uint64_t number_of(const struct watched *w, const struct omen_site *site)
{
	return mode_is(LATE) && w->touches ? watch_late(site) : w->touches;
}

static struct past *new_past(struct watched *w)
{
	struct past *p = arena_alloc(sizeof(*p));

	p->next = w->past;
	w->past = p;
	state.kept++;
	return p;
}

static void access_watched(struct watched *w, uint64_t address, uint64_t size, uint32_t flags,
                           const struct omen_site *site, const void *frame)
{
	uint32_t bytes = watch_bytes(w, address, size);
	uint32_t segment = clock_segment() | (flags & ACCESS_ATOMIC ? 1 : 0);

	struct past *now = bytes ? same_before(w, segment, bytes, flags, site) : NULL;
	if (now && now->segment == segment)
		now->last = number_of(w, site);
	if (!bytes || (now && now->segment == segment) || (!now && state.kept == PASTS))
		return;         /* it would add nothing new */
	state.unsettled = NULL; /* of a write to several watched places only the last gets its value */
	state.told = omen.board->nraces;
	if (!now)
		now = new_past(w);
	now->segment = segment;
	now->bytes = bytes;
	now->fiber = omen.current->id;
	now->touch = now->last = number_of(w, site);
	describe(&now->access, address, size, flags, site);
	take_stack(now, frame);
	now->access.event = OP(EXPLAINED, .object = &now->access);
	for (const struct past *p = w->past; p; p = p->next)
		if (p != now && conflict(p, now) && !clock_before(p->segment))
			add_race(w, p, now);
	if (flags & ACCESS_WRITE && !(flags & ACCESS_FREE))
		state.unsettled = now;
}

static void see_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	settle();
	for (struct watched *w = watch_first(address, size); w; w = watch_next(w, address, size)) {
		uint32_t bytes = watch_bytes(w, address, size);
		if (bytes)
			note_touch(w, address, bytes, flags, site);
		access_watched(w, address, size, flags, site, __builtin_frame_address(0));
		set_settling(true); /* the next access of any kind calls settle() */
	}
}

void explain_settle(void) { settle(); }

/* ---- what surrounds the accesses ---- */

static void forget(uint64_t address, uint64_t size)
{
	settle();
	for (struct watched *w = watch_first(address, size); w; w = watch_next(w, address, size))
		w->past = NULL;
}

static void see_allocation(uint64_t address, uint64_t size)
{
	if (!watch_first(address, size))
		return;
	struct allocation *a = arena_alloc(sizeof(*a));
	a->address = address;
	a->size = size;
	ending_stack(&a->stack);
	a->next = state.allocations;
	state.allocations = a;
}

static void see_thread(const struct fiber *f)
{
	struct board *b = omen.board;

	if (b->nthreads == BOARD_THREADS)
		return;
	struct board_thread *t = &b->threads[b->nthreads++];
	t->fiber = f->id;
	t->creator = omen.current->id;
	t->created = state.creation;
}

static void see_creating(void) { ending_stack(&state.creation); }

void explain_sweep(uint64_t *kept)
{
	for (const struct watched *w = watch_from(0); w < watch_end(); w++)
		for (struct past *p = w->past; p; p = p->next)
			p->segment = clock_sweep(p->segment, kept);
}

/* ---- the observer ---- */

static uint64_t hear(const struct op *op)
{
	uint64_t address = (uint64_t)op->object;

	switch (op->kind) {
	case OP_KIND_ACCESS:
	case OP_KIND_OBJECT_ACCESS:
		if (!mode_is(DETECT))
			return 0;
		see_access(address, op->size, op->flags, op->site);
		return 1;
	case OP_KIND_BORN:
		forget(address, op->size);
		return 0;
	case OP_KIND_ALLOCATED:
		see_allocation(address, op->size);
		return 0;
	case OP_KIND_CREATING:
		see_creating();
		return 0;
	case OP_KIND_CREATED:
		see_thread(op->fiber);
		return 0;
	case OP_KIND_UNMAPS:
		settle();
		return 0;
	default:
		return 0;
	}
}

const struct observer explain_observer = {.name = "explain",
                                          .mode = MODE(EXPLAIN),
                                          .op = hear,
                                          .hears = {HEARS(ACCESS), HEARS(OBJECT_ACCESS), HEARS(BORN), HEARS(ALLOCATED),
                                                    HEARS(CREATING), HEARS(CREATED), HEARS(UNMAPS)}};
