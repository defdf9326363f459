/*
 * A trace: what the threads of one execution did, in the order they did it. (docs/design.md, "Prediction")
 *
 * An event has 24 bytes, and 8 more in side tables. Everything that one event owes another, in whatever order a trace
 * is run again, is worked out while the trace is built: which write a read saw, which release ends an acquire, and so
 * on.
 */
#ifndef OMEN_TRACE_H
#define OMEN_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/intern.h"
#include "format/error.h"

/* What objects there are; each kind counts its own from 0. */
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

/* Every operation: its name in STD, the kind of its object, and what it is. */
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
	X(WAIT, "wait", LOCK, IS_RELEASE) /* for a condition: lets go of the lock … */                                 \
	X(WAKE, "wake", LOCK, IS_ACQUIRE) /* … and has it again */                                                     \
	X(NOTIFY, "notify", CONDITION, 0)                                                                              \
	X(NOTIFY_ALL, "notifyall", CONDITION, 0)                                                                       \
	X(FORK, "fork", THREAD, 0)                                                                                     \
	X(JOIN, "join", THREAD, 0)                                                                                     \
	X(BEGIN, "begin", NONE, 0)                                                                                     \
	X(END, "end", NONE, 0)                                                                                         \
	X(BRANCH, "branch", NONE, 0)                                                                                   \
	X(PIN, "pin", NONE, 0) /* a branch that confined reads bear upon as well */                                    \
	X(ARRIVE, "arrive", BARRIER, 0)                                                                                \
	X(LEAVE, "leave", BARRIER, 0)                                                                                  \
	X(POST, "post", SEMAPHORE, 0)                                                                                  \
	X(TAKE, "take", SEMAPHORE, 0) /* a semaphore's wait */                                                         \
	X(ONCE, "once", ONCE, 0)      /* the first one has run the initialiser, the others waited for it */

enum op {
#define X(id, name, kind, is) OP_##id,
	OPS(X)
#undef X
	        OP_COUNT
};

enum { IS_READ = 1, IS_WRITE = 2, IS_ATOMIC = 4, IS_ACQUIRE = 8, IS_RELEASE = 16, IS_SHARED = 32 };

enum {
	EVENT_DEPENDS = 1, /* a branch of its thread comes just before it: its address depends on what was read */
	EVENT_PINNED = 2,  /* a read that must see what it saw, or the event is another one: compare and swap */
	EVENT_NESTED = 4,  /* acquire or release of a lock that the thread holds anyhow: means nothing to anybody */
	EVENT_EDGES = 8,   /* has edges, see trace_edges() */
	/*
	 * A plain read: what is computed from it goes into writes of its thread that are fed, and nowhere else. So no
	 * branch but a pin bears upon it, and a fed write has its value only if confined reads, too, saw the same.
	 */
	EVENT_CONFINED = 16,
	EVENT_FED = 32, /* a plain write */
};

#define NO_EVENT      UINT32_MAX
#define VALUE_UNKNOWN 0u
#define THREADS_MOST  UINT16_MAX
#define EVENTS_MOST   (1u << 31)

struct trace_event {
	uint32_t object;   /* of the kind that the operation has */
	uint32_t location; /* place in the source */
	uint32_t value;    /* read by a read, written by a write; values are equal if their numbers are */
	union {
		uint32_t written;   /* RMW: the value it writes */
		uint32_t notify;    /* WAKE: what woke it; NO_EVENT: nothing did (spurious, or out of time) */
		uint32_t condition; /* WAIT, and WAKE for trace_add() */
	};
	/*
	 * The event's other half. A read: the write it saw, NO_EVENT for the initial value. An acquire or WAKE: its
	 * release or WAIT, and back; NO_EVENT: never released. FORK: the first event of the thread, JOIN: its last.
	 * TAKE: the POST, first in first out, NO_EVENT: what the semaphore had at the start. ONCE: the first ONCE,
	 * NO_EVENT of itself. LEAVE: its ARRIVE. Others: NO_EVENT.
	 */
	uint32_t match;
	uint16_t thread;
	uint8_t op, flags;
};

