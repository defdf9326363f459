/*
 * Operations: what the program does that other threads or the world may notice.  Each operation is reported once, where
 * it happens, with OP().  Observers hear of operations: an observer belongs to a mode (mode.h) and hears of them while
 * that mode is on.  If nobody hears of it, OP() costs one
 * test.
 *
 * In: struct op.  Out: what the observers answer.  Every room of the runtime may report and observe operations.
 */
#ifndef OMEN_OP_H
#define OMEN_OP_H

#include "rt/core/rt.h"

/* X(name): an operation of the running fiber, and the fields of struct op that describe it. */
/* clang-format off */
#define OP_KINDS(X)                                                                                                    \
	/* memory: object is the address; size, site, flags ACCESS_* */                                                \
	X(ACCESS)         /* about to be made, or already made by a library function (LATE) */                         \
	X(IGNORED_ACCESS) /* the same for an access that cannot race */                                                \
	X(OBJECT_ACCESS)  /* the same for the memory of a synchronisation object: sync_object.h */                     \
	X(LATE_ACCESS)    /* a library function begins that may access up to `size` bytes; the ACCESS follows after it */ \
	X(ATOMIC_AHEAD)   /* an atomic operation is about to be made; its point is over */                             \
	X(ATOMIC_LOOK)    /* the same: memory checks have found the address valid */                                   \
	X(COMPARES)       /* the atomic operation that follows next was a compare-exchange */                          \
	X(ATOMIC_LOAD)    /* this kind and the next two: after the operation */                                        \
	X(ATOMIC_STORE)                                                                                                \
	X(ATOMIC_UPDATE)                                                                                               \
	X(SAME_VALUE)     /* the next write writes the value that stands there already; value: whether that write releases */ \
	X(WRITTEN)        /* code that is not instrumented wrote memory that synchronises */                           \
	X(WILL_STORE)     /* the same is about to happen; value: what it writes */                                     \
	X(UNMAPS)         /* memory may be unmapped next */                                                            \
	X(BORN)           /* memory is new: its former accesses do not count any more */                               \
	X(ALLOCATED)      /* a block of the heap; without a site */                                                    \
	X(LOOP)           /* the end of a loop's body; object: saved registers, size: of these, value: stack pointer */ \
	/* threads: fiber is the thread */                                                                             \
	X(CREATING)       /* a thread is about to be created */                                                        \
	X(MADE)           /* its fiber exists, but does not run yet */                                                 \
	X(CREATED)        /* its fiber is complete */                                                                  \
	X(NAMED)          /* object: the new name */                                                                   \
	X(ENDED)          /* the running fiber ends */                                                                 \
	X(RUNS)           /* the scheduler has switched to the running fiber */                                        \
	X(BLOCKS)                                                                                                      \
	X(RESUMES)        /* value: enum wait_result */                                                                \
	X(WAKES)          /* fiber: the one that is woken */                                                           \
	X(ENABLES)        /* fiber: the one that can run again */                                                      \
	X(AFTER)          /* all that `fiber` has done so far happens before what the running fiber does next */       \
	/* synchronisation objects: object, object_kind */                                                             \
	X(TAKING)         /* about to take it; OP_WAITS: waits as long as necessary */                                 \
	X(TOOK)           /* OP_OK: the fiber has it, otherwise it was refused; OP_SHARED */                           \
	X(GIVING)         /* about to unlock, if that is allowed */                                                    \
	X(GIVES)          /* the unlock is allowed and follows; OP_SHARED */                                           \
	X(GAVE)           /* after the release: other fibers may acquire what this one knew */                         \
	X(USED)           /* another operation on the object, of which only the order matters */                       \
	X(ASKED)          /* the program asked for the state of the object */                                          \
	X(WAITS)          /* a condition wait begins; object: the mutex, value: the condition */                       \
	X(WAITED)         /* the same: the fiber has the mutex again */                                                \
	X(SIGNALS)        /* a condition */                                                                            \
	X(BROADCASTS)                                                                                                  \
	X(ARRIVES)        /* at a barrier */                                                                           \
	X(LEAVES)                                                                                                      \
	X(POSTS)          /* a semaphore */                                                                            \
	X(ONCE)           /* the function of a pthread_once() was run */                                               \
	X(FUTEX)          /* the fiber looked at the word of a futex, to wait or to wake */                            \
	X(ORDERS)         /* a key by which something else orders threads */                                           \
	X(RELEASE)        /* object: a key; OP_ATOMIC; returns a number that names the release */                      \
	X(ACQUIRE)        /* value: the number of the release; OP_ATOMIC */                                            \
	/* the world */                                                                                                \
	X(SIGNAL)         /* value: the signal's number; its handler is about to run */                                \
	X(OUTSIDE)        /* something outside of memory was read or, if value is set, changed; OP_ANY: and any memory, too */ \
	X(STREAM)         /* a stream of the C library is about to be used */                                          \
	X(CALL)           /* value 1: a call of the C library that may print begins; 0: the fiber is in no such call any more */ \
	X(IN_CALL)        /* returns whether the fiber is in such a call */                                            \
	X(SYSCALL)        /* object: struct call; a syscall begins */                                                  \
	X(SYSCALL_OVER)   /* value: the result of the syscall */                                                       \
	X(HEAP)           /* object: a block of `size` bytes was allocated; size 0: it is freed */                     \
	X(STUCK)          /* no fiber can run, and nothing from outside can come; returns whether some fiber can run now */ \
	X(TIME_PASSES)    /* no fiber can run, so time passes; value: ns */                                            \
	X(REPEATS)        /* the state repeats; value: plan.touched when it occurred first; returns whether the plan wants that */ \
	X(GOES_ALONE)     /* returns whether only one thread may run */                                                \
	X(ALL_SPIN)       /* returns whether all fibers that can run would only wait or loop */                        \
	X(IDLED)          /* no fiber could run, and the world had time to act */                                      \
	X(UNCLEAR)        /* object: a text: why things may happen otherwise although no operation says so */          \
	X(FAILS)          /* from here on the fiber only prints why the program ends */                                \
	X(EXPLAINED)      /* object: struct board_access; returns its number in the timeline */                        \
	X(TOUCHED)        /* the fields of ACCESS: an access to bytes that race gets its number */
