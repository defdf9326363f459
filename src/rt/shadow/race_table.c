/*
 * A race is distinct by the sites and kinds of its two accesses.  The board collects races over all executions of a
 * worker.  The bytes that raced in this execution are those that an explaining replay watches (explain.c).
 */
#include "rt/shadow/race_table.h"

#include <string.h>

#include "rt/ending/ending.h"
#include "rt/core/pool.h"

#define FIRST_ROOM 64
#define CERTAIN    0xfful
#define POSSIBLE   0x100ul

/* ---- the bytes ---- */

static struct {
	struct board_watch *at; /* open addressing; address 0: free */
	uint32_t n, room;
} raced;

void race_start(void)
{
	if (raced.at)
		memset(raced.at, 0, raced.room * sizeof(*raced.at));
	raced.n = 0;
	if (!omen.board)
		return;
	omen.board->new_races = 0;
	if (omen.board->config.detect != DETECT_EXPLAIN)
		omen.board->nwatched = omen.board->npossible = omen.board->watches_lost = 0;
	omen.board->nthreads = 0;
}

static struct board_watch *raced_at(uint64_t address)
{
	uint32_t i = (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15u >> 40) & (raced.room - 1);

	while (raced.at[i].address && raced.at[i].address != address)
		i = (i + 1) & (raced.room - 1);
	return &raced.at[i];
}

static void make_room(void)
{
	struct board_watch *old = raced.at;
	uint32_t room = raced.room;

	if (2 * raced.n < room)
		return;
	raced.room = room ? 2 * room : FIRST_ROOM;
	raced.at = pool_alloc(raced.room * sizeof(*raced.at));
	memset(raced.at, 0, raced.room * sizeof(*raced.at));
	for (uint32_t i = 0; i < room; i++)
		if (old[i].address)
			*raced_at(old[i].address) = old[i];
	if (old)
		pool_free(old, room * sizeof(*old));
}

/* The bytes on the board stand in the order of their appearance.  They are few, so a linear search finds them. */
static void watch_on_board(uint64_t address, uint64_t bytes, bool known)
{
	struct board *b = omen.board;
	uint32_t i = b->nwatched;

	if (known)
		for (i = 0; i < b->nwatched && b->watched[i].address != address;)
			i++;
	if (i == BOARD_WATCHES) {
		b->watches_lost++;
		return;
	}
	b->watched[i].address = address;
	b->watched[i].bytes = bytes;
	if (i == b->nwatched)
		b->nwatched++;
}

/* `bytes`: those that raced, and from bit POSSIBLE on those that may have raced. */
static void note_bytes(uint64_t address, uint64_t bytes)
{
	make_room();
	struct board_watch *w = raced_at(address);
	bool known = w->address, certain = w->bytes & CERTAIN;
	uint64_t all = w->bytes | bytes;

	if (all == w->bytes)
		return;
	*w = (struct board_watch){address, all};
	if (!known)
		raced.n++;
	omen.board->npossible += (uint32_t)(!(all & CERTAIN) - (known && !certain));
	if (omen.board->config.detect != DETECT_EXPLAIN)
		watch_on_board(address, (all | all / POSSIBLE) & CERTAIN, known);
}

/* ---- bytes that the program declares benign ---- */

static struct {
	struct extent {
		uint64_t low, high;
	} *at;
	uint32_t n, room;
} benign;

void race_is_benign(uint64_t address, uint64_t size)
{
	if (!omen.board || !size)
		return;
	if (benign.n == benign.room) {
		struct extent *old = benign.at;
		benign.at = pool_alloc(2 * (benign.room + 8) * sizeof(*old));
		if (old) {
			memcpy(benign.at, old, benign.n * sizeof(*old));
			pool_free(old, benign.room * sizeof(*old));
		}
		benign.room = 2 * (benign.room + 8);
	}
	benign.at[benign.n++] = (struct extent){address, address + size};
}

void race_forget_benign(uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < benign.n;)
		if (benign.at[i].low < high && low < benign.at[i].high)
			benign.at[i] = benign.at[--benign.n];
		else
			i++;
}

/* Those of the 8 bytes that the program has not declared benign. */
static uint32_t unknown_bytes(uint64_t address, uint32_t bytes)
{
	for (uint32_t i = 0; i < benign.n && bytes; i++)
		for (uint64_t k = 0; k < 8; k++)
			if (address + k - benign.at[i].low < benign.at[i].high - benign.at[i].low)
				bytes &= ~(1u << k);
	return bytes;
}

