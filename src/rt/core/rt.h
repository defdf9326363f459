/*
 * The runtime's state. Everything that changes while the program runs stands in one struct, `omen`; each part of it is
 * written by the one module named beside it.
 */
#ifndef OMEN_RT_H
#define OMEN_RT_H

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/hooks.h"
#include "abi/board.h"
#include "rt/core/mode.h"

#define EXPORT __attribute__((visibility("default")))
/* Vectors may be on the stack there, and assembly may call C, and so a hook, with a stack that is not aligned. */
#define COLD __attribute__((cold, noinline, force_align_arg_pointer))
/*
 * Leaves nothing in the registers that a call need not keep: a loop that calls it would otherwise never be seen to come
 * back to the same registers (endless_loop.c, step_record.c), as what is left there is counted.
 */
#define FORGETS     __attribute__((zero_call_used_regs("all-gpr")))
/*
 * Saves one register more that a call keeps, so that the compiler needs no dead one to fill up the frame: the frame is in
 * the state of the program.  tests/house/frames says where that is needed.
 */
#define EVEN_FRAME(register) __asm__ volatile("" ::: register)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define likely(x)   __builtin_expect(!!(x), 1)

#define NEVER INT64_MAX /* a deadline that does not come */

/* What a blocked fiber waits for: how the scheduler can tell that it may go on. */
enum wait_kind {
	WAIT_KEY,    /* somebody wakes `key` */
	WAIT_FDS,    /* one of `fds` is ready */
	WAIT_SIGNAL, /* a signal */
	WAIT_CHILD,  /* a child process changes state */
	WAIT_SHARED, /* a futex that other processes can wake: its word changes */
};

enum wait_result { WAIT_PENDING, WAIT_WOKEN, WAIT_TIMEOUT, WAIT_INTERRUPTED };

struct wait {
	enum wait_kind kind;
	const void *key;
	uint32_t bits;  /* futex bitset */
	uint32_t value; /* WAIT_SHARED: the word's value at the start */
	struct pollfd *fds;
	uint32_t nfds;
	int64_t deadline;     /* virtual monotonic time, or NEVER */
	bool uninterruptible; /* signals do not end it */
	enum wait_result result;
};

/* The operation a fiber is in, for reports: what the syscall below it does not show. */
enum object_kind {
	OBJECT_NONE,
	OBJECT_MUTEX,
	OBJECT_RWLOCK,
	OBJECT_COND,
	OBJECT_BARRIER,
	OBJECT_SEMAPHORE,
	OBJECT_SPINLOCK,
	OBJECT_ONCE,
	OBJECT_THREAD,
};

struct call;

/* The syscall under way. */
struct entry {
	const struct call *call; /* NULL: the program called a hook or an interposed function */
	uint64_t where;          /* the point it belongs to: a handler or a longjmp may have left it behind */
};

#define RED_ZONE 128 /* bytes below the stack pointer that are the program's too, where it has called nobody */

/* Where a fiber is, at a point: state_hash.c. */
struct stand {
	bool noted, known;
	uint64_t digest; /* of its registers */
	uint64_t sp;     /* its stack from here on counts */
};

struct held_signal {
	siginfo_t info;
	struct held_signal *next;
};

struct clock;

/* What a fiber knows of the others: clock.c, happens_before.c. */
struct order {
	uint32_t slot;           /* its index in all clocks */
	uint32_t segment;        /* of its accesses since its last release; 0: there is none yet */
	uint32_t pair, end_pair; /* the ids that its next segments will have */
	struct clock *clock;
	struct clock *release_fence; /* what it knew at its last release fence */
	struct clock *acquire_fence; /* what an acquire fence would teach it: from relaxed loads */
	struct clock *sc_fences;     /* by its last sequentially consistent fence: the last ones of all, */
	struct clock *sc_stores;     /* and the last such stores of all (store_history.c) */
};