/* clang-format on */

enum op_kind {
#define X(name) OP_KIND_##name,
	OP_KINDS(X)
#undef X
	        OP_KIND_COUNT
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
	uint64_t mode; /* a set of MODE(): the observer hears of operations while one of them is on */
	/*
	 * Returns 0 or an answer.  The operation's kind says what an answer means; of an access it means that neither
	 * the observers after this one nor the detector see the access.
	 */
	uint64_t (*op)(const struct op *op);
	bool hears_all, hears[OP_KIND_COUNT]; /* all operations, or {HEARS(NAME), ...} */
};
#define HEARS(name) [OP_KIND_##name] = true

/* The observers in the order in which they hear of an operation; NULL ends the list.  Defined by rt/start/modes.c. */
extern const struct observer *const observers[];
/* For each kind of operation, the modes in which an observer hears of it: from `observers`, by op_begin(). */
extern uint64_t op_modes[OP_KIND_COUNT];
void op_begin(void);

/*
 * Tells all observers whose mode is on and that hear of this kind.  All of it goes through registers, and the struct is
 * made in the frame of op_tell(): a struct in the frame of the function that tells would have old memory in it, which
 * would be in the state of the program where the function is at a point (fibers/state_hash.h).
 */
uint64_t op_tell(uint64_t kinds, const void *object, uint64_t size, uint64_t value, const struct omen_site *site,
                 const struct fiber *fiber);

/* Kind, flags and kind of object in one register. */
static inline uint64_t op_kinds(enum op_kind kind, uint32_t flags, enum object_kind object_kind)
{
	return (uint64_t)flags << 32 | (uint32_t)object_kind << 16 | (uint32_t)kind;
}

/* Does an observer hear of one of these two kinds now? */
#define op_is_heard(a, b) mode_any(op_modes[OP_KIND_##a] | op_modes[OP_KIND_##b])

/* OP(TAKING, .object = m, .object_kind = OBJECT_MUTEX): what the observers answer. */
#define OP(name, ...)                                                                                                  \
	({                                                                                                             \
		uint64_t answer_ = 0;                                                                                  \
		if (unlikely(mode_any(op_modes[OP_KIND_##name]))) {                                                    \
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
