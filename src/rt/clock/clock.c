/*
 * Vector clocks after FastTrack.  A fiber's own entry is the epoch of its last segment that has accesses: a segment
 * begins only when there is an access to put into it, so releases in a row use up no ids.
 *
 * A slot is an index into all clocks.  A new fiber takes over the slot of an ended fiber if its creator knows of that
 * fiber's end.  Then everyone who learns of the new fiber knows of the old one too, and the two cannot be confused.
 */
#include "rt/clock/clock.h"

#include <string.h>
#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/arena.h"
#include "rt/core/pool.h"
#include "rt/clock/above.h"
#include "rt/core/text.h"

#define MAX_SLOTS 65536
#define PAST      256

static struct {
	uint32_t *last; /* by slot: the last epoch that an ended fiber used there */
	bool *taken;
	uint32_t slots;
	uint32_t next;       /* the next granule of segment ids to hand out */
	uint32_t past[PAST]; /* cache: segments that all live fibers know of, by id modulo PAST */
	uint64_t *kept;      /* after a sweep: a bit for each granule that is still in use */
} state;

/* ---- clocks ---- */

static size_t bytes_for(uint32_t room) { return sizeof(struct clock) + room * sizeof(uint32_t); }

static void make_room(struct clock **c, uint32_t n)
{
	struct clock *old = *c;
	uint32_t room = 6;

	if (old && old->room >= n)
		return;
	while (room < n)
		room = 2 * room + 2; /* with the header this makes powers of two */
	struct clock *bigger = pool_alloc(bytes_for(room));
	memset(bigger, 0, bytes_for(room));
	bigger->room = room;
	if (old) {
		bigger->n = old->n;
		memcpy(bigger->at, old->at, old->n * sizeof(*old->at));
		clock_drop(c);
	}
	*c = bigger;
}

void clock_join(struct clock **to, const struct clock *from)
{
	if (!from)
		return;
	make_room(to, from->n);
	struct clock *c = *to;
	for (uint32_t i = 0; i < from->n; i++)
		if (c->at[i] < from->at[i])
			c->at[i] = from->at[i];
	if (c->n < from->n)
		c->n = from->n;
}

void clock_copy(struct clock **to, const struct clock *from)
{
	if (!from) {
		clock_drop(to);
		return;
	}
	make_room(to, from->n);
	struct clock *c = *to;
	if (c->n > from->n)
		memset(c->at + from->n, 0, (c->n - from->n) * sizeof(*c->at));
	memcpy(c->at, from->at, from->n * sizeof(*c->at));
	c->n = from->n;
}

void clock_note(struct clock **c, const struct order *o)
{
	make_room(c, o->slot + 1);
	if ((*c)->n <= o->slot)
		(*c)->n = o->slot + 1;
	(*c)->at[o->slot] = o->clock->at[o->slot];
}

void clock_drop(struct clock **c)
{
	if (*c)
		pool_free(*c, bytes_for((*c)->room));
	*c = NULL;
}

/* ---- fibers ---- */

static void reserve(void)
{
	long at = raw6(SYS_mmap, SEGMENTS_ADDRESS, SEGMENTS_SIZE, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != (long)SEGMENTS_ADDRESS)
		text_die("cannot reserve memory for segments (error %ld)", -at);
	state.next = 1; /* id 0 belongs to no fiber */
}

static bool knows(const struct clock *c, uint32_t slot)
{
	return c && slot < c->n ? c->at[slot] >= state.last[slot] : !state.last[slot];
}

static uint32_t take_slot(const struct clock *maker)
{
	uint32_t slot = 0;

	while (slot < state.slots && (state.taken[slot] || !knows(maker, slot)))
		slot++;
	if (slot == MAX_SLOTS)
		text_die("more than %d threads that ended without being joined", MAX_SLOTS);
	if (slot == state.slots)
		state.slots++;
	state.taken[slot] = true;
	return slot;
}

