/* The edges of happens-before: what synchronisation operations teach fibers of each other. */
#ifndef OMEN_HAPPENS_BEFORE_H
#define OMEN_HAPPENS_BEFORE_H

#include "rt/shadow/above.h"
#include "rt/core/rt.h"

/* None of these does anything while the running fiber is alone and knows everything. */

/* Who acquires `key` later knows what the running fiber knows now: this alone, or besides what others released. */
void order_release(const void *key);
void order_release_too(const void *key);
void order_acquire(const void *key);

/* A key that is no address: for what the kernel keeps. */
#define ORDER_KEY(n)  ((const void *)(1ul << 63 | (uint64_t)(n)))
#define ORDER_SOCKETS ORDER_KEY(1) /* inodes of pipes are larger */
#define ORDER_OTHERS  ORDER_KEY(2) /* event counters, timers, signals, epoll, terminals */
#define ORDER_ANY     ORDER_KEY(3) /* what any descriptor that is ready may stand for */
#define ORDER_TIMERS  ORDER_KEY(4) /* who sets a timer is before what it does */
#define ORDER_LOADER  ORDER_KEY(5) /* the dynamic linker's lock */
#define ORDER_FULL    (1ul << 62)  /* of a pipe: who makes room for who waits for it */

/* Reader-writer locks: readers know of writers, writers of both. */
void order_reader_releases(const void *key);
void order_writer_acquires(const void *key);

/* Barriers: who leaves a round knows of all who came to it. Arriving returns the round, to be left later. */
struct round;
void order_barrier(const void *key, uint32_t count);
struct round *order_arrive(const void *key);
void order_leave(struct round *r);

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
static inline bool order_acquires(int order) { return order != RELAXED && order != RELEASE; }
static inline bool order_releases(int order) { return order >= RELEASE; }
/* A store of the running fiber heads a release sequence: by its order, or by a fence before it. */
bool order_heads_one(int order);

/* Atomics whose newest value is what everybody sees; an update is told as a load first, and then as an update. */
bool order_load(const void *key, int order); /* false: the same once more would change nothing */
void order_store(const void *key, int order);
void order_update(const void *key, int order);
void order_fence(int order);

/* The heads of the release sequences that a store belongs to: of each fiber that has one, what it knew. */
struct head {
	struct head *next;
	uint32_t fiber;
	uint64_t event; /* the last release of it: timeline_record.h */
	struct clock *clock;
};
/* Where store_history.c keeps what it knows of an atomic location. */
struct location;
struct location **order_location(const void *key);
/* The running fiber reads the store; and then, when nothing is under way any more: it may know everything now. */
void order_read(const struct head *heads, int order);
void order_learnt(void);
/* The running fiber's store may head one itself. */
void order_head(const void *key, struct head **heads, int order);
/* A store goes on with the sequences of another one: all, or those of one fiber. */
#define ALL_FIBERS BOARD_NOBODY
void order_continue(struct head **to, const struct head *from, uint32_t fiber);
/* They end, but not those of one fiber. */
void order_end_heads(struct head **heads, uint32_t but);

/* A fiber has ended; one has been joined (by its pthread_t). */
void order_ended(const struct fiber *f);
void order_joined(const void *thread);

/* The running fiber is ordered after all that another has done so far. */
void order_after(struct fiber *f);

#endif