struct fiber {
	void *sp;    /* arch_switch relies on these two */
	uint64_t fs; /* TLS base */
	uint32_t id; /* 0 is the main thread; never used again */
	uint32_t tid;
	enum { FIBER_RUNNABLE, FIBER_BLOCKED, FIBER_DONE } state;
	bool started;
	int64_t cpu;         /* time that it has run, ns */
	uint32_t run_index;  /* place in omen.runnable */
	uint32_t live_index; /* place in omen.live */
	uint32_t depth;      /* omen_hot->depth while not running */
	int32_t budget;      /* and omen_hot->budget */
	const struct omen_site **frames;
	uint64_t stack_low, stack_high; /* 0 while unknown */
	struct wait wait;
	bool waited;    /* the write under way had to wait: io.c */
	uint64_t since; /* when the wait began, in points: who waits longest */
	enum object_kind object_kind;
	const void *object;
	const void *mutex; /* of a condition wait: taken again at its end */
	int *clear_tid;
	void *robust_list;
	uint64_t mask; /* blocked signals, bit n-1 */
	uint64_t pending;
	struct held_signal *signals;
	stack_t altstack;
	uint64_t priority;  /* pct */
	uint64_t queued;    /* queue */
	uint64_t made;      /* follow: points of its own */
	uint64_t about;     /* the address of the plain access that its last point was before, or 0 */
	uint64_t calls;     /* watch: library calls that may tell what they did when they are over */
	uint64_t ops;       /* history: operations that it has come to */
	uint64_t ops_until; /* meet: where its turn ends */
	bool uncounted;     /* what it does now is no operation of its own */
	bool announced;     /* buffered: the point before the next call of a stream has been made */
	uint8_t branched;   /* omen_hot->branched while not running */
	uint8_t let_out;    /* and omen_hot->let_out */
	uint32_t creator;
	struct order order;
	const void *own_fiber; /* tsan_abi.c: which of the program's own fibers it runs; NULL: the one it began with */
	uint32_t ignores[2];   /* tsan_abi.c: how often the program asked not to count its reads, its writes */
	struct once *once;
	const void *once_tried;        /* its function began here, and did not return yet or never will */
	const void *held[BOARD_LOCKS]; /* the last locks taken and not given back, oldest first: held_locks.h */
	uint32_t nheld;
	uint32_t handling; /* the signal whose handler runs; 0: none */
	char name[16];
	struct attempt *attempt; /* kernel/bad_pointers.c: the syscall under way */
	struct entry entry;
	const struct reduction *reduction; /* openmp.c: that it is in */
	const struct team *at_barrier;     /* the team at whose barrier it is, */
	const struct task *task;           /* and the task */
	uint32_t barrier_turns;            /* there, of libomp's loop */
	cpu_set_t processors;              /* that it asked for: kernel/processors.c; empty: all */
	struct {                           /* endless_loop.c */
		struct stand stand;
		uint32_t last; /* when in the proof it had its last turn */
	} loop;
	struct { /* compare_orders.c */
		struct stand stand;
		uint64_t deeds; /* what it has done to what is known of the heap */
		uint64_t began; /* the point at which its syscall begins; 0: it is in none */
	} compared;
};

/* A pthread_once under way. */
struct once {
	const void *control;
	void (*init)(void);
	struct once *outer;
};

enum point_kind {
	POINT_SYNC,   /* a synchronisation operation, an atomic, a visible syscall */
	POINT_STREAM, /* a call of a buffered stream: as SYNC, but there may be one for every byte */
	POINT_ACCESS, /* a plain access */
	POINT_YIELD,  /* the fiber asks to stand back, or its loop budget is used up */
	POINT_BLOCKED /* the fiber cannot go on */
};

/* Who runs on, and who is woken: see strategy/. */
struct strategy {
	const char *name;
	/* An execution begins. */
	void (*start)(void);
	/* Picks who runs; the running fiber is in omen.runnable unless kind is POINT_BLOCKED. Sets omen.interest. */
	struct fiber *(*run)(enum point_kind kind);
	/* Picks who of n > 1 waiters is woken; waiters[0] has waited longest. */
	struct fiber *(*wake)(struct fiber **waiters, uint32_t n);
	/* Picks which of n > 1 stores an atomic load sees, the newest first; or whether something possible happens. */
	uint32_t (*pick)(uint32_t n);
	/*
	 * A replay: nothing but what its schedule says happens, and whether time passes at a point while somebody can
	 * run is asked of it.  NULL: another strategy.
	 */
	bool (*jumps)(void);
	/* What time does while somebody can run, where executions are explored: fibers/strategy/time_jumps.c. */
	enum { TIME_WAITS, TIME_COMES, TIME_JUMPS } time;
};

/* Why there are no scheduling points. */
enum {
	OFF_BEFORE = 1, /* the runtime has not taken control yet */
	OFF_VFORK = 2,  /* a child runs in our memory */
	OFF_ENDED = 4,  /* the execution is over, its report is being made */
	OFF_INSIDE = 8, /* the runtime itself uses a library that synchronises */
};

#define MAX_FIBERS  4096
#define LOOP_BUDGET 2000 /* back-edges before a spinning fiber stands back, if the board says nothing */

