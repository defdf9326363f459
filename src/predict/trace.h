/*
 * A trace: what the threads of one execution did, in the order in which they did it. (docs/design.md, "Prediction")
 *
 * An event takes 24 bytes, and 8 more in side tables. What an event needs from another one is the same in every order
 * in which the trace can be run again: the write that a read saw, the release that ends an acquire, and so on. It is
 * computed while the trace is built.
 *
 * In:  events, one after the other (trace_add()), from std_format.h or trace_from_log.h.
 * Out: the finished trace, which nobody changes after trace_finish().
 * Called by the two readers; all of src/predict, and the confirmation of predicted races, read it.
 */
#ifndef OMEN_TRACE_H
#define OMEN_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/intern.h"
#include "format/error.h"

/* The kinds of objects. Each kind has numbers of its own, from 0. */
#define OBJECTS(X)                                                                                                     \
	X(THREAD, "thread")                                                                                            \
	X(VARIABLE, "variable")                                                                                        \
	X(LOCK, "lock")                                                                                                \
	X(CONDITION, "condition")                                                                                      \
	X(BARRIER, "barrier")                                                                                          \
	X(SEMAPHORE, "semaphore")                                                                                      \
	X(ONCE, "once")                                                                                                \
	X(NONE, "nothing")

enum object_kind {
#define X(id, name) OBJECT_##id,
	OBJECTS(X)
#undef X
	        OBJECT_KINDS = OBJECT_NONE
};

/* The operations: the name in STD, the kind of the object, and the traits. */
#define OPS(X)                                                                                                         \
	X(READ, "r", VARIABLE, IS_READ)                                                                                \
	X(WRITE, "w", VARIABLE, IS_WRITE)                                                                              \
	X(ATOMIC_READ, "ar", VARIABLE, IS_READ | IS_ATOMIC)                                                            \
	X(ATOMIC_WRITE, "aw", VARIABLE, IS_WRITE | IS_ATOMIC)                                                          \
	X(RMW, "rmw", VARIABLE, IS_READ | IS_WRITE | IS_ATOMIC) /* reads and writes in one step */                     \
	X(ACQUIRE, "acq", LOCK, IS_ACQUIRE)                     /* of a mutex, or of a rwlock for writing */           \
	X(RELEASE, "rel", LOCK, IS_RELEASE)                                                                            \
	X(READ_ACQUIRE, "racq", LOCK, IS_ACQUIRE | IS_SHARED) /* of a rwlock for reading */                            \
	X(READ_RELEASE, "rrel", LOCK, IS_RELEASE | IS_SHARED)                                                          \
	X(WAIT, "wait", LOCK, IS_RELEASE) /* waits for a condition: releases the lock … */                             \
	X(WAKE, "wake", LOCK, IS_ACQUIRE) /* … and acquires it again */                                                \
	X(NOTIFY, "notify", CONDITION, 0)                                                                              \
	X(NOTIFY_ALL, "notifyall", CONDITION, 0)                                                                       \
	X(FORK, "fork", THREAD, 0)                                                                                     \
	X(JOIN, "join", THREAD, 0)                                                                                     \
	X(BEGIN, "begin", NONE, 0)                                                                                     \
	X(END, "end", NONE, 0)                                                                                         \
	X(BRANCH, "branch", NONE, 0)                                                                                   \
	X(PIN, "pin", NONE, 0) /* a branch that confined reads decide, too */                                          \
	X(ARRIVE, "arrive", BARRIER, 0)                                                                                \
	X(LEAVE, "leave", BARRIER, 0)                                                                                  \
	X(POST, "post", SEMAPHORE, 0)                                                                                  \
	X(TAKE, "take", SEMAPHORE, 0) /* a semaphore's wait */                                                         \
	X(ONCE, "once", ONCE, 0)      /* the first one ran the initialiser, the others waited for it */

enum op {
#define X(id, name, kind, is) OP_##id,
	OPS(X)
#undef X
	        OP_COUNT
};

enum { IS_READ = 1, IS_WRITE = 2, IS_ATOMIC = 4, IS_ACQUIRE = 8, IS_RELEASE = 16, IS_SHARED = 32 };

enum {
	EVENT_DEPENDS = 1, /* a branch stands just before it: its address depends on what was read */
	EVENT_PINNED = 2,  /* a read whose event would be another one if it saw another value: a compare and swap */
	EVENT_NESTED = 4,  /* acquire or release of a lock that the thread holds anyway: no effect */
	EVENT_EDGES = 8,   /* trace_edges() has some */
	/*
	 * A plain read: what is computed from it goes into FED writes of its thread, and nowhere else. So no branch
	 * depends on it, except a pin; and a fed write has its value only if the confined reads before it, too, saw the
	 * same.
	 */
	EVENT_CONFINED = 16,
	EVENT_FED = 32, /* a plain write whose value may be computed from confined reads */
};

#define NO_EVENT      UINT32_MAX
#define VALUE_UNKNOWN 0u
#define THREADS_MOST  UINT16_MAX
#define EVENTS_MOST   (1u << 31)

