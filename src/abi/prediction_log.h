/*
 * The log for prediction: what an execution did that could have come in another order (docs/design.md, "Prediction").
 *
 * One replay finds the words of memory that several threads share. A second replay logs all accesses to them, with
 * values, and all synchronisation. Both results take the memory of the timeline's events (timeline_events.h), the words
 * first.
 * In: the mode, and for PREDICT_MEET the turns.  Out: words and events.  The runtime writes the log
 * (rt/observe/prediction_record.h); the tool makes a trace from it (predict/trace_from_log.h).
 */
#ifndef OMEN_PREDICTION_LOG_H
#define OMEN_PREDICTION_LOG_H

#include <stdint.h>

enum predict_mode {
	PREDICT_OFF,
	PREDICT_FIND_WORDS, /* find the words */
	PREDICT_LOG_EVENTS, /* log what happens to them */
	PREDICT_MEET,       /* make an execution whose turns end where board_turn says: STRATEGY_MEET */
};

enum predict_event_kind {
	PREDICT_READ = 1, /* object: the address; size; value */
	PREDICT_WRITE,    /* value: what the memory has afterwards */
	PREDICT_FREE,     /* the block of the word is freed: a write */
	PREDICT_BORN,     /* the word's memory is allocated again: its former value means nothing from here on */
	PREDICT_LOAD,     /* this event and the next four are atomic */
	PREDICT_STORE,
	PREDICT_UPDATE, /* value: the value before; written: the value afterwards */
	/* a compare and swap that writes: as PREDICT_UPDATE, but what it does depends on what it sees */
	PREDICT_COMPARE,
	PREDICT_REFUTE, /* a compare and swap that fails because it sees another value */
	PREDICT_LOCK,   /* object: the lock; with PREDICT_SHARED: for reading */
	PREDICT_UNLOCK,
	PREDICT_REFUSED, /* object: a lock or semaphore that the thread could not take */
	PREDICT_WAIT,    /* object: the mutex; value: the condition */
	PREDICT_WAKE,    /* the same; the thread has the mutex again */
	PREDICT_SIGNAL,  /* object: the condition */
	PREDICT_BROADCAST,
	PREDICT_CREATE, /* object: the thread; value: its pthread_t */
	PREDICT_END,
	PREDICT_JOIN,   /* object: the pthread_t */
	PREDICT_ARRIVE, /* object: the barrier */
	PREDICT_LEAVE,
	PREDICT_POST, /* object: the semaphore; value: its count before */
	PREDICT_TAKE,
	PREDICT_ONCE,  /* object: the control variable of a pthread_once(); its function has run */
	PREDICT_ORDER, /* object: a key by which something else orders threads: pipes, signals, … */
};

enum {
	PREDICT_SHARED = 1,
	PREDICT_BRANCHED = 2, /* the thread took a branch after its event before this one */
	PREDICT_VALUE = 4,    /* value (and written) are known */
	PREDICT_FIXED = 8,    /* the address does not depend on what the thread read */
	PREDICT_BEFORE = 16,  /* a write: the value before it is known */
	/* PREDICT_READ: its value flows only into PREDICT_FED writes */
	PREDICT_CONFINED = 32,
	PREDICT_FED = 64, /* PREDICT_WRITE: its value may come from confined reads */
	/* between the thread's previous event and this one, a confined value got to a place that the log does not see
	 */
	PREDICT_LET_OUT = 128,
};

struct predict_event {
	uint32_t thread;
	uint8_t kind, flags, size, unused;
	uint64_t op;    /* how many operations the thread had begun */
	uint64_t point; /* the last scheduling point before it */
	uint64_t object, value;
	union {
		uint64_t written; /* of an update */
		uint64_t before;  /* of a write */
	};
	uint64_t where; /* of an access: its site, or 2 * address + 1 of code; 0: unknown */
};

#define PREDICT_WORDS_MOST  (1u << 22)
#define PREDICT_EVENTS_MOST (20u << 20)

/* PREDICT_MEET: where each of the two threads is after all turns except those of the accesses themselves: not yet
 * there, before its access, waiting, ended, or elsewhere. */
enum meeting { MEETING_NOT_YET, MEETING_THERE, MEETING_WAITS, MEETING_GONE, MEETING_ELSEWHERE };

/*
 * PREDICT_MEET: a turn of a thread, which ends before the thread's operation `until`. UINT64_MAX: when the thread ends
 * or blocks. If the thread cannot run, its turn is skipped, unless it waits only for time: then time passes.
 */
struct board_turn {
	uint32_t thread;
	uint32_t waits; /* the turn ends where the thread waits */
	uint64_t until;
};

/* The last turns: each thread up to its access, and then each thread makes it. */
#define LAST_TURNS 4

#endif
