/*
 * The edges of happens-before: what fibers learn of each other by synchronisation.  In: releases and acquires, by the
 * address of an object or by another key.  Out: the clocks of fibers.  For the interposers in rt/threads, for
 * rt/atomics, rt/kernel, rt/fibers and other modules that synchronise threads.
 */
#ifndef OMEN_HAPPENS_BEFORE_H
#define OMEN_HAPPENS_BEFORE_H

#include "rt/shadow/above.h"
#include "rt/core/rt.h"

/* None of these does anything while the running fiber is alone and knows of everything. */

/*
 * order_release: a fiber that acquires `key` later learns what the running fiber knows now; this replaces what was
 * released before.  order_release_too: this is added to what was released before.
 */
void order_release(const void *key);
void order_release_too(const void *key);
void order_acquire(const void *key);

/* Keys that are no addresses, for objects in the kernel. */
#define ORDER_KEY(n)  ((const void *)(1ul << 63 | (uint64_t)(n)))
#define ORDER_SOCKETS ORDER_KEY(1) /* no clash: inodes of pipes are larger */
#define ORDER_OTHERS  ORDER_KEY(2) /* event counters, timers, signals, epoll, terminals */
#define ORDER_ANY     ORDER_KEY(3) /* what a ready descriptor of any kind may mean */
#define ORDER_TIMERS  ORDER_KEY(4) /* setting a timer happens before its effect */
#define ORDER_LOADER  ORDER_KEY(5) /* the dynamic linker's lock */
#define ORDER_FULL    (1ul << 62)  /* of a pipe: from a fiber that makes room to one that waits for room */

/* Reader-writer locks: readers learn from writers, writers learn from readers and writers. */
void order_reader_releases(const void *key);
void order_writer_acquires(const void *key);

/* Barriers: a fiber that leaves a round learns from all that arrived.  order_arrive() returns the round, to be left. */
struct round;
void order_barrier(const void *key, uint32_t count);
struct round *order_arrive(const void *key);
void order_leave(struct round *r);

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
static inline bool order_acquires(int order) { return order != RELAXED && order != RELEASE; }
static inline bool order_releases(int order) { return order >= RELEASE; }
/* Does a store of the running fiber head a release sequence, by its order or by a fence before it? */
bool order_heads_one(int order);

/* Atomics whose loads see the newest value only.  For an update call order_load() first, then order_update(). */
bool order_load(const void *key, int order); /* false: the same load once more would change nothing */
void order_store(const void *key, int order);
void order_update(const void *key, int order);
void order_fence(int order);

/* The heads of the release sequences that a store belongs to: for each fiber that has one, what it knew. */
struct head {
	struct head *next;
	uint32_t fiber;
	uint64_t event; /* its last release: timeline_record.h */
	struct clock *clock;
};
/* The place where store_history.c keeps what it knows of an atomic location. */
struct location;
struct location **order_location(const void *key);
/*
 * order_read: the running fiber reads the store.  order_learnt: call this after the operation; the fiber may know of
 * everything from here on.
 */
void order_read(const struct head *heads, int order);
void order_learnt(void);
/* The running fiber's store: it heads a sequence of its own if its order or a fence says so. */
void order_head(const void *key, struct head **heads, int order);
/* A store continues the sequences of another store: all of them, or those of one fiber. */
#define ALL_FIBERS BOARD_NOBODY
void order_continue(struct head **to, const struct head *from, uint32_t fiber);
/* Ends all sequences except those of the fiber `but`. */
void order_end_heads(struct head **heads, uint32_t but);

/* A fiber has ended; the running fiber has joined one (by its pthread_t). */
void order_ended(const struct fiber *f);
void order_joined(const void *thread);

/* All that `f` has done so far happens before what the running fiber does next. */
void order_after(struct fiber *f);

#endif