_Static_assert(sizeof(struct trace_event) == 24, "ten million events have 240 MB");

/* `before` comes first wherever `event` is. */
struct edge {
	uint32_t event, before;
};

struct trace {
	struct trace_event *events;
	uint32_t count;
	uint32_t objects[OBJECT_KINDS]; /* how many of each kind */
	struct intern names[OBJECT_KINDS], locations, values;

	/*
	 * Whether branches are in the trace. If not, every event comes behind a branch: whatever a thread does
	 * depends on all that it has read before.
	 */
	bool branches;
	/* Forks of a thread that was forked before, which is taken for one that goes on; the first of them. */
	uint32_t repeated_forks, repeated_fork;

	/* From trace_finish() on: */
	uint32_t *local;        /* by event: how many events of its thread come before it */
	uint32_t *program;      /* the events of thread 0, then of thread 1, … */
	uint32_t *thread_start; /* by thread: where its events start in `program`; one more than there are threads */
	struct edge *edges;     /* of FORK, JOIN, WAKE, LEAVE, ARRIVE and ONCE; by event */
	size_t edge_count;
	uint32_t *sem_initial;   /* by semaphore: what it had at the start; the least it can be, if that is not known */
	uint32_t *value_initial; /* by variable: the value it had at the start, as far as it is known */

	struct trace_builder *builder; /* until trace_finish() */
};

/* The name, the object's kind and the nature (IS_…) of each operation. */
struct op_info {
	const char *name;
	uint8_t kind, is;
};
extern const struct op_info ops[OP_COUNT];
extern const char *const object_kinds[];

static inline bool event_is(const struct trace_event *e, unsigned is) { return ops[e->op].is & is; }
static inline bool event_is_access(const struct trace_event *e) { return event_is(e, IS_READ | IS_WRITE); }

/* Same variable, other thread, a write among them, and not both atomic. */
bool events_conflict(const struct trace_event *a, const struct trace_event *b);

void trace_start(struct trace *t);
/* The number of a name or of a value. */
uint32_t trace_object(struct trace *t, enum object_kind kind, const char *name, size_t size);
uint32_t trace_location(struct trace *t, const char *name, size_t size);
uint32_t trace_value(struct trace *t, const char *text, size_t size);
/*
 * Appends an event: thread, op, object, location, value, EVENT_DEPENDS, _PINNED, _CONFINED and _FED are the caller's,
 * and `written` of an RMW, `condition` of WAIT and WAKE; the rest is found out. False: no execution goes on so; `e`
 * says why not.
 */
bool trace_add(struct trace *t, const struct trace_event *event, struct error *e);
/* The value that a variable has at the start, before the first event that reads or writes it is added. */
void trace_set_initial(struct trace *t, uint32_t variable, uint32_t value);
/* What a semaphore has at the start. */
void trace_set_tokens(struct trace *t, uint32_t semaphore, uint32_t count);
/* No more events: builds the side tables. */
void trace_finish(struct trace *t);
void trace_free(struct trace *t);

/* The edges into an event, besides the one from the event before it in its thread; how many are in `*count`. */
const struct edge *trace_edges(const struct trace *t, uint32_t event, size_t *count);

/* Whether a branch comes just before the event, that all reads of its thread before it bear upon but confined ones. */
static inline bool event_follows_branch(const struct trace *t, uint32_t event)
{
	const struct trace_event *e = &t->events[event];

	return !t->branches || e->op == OP_BRANCH || e->op == OP_PIN || e->flags & (EVENT_DEPENDS | EVENT_PINNED);
}

/*
 * Whether a join demands that all reads of the joined thread saw the same: the thread's end comes behind a branch like
 * everything else, and the trace need not have it.
 */
static inline bool join_follows_branch(const struct trace *t, uint32_t event)
{
	return !t->branches && t->events[event].op == OP_JOIN;
}

static inline uint32_t thread_length(const struct trace *t, uint32_t thread)
{
	return t->thread_start[thread + 1] - t->thread_start[thread];
}

static inline uint32_t thread_event(const struct trace *t, uint32_t thread, uint32_t local)
{
	return t->program[t->thread_start[thread] + local];
}

#endif
