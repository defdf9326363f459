/*
 * The program's memory that one call fills or takes, piece by piece.  In: a call, its arguments and its result.  Out:
 * the pieces, so that the recorder can copy them into the log and the replayer can fill them, and hashes of them.  Only
 * files of this room use it.
 */
#ifndef OMEN_CALL_MEMORY_H
#define OMEN_CALL_MEMORY_H

#include "rt/world/call_rules.h"

#define PIECES_MAX   4096 /* a vector has at most 1024, messages have some more: too much for a stack */
#define MESSAGES_MAX 1024

struct memory_piece {
	void *at;
	uint64_t size;
};

struct call_memory {
	struct memory_piece at[PIECES_MAX];
	uint32_t n;
	uint32_t length[OUTPUTS]; /* FILL_SIZED: what the program allows */
	struct {
		uint32_t name, control; /* the room for them in each message, before the call */
	} room[MESSAGES_MAX];
	uint64_t counters; /* FILL_COUNTERS: so many bytes */
	bool cut;          /* there are more than PIECES_MAX */
};

/* Before the call: notes the sizes that the call reads and changes. */
void call_memory_before(struct call_memory *m, const struct call_rule *r, const long arg[6]);
/* After it: adds what it has filled. */
void call_memory_after(struct call_memory *m, long nr, const struct call_rule *r, const long arg[6], long result);
/* One more piece; nothing if it is NULL or empty. */
void call_memory_add(struct call_memory *m, const void *at, uint64_t size);
uint64_t call_memory_size(const struct call_memory *m);

uint64_t call_memory_hash(const struct call_memory *m);
uint64_t world_hash_bytes(uint64_t h, const void *data, uint64_t size);

static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }

#endif