void clock_fiber_begins(struct fiber *f)
{
	const struct clock *maker = omen.current ? omen.current->order.clock : NULL;

	if (!state.last) {
		state.last = arena_alloc(MAX_SLOTS * sizeof(*state.last));
		state.taken = arena_alloc(MAX_SLOTS * sizeof(*state.taken));
		reserve();
	}
	f->order = (struct order){.slot = take_slot(maker)};
	clock_copy(&f->order.clock, maker);
	make_room(&f->order.clock, f->order.slot + 1);
	struct clock *c = f->order.clock;
	if (c->n <= f->order.slot)
		c->n = f->order.slot + 1;
	c->at[f->order.slot] = state.last[f->order.slot];
	if (omen.current)
		clock_release();
}

void clock_fiber_ends(struct fiber *f)
{
	state.last[f->order.slot] = f->order.clock->at[f->order.slot];
	state.taken[f->order.slot] = false;
	clock_drop(&f->order.clock);
	clock_drop(&f->order.release_fence);
	clock_drop(&f->order.acquire_fence);
	clock_drop(&f->order.sc_fences);
	clock_drop(&f->order.sc_stores);
}

bool clock_solo(void)
{
	const struct order *o = &omen.live[0]->order;

	if (omen.nlive != 1)
		return false;
	for (uint32_t slot = 0; slot < state.slots; slot++)
		if (slot != o->slot && !knows(o->clock, slot))
			return false;
	return true;
}

/* ---- segments ---- */

/* A new fiber knows what its creator knows.  So what all live fibers know, all future ones will know too. */
bool clock_is_past(uint32_t id)
{
	if (state.past[id % PAST] == id)
		return true;
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (!clock_knows(omen.live[i]->order.clock, id))
			return false;
	state.past[id % PAST] = id;
	return true;
}

#define USABLE (GRANULES - 1) /* the last granule has the id of OMEN_NO_STAMP */

/*
 * All ids are used up, after millions of releases.  Granules whose accesses can no longer race with anything are used
 * again.  A fiber that learnt nothing for all that time keeps its own granules in use.
 */
static COLD void sweep(void)
{
	if (!state.kept)
		state.kept = arena_alloc(GRANULES / 8);
	memset(state.kept, 0, GRANULES / 8);
	if (!shadow_sweep(state.kept))
		text_die("cannot look through the memory that races were looked for in (/proc/self/pagemap)");
	store_history_sweep(state.kept);
	explain_sweep(state.kept);
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->order.end_pair)
			clock_keep(2 * (omen.live[i]->order.end_pair - 1), state.kept);
	memset(state.past, 0, sizeof(state.past));
	state.next = 1;
}

static uint32_t new_granule(void)
{
	for (int sweeps = 0; sweeps < 2; sweeps++) {
		while (state.kept && state.next < USABLE && state.kept[state.next / 64] >> state.next % 64 & 1)
			state.next++;
		if (state.next < USABLE)
			return state.next++;
		sweep();
	}
	text_die("more accesses that can still race than can be told apart");
}

static void take_granule(struct order *o)
{
	uint32_t granule = new_granule();

	o->pair = granule * GRANULE_PAIRS;
	o->end_pair = o->pair + GRANULE_PAIRS;
	((struct granule *)SEGMENTS_ADDRESS)[granule] =
	        (struct granule){.epoch = o->clock->at[o->slot] + 1, .slot = o->slot, .fiber = omen.current->id};
}

uint32_t clock_open_segment(void)
{
	struct order *o = &omen.current->order;

	if (o->pair == o->end_pair)
		take_granule(o);
	if (++o->clock->at[o->slot] == UINT32_MAX)
		text_die("T%u has released more often than can be counted", omen.current->id);
	o->segment = 2 * o->pair++;
	clock_stamp();
	return o->segment;
}

void clock_release(void)
{
	omen.current->order.segment = 0;
	clock_stamp();
}

void clock_release_all(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		omen.live[i]->order.segment = 0;
	clock_stamp();
}
