#include "rt/shadow/watch.h"

#include "rt/core/arena.h"
#include "rt/shadow/cells.h"

static struct {
	struct watched *at; /* sorted by address */
	uint32_t n;
} state;

void watch_start(void)
{
	const struct board *b = omen.board;
	uint32_t n = b->nwatched < BOARD_WATCHES ? b->nwatched : BOARD_WATCHES;

	state.at = arena_alloc((n + 1) * sizeof(*state.at));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = state.n++;
		for (; k > 0 && state.at[k - 1].address > b->watched[i].address; k--)
			state.at[k] = state.at[k - 1];
		state.at[k] =
		        (struct watched){.address = b->watched[i].address, .bytes = (uint32_t)b->watched[i].bytes};
		if (mode_is(EXPLAIN)) {
			cells_open();
			overflow_mark(b->watched[i].address);
		}
	}
}

struct watched *watch_from(uint64_t address)
{
	uint32_t low = 0, high = state.n;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (state.at[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return &state.at[low];
}

struct watched *watch_end(void) { return state.at + state.n; }

static struct watched *within(struct watched *w, uint64_t address, uint64_t size)
{
	return w < watch_end() && w->address < address + size ? w : NULL;
}

#define MOST_LOOKED_AT 1024 /* bytes: for a larger access the binary search is faster */

static bool may_be_within(uint64_t address, uint64_t size)
{
	if (!mode_is(EXPLAIN) || size > MOST_LOOKED_AT)
		return true;
	for (uint64_t at = address & ~63ul; at < address + size; at += 64)
		if (watch_near(at))
			return true;
	return false;
}

struct watched *watch_first(uint64_t address, uint64_t size)
{
	if (!may_be_within(address, size))
		return NULL;
	return within(watch_from(address & ~7ul), address, size);
}

struct watched *watch_next(struct watched *w, uint64_t address, uint64_t size) { return within(w + 1, address, size); }

uint64_t watch_late(const struct omen_site *site)
{
	const struct fiber *f = omen.current;
	uint64_t who = (uint64_t)site >> 2 ^ f->id * 0x9e3779b9ul;

	return 1ul << 52 | (who & 0xfffff) << 32 | (f->calls & UINT32_MAX);
}

uint32_t watch_bytes(const struct watched *w, uint64_t address, uint64_t size)
{
	uint64_t from = address > w->address ? address - w->address : 0;
	uint64_t to = address + size < w->address + 8 ? address + size - w->address : 8;

	return ((1u << to) - 1) & ~((1u << from) - 1) & w->bytes;
}
