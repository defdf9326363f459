/*
 * What an execution did that could have come in another order: for prediction (docs/design.md, "Prediction").  A first
 * replay finds the words of memory that several threads share, a second one writes down what happens to them, with
 * values, and all synchronisation.  Both stand where events stand otherwise (timeline_events.h), the words first.
 */
#ifndef OMEN_PREDICTION_LOG_H
#define OMEN_PREDICTION_LOG_H

#include <stdint.h>

enum history_mode {
	HISTORY_OFF,
	HISTORY_FIND, /* the words */
	HISTORY_KEEP, /* and what happens to them */
	HISTORY_MEET, /* another execution, in which turns end where board_turn says: STRATEGY_MEET */
};

enum history_kind {
	PAST_READ = 1, /* object: the address; size; value */
	PAST_WRITE,    /* value: what stands there then */
	PAST_FREE,     /* the word's block is freed: a write */
	PAST_BORN,     /* the word begins a new life: what was there has nothing to do with what comes */
	PAST_LOAD,     /* these five: atomic */
	PAST_STORE,
	PAST_UPDATE,  /* value: before, written: behind it */
	PAST_COMPARE, /* the same; what it does depends on what it sees */
	PAST_REFUTE,  /* one that has seen something else than it wanted */
	PAST_LOCK,    /* object: the lock; PAST_SHARED: for reading */
	PAST_UNLOCK,
	PAST_REFUSED, /* object: a lock or semaphore that was not to be had */
	PAST_WAIT,    /* object: the mutex, value: the condition */
	PAST_WAKE,    /* the same: it has the mutex again */
	PAST_SIGNAL,  /* object: the condition */
	PAST_BROADCAST,
	PAST_CREATE, /* object: the thread, value: its pthread_t */
	PAST_END,
	PAST_JOIN,   /* object: the pthread_t */
	PAST_ARRIVE, /* object: the barrier */
	PAST_LEAVE,
	PAST_POST, /* object: the semaphore, value: what it had before */
	PAST_TAKE,
	PAST_ONCE,  /* object: its control; the function has been run */
	PAST_ORDER, /* object: a key by which something else orders threads: pipes, signals, … */
};

enum {
	PAST_SHARED = 1,
	PAST_BRANCHED = 2,  /* a branch was taken since the thread's event before it */
	PAST_VALUE = 4,     /* value (and written) are known */
	PAST_FIXED = 8,     /* the address does not depend on what was read */
	PAST_BEFORE = 16,   /* a write: what stood there before is known */
	PAST_CONFINED = 32, /* PAST_READ: what is computed from it goes into what is fed, and nowhere else */
	PAST_FED = 64,      /* PAST_WRITE: it may be computed from confined reads */
	PAST_LET_OUT = 128, /* since the thread's event before it, what was confined got to where it is not seen */
};

struct past_event {
	uint32_t thread;
	uint8_t kind, flags, size, unused;
	uint64_t op;    /* of the thread: how many operations it had come to */
	uint64_t point; /* the scheduling point that came last */
	uint64_t object, value;
	union {
		uint64_t written; /* an update */
		uint64_t before;  /* a write */
	};
	uint64_t where; /* an access: its site, or 2 * address + 1 of code; 0: unknown */
};

#define PAST_WORDS (1u << 22)
#define PAST_MOST  (20u << 20)

/* HISTORY_MEET: where the two threads are when all turns but those of the accesses themselves were made. */
enum meeting { MEETING_NOT_YET, MEETING_THERE, MEETING_WAITS, MEETING_GONE, MEETING_ELSEWHERE };

/*
 * HISTORY_MEET: whose turn it is, and up to which of its operations: it stops before it.  UINT64_MAX: until it ends or
 * blocks.  A turn whose thread cannot run is passed over, but for one that only waits for time to pass: it does.
 */
struct board_turn {
	uint32_t thread;
	uint32_t waits; /* the turn ends where the thread waits */
	uint64_t until;
};

/* The last turns: each thread up to its access, and then each makes it. */
#define LAST_TURNS 4

#endif
