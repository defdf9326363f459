/*
 * Operations: what the program does that others may notice.  Each is told once, where it happens, with OP(); whoever
 * wants to know of operations is an observer.  An observer belongs to a mode (mode.h) and hears of operations while
 * that mode is on.  Where none is on that observes, telling costs one test.
 */
#ifndef OMEN_OP_H
#define OMEN_OP_H

#include "rt/core/op.h"
#include "rt/core/rt.h"

/* X(name): what is told, and which fields of struct op say more. The running fiber does it. */
/* clang-format off */
#define OP_KINDS(X)                                                                                                    \
	/* memory: object is the address; size, site, flags ACCESS_* */                                                \
	X(ACCESS)         /* about to be made, or told by a library function that has made it */                       \
	X(IGNORED_ACCESS) /* the same, of one that cannot race */                                                      \
	X(OBJECT_ACCESS)  /* the same, of a synchronisation object as memory: sync_object.h */                         \
	X(LATE_ACCESS)    /* a library function is called that may access up to `size` bytes, and tells when it is over */ \
	X(ATOMIC_AHEAD)   /* an atomic operation is about to be made, after its point; */                              \
	X(ATOMIC_LOOK)    /* memory checks have nothing against it; */                                                 \
	X(COMPARES)       /* it was a compare-exchange, which follows as ... */                                        \
	X(ATOMIC_LOAD)    /* ... one of these, behind the operation */                                                 \
	X(ATOMIC_STORE)                                                                                                \
	X(ATOMIC_UPDATE)                                                                                               \
	X(SAME_VALUE)     /* what is written next stands there already; value: the write releases */                   \
	X(WRITTEN)        /* memory that synchronises was written by code that is not instrumented */                  \
	X(WILL_STORE)     /* the same, about to be: value */                                                           \
	X(UNMAPS)         /* memory is about to be unmapped, perhaps */                                               \
	X(BORN)           /* memory begins a new life */                                                               \
	X(ALLOCATED)      /* a block of the heap; site: none */                                                        \
	X(LOOP)           /* the end of a loop's body; object: saved registers, size of them, value: stack pointer */  \
	/* threads: fiber */                                                                                           \
	X(CREATING)       /* a thread is about to be made; */                                                          \
	X(MADE)           /* its fiber is there, and does not run yet; */                                              \
	X(CREATED)        /* and has all it needs */                                                                   \
	X(NAMED)          /* object: the name */                                                                       \
	X(ENDED)          /* the running one */                                                                        \
	X(RUNS)           /* it was switched to */                                                                     \
	X(BLOCKS)                                                                                                      \
	X(RESUMES)        /* value: enum wait_result */                                                                \
	X(WAKES)          /* fiber: who */                                                                             \
	X(ENABLES)        /* fiber: who can run again */                                                               \
	X(AFTER)          /* all that `fiber` has done so far comes before what the running one does */                \
	/* synchronisation objects: object, object_kind */                                                             \
	X(TAKING)         /* OP_WAITS: for as long as it takes */                                                      \
	X(TOOK)           /* OP_OK: it has it, otherwise it was refused; OP_SHARED */                                  \
	X(GIVING)         /* a lock is about to be given back, if that is allowed; */                                  \
	X(GIVES)          /* it is; OP_SHARED */                                                                       \
	X(GAVE)           /* and others may know what it knew */                                                       \
	X(USED)           /* something was done to it of which only the order matters */                               \
	X(ASKED)          /* its state was asked for */                                                                \
	X(WAITS)          /* object: the mutex, value: the condition */                                                \
	X(WAITED)         /* the same: it has the mutex again */                                                       \
	X(SIGNALS)        /* a condition */                                                                            \
	X(BROADCASTS)                                                                                                  \
	X(ARRIVES)        /* at a barrier */                                                                           \
	X(LEAVES)                                                                                                      \
	X(POSTS)          /* a semaphore */                                                                            \
	X(ONCE)           /* the function of a pthread_once() was run */                                               \
	X(FUTEX)          /* the word of a futex was looked at, to wait or to wake */                                  \
	X(ORDERS)         /* a key by which something else orders threads */                                           \
	X(RELEASE)        /* a key; OP_ATOMIC; returns a number by which the release is named */                       \
	X(ACQUIRE)        /* value: the number of the release; OP_ATOMIC */                                            \
	/* the world */                                                                                                \
	X(SIGNAL)         /* value: its number; a handler is about to run */                                           \
	X(OUTSIDE)        /* something outside of memory was read or (value) changed; OP_ANY: anything in memory, too */ \
	X(STREAM)         /* a stream of the C library is about to be used */                                          \
	X(CALL)           /* value: a call of the C library that may print begins, or it is no longer in one */        \
	X(IN_CALL)        /* returns whether it is in one */                                                           \
	X(SYSCALL)        /* object: struct call; it begins; */                                                        \
	X(SYSCALL_OVER)   /* value: its result */                                                                      \
	X(HEAP)           /* object: a block of `size` bytes was allocated, or (size 0) is freed */                    \
	X(STUCK)          /* nobody can run, and nothing can come; returns whether somebody can now */                  \
	X(TIME_PASSES)    /* value: ns, as nobody can run */                                                           \
	X(REPEATS)        /* the state has come back; value: plan.touched then; returns whether that was wanted */     \
	X(GOES_ALONE)     /* returns whether only one thread is to go on */                                            \
	X(ALL_SPIN)       /* returns whether whoever can run would only wait or go round */                            \
	X(IDLED)          /* nobody could run, and the world has had time to act */                                    \
	X(UNCLEAR)        /* object: why things may happen otherwise although no operation says so */                  \
	X(FAILS)          /* it does nothing any more but print why the program ends */                                \
	X(EXPLAINED)      /* object: struct board_access; returns its number in the timeline */                        \
	X(TOUCHED)        /* an access to bytes that race, as ACCESS, where it is counted */
