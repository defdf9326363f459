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

enum predict_event_kind {
	PREDICT_READ = 1, /* object: the address; size; value */
	PREDICT_WRITE,    /* value: what stands there then */
	PREDICT_FREE,     /* the word's block is freed: a write */
	PREDICT_BORN,     /* the word begins a new life: what was there has nothing to do with what comes */
	PREDICT_LOAD,     /* these five: atomic */
	PREDICT_STORE,
	PREDICT_UPDATE,  /* value: before, written: behind it */
	PREDICT_COMPARE, /* the same; what it does depends on what it sees */
	PREDICT_REFUTE,  /* one that has seen something else than it wanted */
	PREDICT_LOCK,    /* object: the lock; PREDICT_SHARED: for reading */
	PREDICT_UNLOCK,
	PREDICT_REFUSED, /* object: a lock or semaphore that was not to be had */
	PREDICT_WAIT,    /* object: the mutex, value: the condition */
	PREDICT_WAKE,    /* the same: it has the mutex again */
	PREDICT_SIGNAL,  /* object: the condition */
	PREDICT_BROADCAST,
	PREDICT_CREATE, /* object: the thread, value: its pthread_t */
	PREDICT_END,
	PREDICT_JOIN,   /* object: the pthread_t */
	PREDICT_ARRIVE, /* object: the barrier */
	PREDICT_LEAVE,
	PREDICT_POST, /* object: the semaphore, value: what it had before */
	PREDICT_TAKE,
	PREDICT_ONCE,  /* object: its control; the function has been run */
	PREDICT_ORDER, /* object: a key by which something else orders threads: pipes, signals, … */
};

enum {
	PREDICT_SHARED = 1,
	PREDICT_BRANCHED = 2,  /* a branch was taken since the thread's event before it */
	PREDICT_VALUE = 4,     /* value (and written) are known */
	PREDICT_FIXED = 8,     /* the address does not depend on what was read */
	PREDICT_BEFORE = 16,   /* a write: what stood there before is known */
	PREDICT_CONFINED = 32, /* PREDICT_READ: what is computed from it goes into what is fed, and nowhere else */
	PREDICT_FED = 64,      /* PREDICT_WRITE: it may be computed from confined reads */
	PREDICT_LET_OUT = 128, /* since the thread's event before it, what was confined got to where it is not seen */
};

struct predict_event {
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

#define PREDICT_WORDS_MOST  (1u << 22)
#define PREDICT_EVENTS_MOST (20u << 20)

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
