/*
 * A random program: what its threads do, as data.  generate.c makes it, program.c executes it under the detector, and
 * reference.c is informed of every operation and computes which bytes raced.
 */
#ifndef DIFFERENTIAL_H
#define DIFFERENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	THREADS = 6,
	OPS = 96, /* of one thread, at most */
	BUFFER_SIZE = 64,
	SLOTS = 3,       /* places through which threads pass heap blocks to each other */
	LOCAL_SIZE = 32, /* of each thread's own memory, which the other threads use too */
	CELLS = 16,      /* atomic variables */
	MUTEXES = 2,
	SEMAPHORES = 2,
	CONDS = 2,
	BARRIERS = 2,
	ONCES = 2,
};

/* Memory that is compared. */
enum area {
	AREA_BUFFER,
	AREA_ATOMICS,                   /* accessed only atomically */
	AREA_HEAP,                      /* one for each slot */
	AREA_LOCAL = AREA_HEAP + SLOTS, /* one for each thread: on its stack, or thread-local */
	AREAS = AREA_LOCAL + THREADS
};

/* Locks by number. A thread that holds one waits only for higher ones (it only tries lower ones), so nobody deadlocks. */
enum lock { LOCK_MUTEX, LOCK_RECURSIVE = LOCK_MUTEX + MUTEXES, LOCK_C11, LOCK_SHARED, LOCK_SPIN, LOCKS };

#define OP_KINDS(X)                                                                                                    \
	X(READ, "read")                                                                                                \
	X(WRITE, "write")                                                                                              \
	X(COPY, "memcpy")                                                                                              \
	X(MOVE, "memmove")                                                                                             \
	X(SET, "memset")                                                                                               \
	X(LOAD, "atomic load")                                                                                         \
	X(STORE, "atomic store")                                                                                       \
	X(RMW, "atomic rmw")                                                                                           \
	X(CAS, "cas")                                                                                                  \
	X(FENCE, "fence")                                                                                              \
	X(LOCK, "lock")                                                                                                \
	X(TRYLOCK, "trylock")                                                                                          \
	X(TIMEDLOCK, "timedlock")                                                                                      \
	X(UNLOCK, "unlock")                                                                                            \
	X(SIGNAL, "signal")                                                                                            \
	X(BROADCAST, "broadcast")                                                                                      \
	X(WAIT, "timed wait")                                                                                          \
	X(POST, "post")                                                                                                \
	X(TRYWAIT, "trywait")                                                                                          \
	X(TIMEDWAIT, "timedwait")                                                                                      \
	X(BARRIER, "barrier")                                                                                          \
	X(ONCE, "once")                                                                                                \
	X(SPAWN, "spawn")                                                                                              \
	X(JOIN, "join")                                                                                                \
	X(MALLOC, "malloc")                                                                                            \
	X(FREE, "free")                                                                                                \
	X(SLEEP, "sleep")

enum op_kind {
#define X(id, name) OP_##id,
	OP_KINDS(X)
#undef X
	        OP_END
};

struct op {
	uint8_t kind;
	uint8_t area, offset;    /* the memory used or written ... */
	uint8_t from_area, from; /* ... and read, by a copy */
	uint8_t size;
	uint8_t form;           /* which of several ways to do this operation */
	uint8_t order, failure; /* memory orders as in __ATOMIC_* */
	uint8_t object;         /* number of the lock, semaphore, condition, barrier, once, thread */
	uint8_t cell;           /* number of the atomic variable */
	uint8_t value;          /* to store, to compare with, microseconds to wait; for a lock: to read */
	uint8_t under;          /* only while holding the lock under - 1 */
	uint8_t if_seen;        /* only if the thread's last atomic read saw a nonzero value */
	uint16_t key;           /* generate.c: its position in its thread */
};

struct cell {
	uint8_t area, offset, size;
};

struct program {
	uint64_t seed;
	int threads;
	int ops[THREADS];
	struct op op[THREADS][OPS];
	int cells;
	struct cell cell[CELLS];
	unsigned size[AREAS];
	bool detached[THREADS];
	int meets[BARRIERS]; /* how many threads meet at it */
};

extern struct program program;

void generate(uint64_t seed);

/* What program.c asks reference.c. Nothing here is a scheduling point. */

/* The options that follow the seed (reference.c lists them). */
void reference_start(int options, char **option);
/* The thread's next operation, which it then does; false at its end. */
bool reference_next(int self, struct op *op);
/* The memory of an area if it exists; it stays until it is unpinned. */
char *reference_pin(int area);
void reference_unpin(int area);
/* Reserves an empty slot for a new block; empties a full one. */
bool reference_reserve(int slot);
char *reference_take(int self, int slot);
bool reference_holds(int self, int lock);
bool reference_in_order(int self, int lock); /* may the thread wait for the lock? */
bool reference_holds_only(int self, int lock);
bool reference_spawned(int thread);
int reference_running(void);

/* What program.c reports: after an access, after an acquire operation, before a release operation. */

void note_begin(int self, char *local);
/* False while another thread uses the thread's memory: sleep, and try again. */
bool note_end(int self);
void note_access(int self, int area, unsigned offset, unsigned size, bool write);
void note_atomic(int self, uint64_t seen, bool success);
void note_fence(int self);
void note_lock(int self, int lock, bool to_read, bool taken);
void note_unlock(int self, int lock);
void note_release_to_wait(int self, int lock);
void note_waited(int self, int lock, bool signalled);
void note_post(int self, int semaphore);
void note_waited_semaphore(int self, int semaphore, bool taken);
void note_arrive(int self, int barrier);
void note_depart(int self, int barrier);
void note_once_done(int self, int once);
void note_once(int self, int once);
void note_spawn(int self, int child);
void note_joined(int self, int child);
void note_malloc(int self, int slot, char *block);
void note_other(int self);

/* The end of the execution: compares, and aborts with a full account if there is a difference. */
void reference_compare(void);

#endif