struct omen {
	/* init.c */
	uint32_t off;                     /* OFF_*: while not 0 there are no scheduling points */
	uint64_t modes;                   /* mode.h */
	struct board *board;              /* NULL when the program was started without the tool */
	uint32_t pid, former_pid;         /* the process id, virtual unless a log has it; one still known, or 0 */
	uint32_t tids;                    /* a thread's id is this and its number, but for the first one's */
	uint64_t text_low, text_high;     /* libomen's own code */
	uint64_t data_low, data_high;     /* and data */
	uint64_t libc_low, libc_high;     /* the C library's code */
	uint64_t loader_low, loader_high; /* the dynamic linker's */
	uint64_t told_low, told_high;     /* libomp's, if it tells what it orders: openmp.c */
	uint32_t tcb_size;                /* what the C library keeps behind a thread's TLS base */

	/* fiber.c, sched.c */
	struct fiber *current;
	uint32_t nrunnable, nlive;
	uint32_t next_id;
	uint32_t threads_made;
	uint32_t handling;     /* fibers that run a handler of signals */
	bool fibers_ended;     /* some have: their stacks may come again */
	struct fiber *dumping; /* a fiber that asked the others for their stacks */
	const struct strategy *strategy;
	uint64_t points;
	uint64_t turns;          /* of these, those that are neither plain accesses nor loops */
	bool hidden;             /* a library synchronises by means that are not seen */
	bool libomp;             /* so does libomp, unless it tells: told_low */
	bool cells_used;         /* an access has left something in a cell */
	uint64_t stop_at;        /* the point of config.stop_at, until it is reached; then UINT64_MAX */
	uint64_t sparse_at;        /* the point from which on they are not */
	uint64_t unseen;         /* points that it would have made otherwise, about */
	struct board_watch race; /* of the execution, once it has left its recording for one */
	uint64_t interest;       /* the next point at a plain access where the strategy wants to be asked */
	uint64_t jump_at;        /* the next point at which time may pass up to the next deadline */
	/* a debugger wants to stop at this one, or as soon as can be */
	uint64_t debug_point;
	uint64_t switches, preemptions;
	int32_t loop_budget;   /* back-edges before a fiber stands back */
	uint32_t stretch;      /* doubled so often, while all that run only compute */
	uint32_t most_stretch; /* but not more often than this */
	uint32_t used_up;      /* budgets used up since it was last doubled */
	uint64_t where;        /* where the current point is, as in struct schedule_entry */
	uint64_t events;       /* a hash of all points, answers of the world and signals so far */
	uint64_t progress;     /* bumped by all that reaches outside the program's memory, and by reading clocks */

	/* strategy */
	uint64_t rng;

	/* kernel/ */
	int64_t clock;                  /* virtual monotonic time, ns */
	int64_t cpu;                    /* that of it in which threads have run */
	int64_t jumped;                 /* so much of it was let pass while somebody could run */
	int64_t pace;                   /* what a point adds to it */
	int64_t next_deadline;          /* no timer or timed wait ends before this */
	uint32_t io_waiters;            /* fibers in WAIT_FDS */
	bool io_dirty;                  /* something was done that may have made a descriptor ready */
	volatile sig_atomic_t knocking; /* signals have come from outside, and are to be let in */
	bool signal_arrived;            /* some are in, for nobody in particular yet */
	uint64_t signal_point;          /* replay: the point at which the next was let in; UINT64_MAX: not yet known */
	uint32_t children;              /* processes made and not waited for */
	uint64_t kernel_mask;           /* signals blocked for real: those that a signalfd takes */

	/* fiber.c, sched.c again: large, so that the rest stays on one page, which every snapshot copies */
	struct fiber *live[MAX_FIBERS]; /* not DONE, by id */
	struct fiber *runnable[MAX_FIBERS];
};

extern struct omen omen;

#define current_fiber (omen.current)

/* The program has asked not to count what the running fiber reads (false) or writes (true). */
static inline bool access_ignored(bool write) { return unlikely(omen.current->ignores[write]); }

/* The live fiber with this virtual thread id, or NULL. */
static inline struct fiber *fiber_by_tid(uint32_t tid)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->tid == tid)
			return omen.live[i];
	return NULL;
}

static inline bool is_our_pid(int pid)
{
	return pid > 0 && ((uint32_t)pid == omen.pid || (uint32_t)pid == omen.former_pid);
}

/* Something happened that a replay must repeat. */
static inline void omen_event(uint64_t what, uint64_t how)
{
	uint64_t h = (omen.events ^ what) * 0x9fb21c651e98df25u + how;

	omen.events = (h ^ h >> 29) * 0x9fb21c651e98df25u;
}

#endif
