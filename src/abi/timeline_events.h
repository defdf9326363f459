/*
 * What the threads of an execution did, one event after the other: behind the log, if board_config.events asks for it.
 *
 * An event is of a fixed size and is never changed once it stands there (a write gets its value behind it).  Accesses
 * are written down only where they are watched; whoever wants all of them, with their values, finds the fields for it
 * here.
 */
#ifndef OMEN_TIMELINE_EVENTS_H
#define OMEN_TIMELINE_EVENTS_H

#include <stdint.h>

enum event_kind {
	EVENT_RUN = 1, /* the fiber runs from now on; for the first time: it starts */
	EVENT_CREATE,  /* object: the new fiber; value: its pthread_t */
	EVENT_END,     /* of the fiber */
	EVENT_JOIN,    /* object: the pthread_t of who has ended */
	EVENT_NAME,    /* object, value: 16 bytes of its name */
	EVENT_WAIT,    /* flags: enum event_wait; object: what for */
	EVENT_RESUME,  /* flags: enum event_resume */
	EVENT_WAKE,    /* object: the fiber that is woken; value: what it waits for, as the program calls it, or 0 */
	EVENT_LOCK,    /* flags: enum event_held; object: the lock, which the fiber has now */
	EVENT_UNLOCK,  /* object: the lock */
	EVENT_RELEASE, /* object: by what */
	EVENT_ACQUIRE, /* object: as released; value: the number of that event */
	EVENT_SIGNAL,  /* object: its number; a handler is about to run */
	EVENT_ACCESS,  /* object: the address; size; flags: ACCESS_*; value: the first 8 bytes, with ACCESS_HAS_VALUE */
	EVENT_GIVE,    /* flags: enum event_give; object: to whom it is given; value: how many fibers wait for that */
	EVENT_FROM, /* of the access behind it; object: the site of the function that the fiber began with; 0: that is
	               at `where`; where: in the program's own code, also if its site is in a system's header */
};

enum event_held { HELD_MUTEX, HELD_READ, HELD_WRITE, HELD_SPIN };
enum event_give { GIVE_SIGNAL, GIVE_BROADCAST, GIVE_POST, GIVE_ARRIVAL };
enum event_resume { RESUME_WOKEN, RESUME_TIMEOUT, RESUME_INTERRUPTED };

/* One row a thing that is waited for: identifier, how it is called. */
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
	X(FILE, "descriptor")    /* object: its number; value: how many are waited for */                              \
	X(SLEEP, "time to pass") /* object: until when, in nanoseconds of virtual time */                              \
	X(SIGNAL, "a signal")                                                                                          \
	X(CHILD, "a child process")

enum event_wait {
#define X(id, name) FOR_##id,
	EVENT_WAITS(X)
#undef X
};

struct event {
	uint64_t point; /* the scheduling point that came last */
	uint32_t fiber;
	uint8_t kind;  /* enum event_kind */
	uint8_t flags; /* as said there */
	uint16_t size; /* of an access; UINT16_MAX: or more */
	uint64_t object, value;
	uint64_t where; /* a site's address, or 2 * number + 1 of an event_stack; 0: unknown */
};

/* A place in the program's own code, innermost first: more than one frame if that is code of a system's header. */
#define EVENT_FRAMES 15
struct event_stack {
	uint64_t depth;
	uint64_t pc[EVENT_FRAMES]; /* return addresses */
};

#define EVENTS_SIZE (1ul << 32) /* sparse */
/* The stacks stand at the end of it, each where its hash says. */
#define EVENT_STACKS (1ul << 16)
#define EVENTS_MAX   ((EVENTS_SIZE - EVENT_STACKS * sizeof(struct event_stack)) / sizeof(struct event))

#endif