struct trace_event {
	uint32_t object;   /* of the kind that the operation has */
	uint32_t location; /* the place in the source */
	uint32_t value;    /* what a read reads, what a write writes; equal numbers are equal values */
	union {
		uint32_t written;   /* RMW: the value that it writes */
		uint32_t notify;    /* WAKE: the notification; NO_EVENT: none (spurious, or a timeout) */
		uint32_t condition; /* WAIT, and WAKE for trace_add() */
	};
	/*
	 * The event that belongs to this one. A read: the write that it saw; NO_EVENT: the initial value. An acquire or
	 * WAKE: its release or WAIT, and the other way round; NO_EVENT: it is never released. FORK: the first event of
	 * the thread. JOIN: its last event. TAKE: the POST, first in, first out; NO_EVENT: a token that the semaphore
	 * had at the start. ONCE: the first ONCE; NO_EVENT for that one. LEAVE: its ARRIVE. Others: NO_EVENT.
	 */
	uint32_t match;
	uint16_t thread;
	uint8_t op, flags;
};

_Static_assert(sizeof(struct trace_event) == 24, "ten million events have 240 MB");

/* In every order that has `event`, `before` comes first. */
struct edge {
	uint32_t event, before;
};

struct trace {
	struct trace_event *events;
	uint32_t count;
	uint32_t objects[OBJECT_KINDS]; /* by kind: how many there are */
	struct intern names[OBJECT_KINDS], locations, values;

	/*
	 * Whether the trace has branches. If not, every event counts as one that follows a branch: all that a thread
	 * does depends on all that it has read.
	 */
	bool branches;
	/*
	 * How many forks are of a thread that was forked before (it counts as one thread that continues), and the first
	 * such fork.
	 */
	uint32_t repeated_forks, repeated_fork;

	/* From trace_finish() on. */
	uint32_t *thread_index;  /* by event: how many events of its thread come before it */
	uint32_t *thread_events; /* the events of thread 0, then of thread 1, … */
	uint32_t *thread_start;  /* by thread: where its events start in `thread_events`; one entry more than there are
	                            threads */
	struct edge *edges;      /* of FORK, JOIN, WAKE, LEAVE, ARRIVE and ONCE, sorted by event */
	size_t edge_count;
	uint32_t *sem_initial; /* by semaphore: its tokens at the start; if unknown, the fewest that the trace needs */
	uint32_t *value_initial; /* by variable: its value at the start, as far as it is known */

	struct trace_builder *builder; /* until trace_finish() */
};

/* The name, the kind of the object and the traits (IS_…) of an operation. */
struct op_info {
	const char *name;
	uint8_t kind, is;
};
extern const struct op_info ops[OP_COUNT];
extern const char *const object_kinds[];

static inline bool event_is(const struct trace_event *e, unsigned is) { return ops[e->op].is & is; }
static inline bool event_is_access(const struct trace_event *e) { return event_is(e, IS_READ | IS_WRITE); }

/* Whether they access one variable from two threads, one of them writes, and not both are atomic. */
bool events_conflict(const struct trace_event *a, const struct trace_event *b);

void trace_start(struct trace *t);
/* The number of a name, a place or a value. */
uint32_t trace_object(struct trace *t, enum object_kind kind, const char *name, size_t size);
uint32_t trace_location(struct trace *t, const char *name, size_t size);
uint32_t trace_value(struct trace *t, const char *text, size_t size);
/*
 * Appends an event. The caller sets thread, op, object, location, value, the flags DEPENDS, PINNED, CONFINED and FED,
 * `written` of an RMW, and `condition` of WAIT and WAKE; the rest is computed. False: no execution can continue with
 * this event, `e` says why.
 */
bool trace_add(struct trace *t, const struct trace_event *event, struct error *e);
/* Sets the initial value of a variable, before an event that accesses it is added. */
void trace_set_initial(struct trace *t, uint32_t variable, uint32_t value);
/* Sets the tokens that a semaphore has at the start. */
void trace_set_tokens(struct trace *t, uint32_t semaphore, uint32_t count);
/* Ends the trace: builds the side tables. */
void trace_finish(struct trace *t);
void trace_free(struct trace *t);

/* The edges into an event, without the one from its predecessor in its thread; how many in `*count`. */
const struct edge *trace_edges(const struct trace *t, uint32_t event, size_t *count);

/*
 * Whether the event follows a branch directly: then all reads of its thread before it, except confined ones, must have
 * seen the same as in the trace.
 */
static inline bool event_follows_branch(const struct trace *t, uint32_t event)
{
	const struct trace_event *e = &t->events[event];

	return !t->branches || e->op == OP_BRANCH || e->op == OP_PIN || e->flags & (EVENT_DEPENDS | EVENT_PINNED);
}

/*
 * Whether a join needs all reads of the joined thread to have seen the same: without branches in the trace, the end of
 * that thread follows one, whether the trace writes the end or not.
 */
static inline bool join_follows_branch(const struct trace *t, uint32_t event)
{
	return !t->branches && t->events[event].op == OP_JOIN;
}

static inline uint32_t trace_thread_length(const struct trace *t, uint32_t thread)
{
	return t->thread_start[thread + 1] - t->thread_start[thread];
}

static inline uint32_t trace_thread_event(const struct trace *t, uint32_t thread, uint32_t index)
{
	return t->thread_events[t->thread_start[thread] + index];
}

#endif
