#include "rt/shadow/overflow.h"

#include <string.h>

#include "rt/core/pool.h"

#define FIRST_ROOM 256 /* one page, because every execution of an exploration makes the table anew */

struct hashed {
	uint64_t address; /* 0: free */
	uint32_t link;    /* 0: not used any more, but a search goes on behind it */
};

#define PIECE (1ul << 21)

static struct {
	bool is_hashed;
	/*
	 * A bit for each 2 MB of memory, by its number modulo 4096: clear if no link was ever made there.  A new stack
	 * is searched for links, and has none: this makes the search fast.
	 */
	uint64_t pieces[64];
	struct hashed *at;
	uint32_t n, room; /* room: a power of two */
} state;

void overflow_start(bool hashed) { state.is_hashed = hashed; }

/* ---- links in the hash table ---- */

static struct hashed *place_of(uint64_t address)
{
	uint32_t i = (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15u >> 32);

	while (state.at[i & (state.room - 1)].address && state.at[i & (state.room - 1)].address != address)
		i++;
	return &state.at[i & (state.room - 1)];
}

static void grow(void)
{
	struct hashed *old = state.at;
	uint32_t room = state.room;

	state.room = room ? 4 * room : FIRST_ROOM;
	state.at = pool_alloc(state.room * sizeof(*state.at));
	memset(state.at, 0, state.room * sizeof(*state.at));
	state.n = 0;
	for (uint32_t i = 0; i < room; i++) {
		if (!old[i].link)
			continue;
		*place_of(old[i].address) = old[i];
		state.n++;
	}
	if (old)
		pool_free(old, room * sizeof(*old));
}

static uint32_t *use_hashed(uint64_t address)
{
	if (4 * state.n >= 3 * state.room)
		grow();
	struct hashed *e = place_of(address);
	if (!e->address) {
		e->address = address;
		state.n++;
	}
	return &e->link;
}

static void visit_hashed(uint64_t low, uint64_t high, void (*visit)(uint64_t address, void *arg), void *arg)
{
	if ((high - low) / 8 < state.n) {
		for (uint64_t at = low & ~7ul; at < high; at += 8)
			if (overflow_find(at))
				visit(at, arg);
		return;
	}
	for (uint32_t i = 0; i < state.room; i++)
		if (state.at[i].link && state.at[i].address + 8 > low && state.at[i].address < high)
			visit(state.at[i].address, arg);
}

/* ---- both kinds ---- */

uint32_t *overflow_find(uint64_t address)
{
	if (!state.is_hashed)
		return overflow_is_used(address) ? overflow_place(address) : NULL;
	if (!state.room)
		return NULL;
	struct hashed *e = place_of(address);
	return e->link ? &e->link : NULL;
}

uint32_t *overflow_use(uint64_t address)
{
	if (state.is_hashed)
		return use_hashed(address);
	overflow_mark(address);
	state.pieces[address / PIECE / 64 % 64] |= 1ul << address / PIECE % 64;
	return overflow_place(address);
}

void overflow_leave(uint64_t address)
{
	if (!state.is_hashed && !*overflow_place(address))
		((uint8_t *)BITS)[address >> 6] &= (uint8_t)~(1u << (address >> 3 & 7));
}

static bool may_have_links(uint64_t address)
{
	return state.pieces[address / PIECE / 64 % 64] >> address / PIECE % 64 & 1;
}

void overflow_visit(uint64_t low, uint64_t high, void (*visit)(uint64_t address, void *arg), void *arg)
{
	if (state.is_hashed) {
		visit_hashed(low, high, visit, arg);
		return;
	}
	for (uint64_t at = low & ~511ul; at < high; at += 512) {
		if (!may_have_links(at)) {
			at |= PIECE - 512;
			continue;
		}
		uint64_t bits = *(const uint64_t *)(BITS + (at >> 6));
		for (; bits; bits &= bits - 1) {
			uint64_t address = at + (uint64_t)__builtin_ctzl(bits) * 8;
			if (address + 8 > low && address < high)
				visit(address, arg);
		}
	}
}