void race_possible(uint64_t address, uint32_t bytes)
{
	if (omen.board->config.detect && (bytes = unknown_bytes(address, bytes)))
		note_bytes(address, bytes * POSSIBLE);
}

static bool is_noted(const volatile void *address, uint64_t size, uint64_t what)
{
	uint64_t low = (uint64_t)address, high = low + size;

	for (uint64_t at = low; raced.n && at < high; at++)
		if (raced_at(at & ~7ul)->bytes >> (at & 7) & what)
			return true;
	return false;
}

EXPORT int omen_raced(const volatile void *address, unsigned long size) { return is_noted(address, size, 1); }
/* For tests. */
EXPORT int omen_may_have_raced(const volatile void *address, unsigned long size)
{
	return is_noted(address, size, 1 | POSSIBLE);
}

/* ---- races on the board ---- */

static bool same(const struct board_access *a, const struct board_access *b)
{
	return a->site == b->site && !((a->flags ^ b->flags) & ~(uint32_t)ACCESS_HAS_VALUE) &&
	       /* two accesses without a site are told apart by their code */
	       (a->site || a->stack.pc[0] == b->stack.pc[0]);
}

/*
 * An index of the board's races in the runtime's own memory: an execution begins without it, and most need none. 0:
 * free, otherwise the number of the race plus 1.
 */
#define INDEX (2 * BOARD_RACES)

static struct {
	uint16_t at[INDEX];
	uint32_t n; /* races in it */
} indexed;

static uint64_t key_of(const struct board_access *a)
{
	uint64_t h = a->site ? a->site : a->stack.pc[0];
	return (h + (a->flags & ~(uint32_t)ACCESS_HAS_VALUE)) * 0x9e3779b97f4a7c15u;
}

static uint16_t *place_of(const struct board_access *x, const struct board_access *y)
{
	uint32_t i = (uint32_t)((key_of(x) + key_of(y)) >> 40);

	for (;; i++) {
		uint16_t *at = &indexed.at[i % INDEX];
		const struct board_race *b = &omen.board->races[*at - 1];
		if (!*at || (same(&b->access[0], x) && same(&b->access[1], y)) ||
		    (same(&b->access[0], y) && same(&b->access[1], x)))
			return at;
	}
}

static struct board_race *find(const struct board_access *past, const struct board_access *now)
{
	for (; indexed.n < omen.board->nraces; indexed.n++) {
		const struct board_race *b = &omen.board->races[indexed.n];
		*place_of(&b->access[0], &b->access[1]) = (uint16_t)(indexed.n + 1);
	}
	uint16_t at = *place_of(past, now);
	return at ? &omen.board->races[at - 1] : NULL;
}

struct board_race *race_known(const struct board_access *past, const struct board_access *now)
{
	return find(past, now);
}

struct board_race *race_entry(const struct board_access *past, const struct board_access *now)
{
	struct board *b = omen.board;
	struct board_race *known = find(past, now);

	if (known) {
		known->instances++;
		known->executions += known->last != b->result.seed;
		known->last = b->result.seed;
	} else if (b->nraces == BOARD_RACES)
		b->races_lost++;
	if (known || b->nraces == BOARD_RACES)
		return NULL;
	struct board_race *new = &b->races[b->nraces++];
	memset(new, 0, sizeof(*new));
	new->access[0] = *past;
	new->access[1] = *now;
	new->seed = b->result.seed;
	new->last = b->result.seed;
	new->instances = new->executions = 1;
	new->in_stack_of = BOARD_NOBODY;
	new->hidden = omen.hidden || (omen.libomp && !omen.told_low);
	b->new_races = 1;
	return new;
}

void race_found(const struct race *r)
{
	struct board_access past = {.site = (uint64_t)r->past_site, .flags = r->past_flags};
	struct board_access now = {.site = (uint64_t)r->site, .flags = r->flags};

	uint32_t bytes = unknown_bytes(r->address, r->bytes);

	if (!omen.board->config.detect || !bytes) /* detection off: it runs for the C11 memory model only */
		return;
	note_bytes(r->address, bytes);
	past.stack.fiber = r->past_fiber;
	if (!r->site || !find(&past, &now))
		ending_stack(&now.stack);
	struct board_race *b = race_entry(&past, &now);
	if (!b)
		return;
	b->address = b->access[1].address = r->address + (uint64_t)__builtin_ctz(bytes);
}