/* clang-format on */

enum op_kind {
#define X(name) OP_KIND_##name,
	OP_KINDS(X)
#undef X
};

/* Flags of operations on objects. */
enum { OP_WAITS = 1, OP_OK = 2, OP_SHARED = 4, OP_ATOMIC = 8, OP_ANY = 16 };

struct op {
	enum op_kind kind;
	uint32_t flags; /* OP_*, or ACCESS_* of an access */
	enum object_kind object_kind;
	const void *object;
	uint64_t size, value;
	const struct omen_site *site;
	const struct fiber *fiber;
};

struct observer {
	const char *name;
	uint64_t mode; /* it hears of operations while one of these is on */
	/* Nonzero: what the operation's kind says; of an access that nobody need see it any more. */
	uint64_t (*op)(const struct op *op);
};

/* The observers in the order in which they hear of an operation; ended by NULL: rt/start/modes.c. */
extern const struct observer *const observers[];

/*
 * Tells all observers whose mode is on.  All of it goes through registers, and the struct is made in the frame of
 * op_tell(): a struct in the frame of the function that tells would have old memory in it, which would be in the state
 * of the program where the function is at a point (fibers/state_hash.h).
 */
uint64_t op_tell(uint64_t kinds, const void *object, uint64_t size, uint64_t value, const struct omen_site *site,
                 const struct fiber *fiber);

/* Kind, flags and kind of object in one register. */
static inline uint64_t op_kinds(enum op_kind kind, uint32_t flags, enum object_kind object_kind)
{
	return (uint64_t)flags << 32 | (uint32_t)object_kind << 16 | (uint32_t)kind;
}

/* OP(TAKING, .object = m, .object_kind = OBJECT_MUTEX): what the observers answer. */
#define OP(name, ...)                                                                                                  \
	({                                                                                                             \
		uint64_t answer_ = 0;                                                                                  \
		if (unlikely(mode_any(MODES_THAT_OBSERVE))) {                                                          \
			const struct op op_ = {.kind = OP_KIND_##name, ##__VA_ARGS__};                                 \
			answer_ = op_tell(op_kinds(op_.kind, op_.flags, op_.object_kind), op_.object, op_.size,        \
			                  op_.value, op_.site, op_.fiber);                                             \
		}                                                                                                      \
		answer_;                                                                                               \
	})

/*
 * The running fiber comes to an operation that can be the end of its turn (strategy/meet.c); the point of it follows.
 * Operations are counted alike in all executions, whether anybody waits for one or not.
 */
static inline void op_count(void)
{
	if (likely(!mode_is(COUNT_OPS)) || omen.current->uncounted || omen.off & OFF_INSIDE)
		return;
	if (++omen.current->ops >= omen.current->ops_until)
		omen.interest = 0;
}

#endif
