/* What the reference has recorded of the execution, for the comparison in reference_compare.c. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "differential.h"

enum {
	EVENTS = 4 * THREADS * OPS,
	REGIONS = THREADS * OPS + 32,
	ROUNDS = 16,
	NOBODY = 255,
	MODELS = 2,
};

struct clock {
	uint32_t of[THREADS];
};

/* A store to an atomic variable. */
struct store {
	int previous; /* index in the modification order, -1: it is the first */
	uint8_t thread;
	bool rmw;
	bool plain;          /* a plain store */
	struct clock before; /* what happens before a reader that synchronises with the sequence that it heads */
};

/* Memory from one allocation to the next. */
struct region {
	char *base;
	unsigned size;
	int area;
};

struct access {
	int region;
	unsigned offset, size;
	bool write, atomic;
	uint8_t thread;
	uint32_t tick;
	int event;
};

struct race {
	int first, second; /* accesses */
};

/* One reading of the standard. */
struct model {
	/*
	 * Does a plain write to an atomic variable leave its release sequence intact? And does free order the
	 * next malloc of the memory, as 7.22.3 says? No detector wants that: races would depend on the allocator's
	 * choices.
	 */
	bool lenient;
	struct clock now[THREADS], release_fence[THREADS], acquire_fence[THREADS];
	struct clock lock[LOCKS], readers, semaphore[SEMAPHORES], once[ONCES], begin[THREADS], end[THREADS];
	struct clock round[BARRIERS][ROUNDS];
	int last[CELLS]; /* the newest store, -1: none */
	struct store store[EVENTS];
	int stores;
	struct clock freed[REGIONS];
	struct race *race[REGIONS]; /* by byte; first == second: none */
};

struct event {
	uint8_t thread, op; /* op NOBODY: the beginning or end of the thread */
	uint64_t seen;
	const char *what;
};

extern struct model models[MODELS];
extern struct region region[REGIONS];
extern int regions;
extern struct access access_[EVENTS];
extern int accesses;
extern bool *conflict[REGIONS]; /* by byte: two threads used it, at least one to write; it may race */
extern struct event event[EVENTS];
extern int events;

/* The options -v, -m and -o. */
extern bool talks, merging;
extern const char *statistics;

/* Does the access contain the byte? */
bool uses(const struct access *a, const char *byte);

#endif
