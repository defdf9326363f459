/*
 * The timeline: what the threads of an execution did, one event after the other.  It stands after the log, if
 * board_config.events is set.  The runtime writes it (rt/observe/timeline_record.h); the tool reads it for reports.
 *
 * An event has a fixed size and does not change after it is written, except that a write gets its value later.  Only
 * accesses to watched bytes become events; the fields could hold all accesses with their values.
 */
#ifndef OMEN_TIMELINE_EVENTS_H
#define OMEN_TIMELINE_EVENTS_H

#include <stdint.h>

enum event_kind {
	EVENT_RUN = 1, /* the fiber runs from now on; its first EVENT_RUN is its start */
	EVENT_CREATE,  /* object: the new fiber; value: its pthread_t */
	EVENT_END,     /* the fiber ends */
	EVENT_JOIN,    /* object: the pthread_t of the thread that has ended */
	EVENT_NAME,    /* object, value: 16 bytes of its name */
	EVENT_WAIT,    /* flags: enum event_wait; object: what the fiber waits for */
	EVENT_RESUME,  /* flags: enum event_resume */
	EVENT_WAKE, /* object: the fiber that is woken; value: the object that it waits for, in the program's view, or 0
	             */
	EVENT_LOCK, /* flags: enum event_held; object: the lock that the fiber holds from now on */
	EVENT_UNLOCK,  /* object: the lock */
	EVENT_RELEASE, /* object: the object that orders */
	EVENT_ACQUIRE, /* object: the same as at the release; value: the number of the release event */
	EVENT_SIGNAL,  /* object: the number of the signal; a handler is about to run */
	EVENT_ACCESS,  /* object: the address; size; flags: ACCESS_*; value: the first 8 bytes, with ACCESS_HAS_VALUE */
	EVENT_GIVE, /* flags: enum event_give; object: the condition, semaphore or barrier; value: how many fibers wait
	               for it */
	EVENT_FROM, /* belongs to the access after it; object: the site of the function that the fiber began with, 0:
	               that function is at `where`; where: the place in the program's own code, also if the access's
	               site is in a system's header */
};

enum event_held { HELD_MUTEX, HELD_READ, HELD_WRITE, HELD_SPIN };
enum event_give { GIVE_SIGNAL, GIVE_BROADCAST, GIVE_POST, GIVE_ARRIVAL };
enum event_resume { RESUME_WOKEN, RESUME_TIMEOUT, RESUME_INTERRUPTED };

/* One row for each thing that a fiber can wait for: identifier, name in reports. */
#define EVENT_WAITS(X)                                                                                                 \
	X(FUTEX, "futex")                                                                                              \
	X(MUTEX, "mutex")                                                                                              \
	X(RWLOCK, "rwlock")                                                                                            \
	X(CONDITION, "condition")                                                                                      \
	X(BARRIER, "barrier")                                                                                          \
	X(SEMAPHORE, "semaphore")                                                                                      \
	X(SPIN, "spin lock")                                                                                           \
	X(ONCE, "once")                                                                                                \
	X(THREAD, "the end of")  /* object: the fiber, or BOARD_NOBODY */                                              \
	X(FILE, "descriptor")    /* object: its number; value: how many descriptors the fiber waits for */             \
	X(SLEEP, "time to pass") /* object: until when, in nanoseconds of virtual time */                              \
	X(SIGNAL, "a signal")                                                                                          \
	X(CHILD, "a child process")

enum event_wait {
#define X(id, name) FOR_##id,
	EVENT_WAITS(X)
#undef X
};

struct event {
	uint64_t point; /* the last scheduling point before it */
	uint32_t fiber;
	uint8_t kind;  /* enum event_kind */
	uint8_t flags; /* see enum event_kind */
	uint16_t size; /* of an access; UINT16_MAX: this size or more */
	uint64_t object, value;
	uint64_t where; /* a site's address, or 2 * number + 1 of an event_stack; 0: unknown */
};

/* A place in the program's own code, innermost frame first.  It has several frames if the place is in a system's
 * header. */
#define EVENT_FRAMES 15
struct event_stack {
	uint64_t depth;
	uint64_t pc[EVENT_FRAMES]; /* return addresses */
};

#define EVENTS_SIZE (1ul << 32) /* sparse */
/* The stacks stand at the end of this memory, as a hash table. */
#define EVENT_STACKS (1ul << 16)
#define EVENTS_MAX   ((EVENTS_SIZE - EVENT_STACKS * sizeof(struct event_stack)) / sizeof(struct event))

#endif
