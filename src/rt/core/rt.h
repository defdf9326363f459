/*
 * The runtime's state.  Everything that several rooms share and that changes while the program runs stands in one
 * struct, `omen`.  Every room may read it; the module named beside a part writes that part.
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
/* Aligns the stack: vectors may be on it, and assembly may call C, and so a hook, with a stack that is not aligned. */
#define COLD __attribute__((cold, noinline, force_align_arg_pointer))
/*
 * Clears the registers that a call need not keep.  Their contents are part of a fiber's state; without this a loop that
 * calls the function would never come back to the same state (endless_loop.c, step_record.c).
 */
#define FORGETS __attribute__((zero_call_used_regs("all-gpr")))
/*
 * Saves one register more that a call keeps, so that the compiler needs no dead one to fill up the frame: the frame is
 * in the state of the program.  tests/house/frames says where that is needed.
 */
#define EVEN_FRAME(register) __asm__ volatile("" ::: register)
#define unlikely(x)          __builtin_expect(!!(x), 0)
#define likely(x)            __builtin_expect(!!(x), 1)

#define NEVER INT64_MAX /* a deadline that never comes */

/* What a blocked fiber waits for: when the scheduler may let it continue. */
enum wait_kind {
	WAIT_KEY,    /* a fiber wakes `key` */
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
	bool uninterruptible; /* signals do not end the wait */
	enum wait_result result;
};

/* The operation that a fiber is in, for reports: its syscall alone does not show it. */
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

/* The syscall that a fiber is in. */
struct entry {
	const struct call *call; /* NULL: the program called a hook or an interposed function */
	uint64_t where;          /* the point it belongs to; it may be stale after a signal handler or a longjmp */
};

#define RED_ZONE 128 /* bytes below the stack pointer that a function without calls may use, too */

/* The state of a fiber at a point: state_hash.c. */
struct stand {
	bool noted, known;
	uint64_t digest; /* of its registers */
	uint64_t sp;     /* the stack pointer: the stack from here on is part of the state */
};

struct held_signal {
	siginfo_t info;
	struct held_signal *next;
};

struct clock;

/* What a fiber knows of the others, for happens-before: clock.c, happens_before.c. */
struct order {
	uint32_t slot;           /* the fiber's index in all clocks */
	uint32_t segment;        /* the segment of its accesses since its last release; 0: there is none yet */
	uint32_t pair, end_pair; /* the ids of its next segments */
	struct clock *clock;
	struct clock *release_fence; /* what it knew at its last release fence */
	struct clock *acquire_fence; /* what its next acquire fence will teach it, collected by relaxed loads */
	struct clock *sc_fences;     /* at its last seq_cst fence: the last seq_cst fences of all fibers, */
	struct clock *sc_stores;     /* and their last seq_cst stores (store_history.c) */
};

struct fiber {
	void *sp;     /* arch_switch relies on these two */
	uint64_t fs;  /* TLS base */
	uint32_t id;  /* 0 is the main thread; no two fibers ever have the same id */
	uint32_t tid; /* virtual thread id */
	enum { FIBER_RUNNABLE, FIBER_BLOCKED, FIBER_DONE } state;
	bool started;
	int64_t cpu;         /* how long it has run, ns */
	uint32_t run_index;  /* place in omen.runnable */
	uint32_t live_index; /* place in omen.live */
	uint32_t depth;      /* omen_hot->depth while not running */
	int32_t budget;      /* and omen_hot->budget */
	const struct omen_site **frames;
	uint64_t stack_low, stack_high; /* 0 while unknown */
	struct wait wait;
	bool waited;    /* its current write had to wait: io.c */
	uint64_t since; /* the point at which the wait began: says who has waited longest */
	enum object_kind object_kind;
	const void *object;
	const void *mutex; /* of a condition wait: the mutex that it takes again at its end */
	int *clear_tid;
	void *robust_list;
	uint64_t mask; /* blocked signals, bit n-1 */
	uint64_t pending;
	struct held_signal *signals;
	stack_t altstack;
	uint64_t priority;  /* for strategy pct */
	uint64_t queued;    /* for strategy queue */
	uint64_t made;      /* for strategy follow: how many points the fiber has made */
	uint64_t about;     /* its last point was before a plain access to this address, or 0 */
	uint64_t calls;     /* shadow/watch.c: library calls that may report accesses after they are over */
	uint64_t ops;       /* prediction_record.h: operations that it has come to */
	uint64_t ops_until; /* for strategy meet: the operation at which its turn ends */
	bool uncounted;     /* what it does now does not count as its operation */
	bool announced;     /* libc/: the point before the next call of a stream has been made */
	uint8_t branched;   /* omen_hot->branched while not running */
	uint8_t let_out;    /* and omen_hot->let_out */
	uint32_t creator;
	struct order order;
	const void
	        *own_fiber;  /* tsan_abi.c: the fiber of the program's own that it runs; NULL: the one it began with */
	uint32_t ignores[2]; /* tsan_abi.c: how often the program asked to ignore its reads, its writes */
	struct once *once;
	const void *once_tried;        /* pthread_once: this fiber began its function, which has not returned (yet) */
	const void *held[BOARD_LOCKS]; /* the locks that it holds, oldest first: held_locks.h */
	uint32_t nheld;
	uint32_t handling; /* the signal whose handler runs; 0: none */
	char name[16];
	struct attempt *attempt; /* kernel/bad_pointers.c: the current syscall */
	struct entry entry;
	const struct reduction *reduction; /* openmp_calls.c: the reduction that it is in */
	const struct team *at_barrier;     /* openmp.c: the team at whose barrier it is */
	const struct task *task;           /* openmp.c: the task that it executes */
	uint32_t barrier_turns;            /* openmp.c: how often libomp's loop at that barrier has yielded */
	cpu_set_t processors;              /* the processors that it asked for: kernel/processors.c; empty: all */
	struct {                           /* endless_loop.c */
		struct stand stand;
		uint32_t last; /* when in the proof its last turn was */
	} loop;
	struct { /* compare_orders.c */
		struct stand stand;
		uint64_t deeds; /* a hash of what it has done to the heap */
		uint64_t began; /* the point at which its syscall began; 0: it is in none */
	} compared;
};

/* A pthread_once() that a fiber executes. */
struct once {
	const void *control;
	void (*init)(void);
	struct once *outer;
};

enum point_kind {
	POINT_SYNC,   /* a synchronisation operation, an atomic, a visible syscall */
	POINT_STREAM, /* a call of a buffered stream: like SYNC, but there may be one for every byte */
	POINT_ACCESS, /* a plain access */
	POINT_YIELD,  /* the fiber yields, or its loop budget is used up */
	POINT_BLOCKED /* the fiber cannot continue */
};

/* A strategy decides which fiber runs and which one is woken: see strategy/. */
struct strategy {
	const char *name;
	/* An execution begins. */
	void (*start)(void);
	/* Picks the fiber that runs; the running fiber is in omen.runnable unless kind is POINT_BLOCKED. Sets
	 * omen.interest. */
	struct fiber *(*run)(enum point_kind kind);
	/* Picks which of n > 1 waiters is woken; waiters[0] has waited longest. */
	struct fiber *(*wake)(struct fiber **waiters, uint32_t n);
	/* Picks which of n > 1 stores an atomic load sees, the newest first; or whether something possible happens. */
	uint32_t (*pick)(uint32_t n);
	/*
	 * Of a replay: does time pass at this point although a fiber can run?  Nothing happens but what the schedule
	 * says.  NULL: the strategy is no replay.
	 */
	bool (*jumps)(void);
	/* What time does while a fiber can run, in executions that explore: strategy/time_jumps.c. */
	enum { TIME_WAITS, TIME_COMES, TIME_JUMPS } time;
};

/* Why there are no scheduling points. */
enum {
	OFF_BEFORE = 1, /* the runtime has not taken control yet */
	OFF_VFORK = 2,  /* a child process runs in this memory */
	OFF_ENDED = 4,  /* the execution is over, and its report is being made */
	OFF_INSIDE = 8, /* the runtime itself uses a library that synchronises */
};

#define MAX_FIBERS  4096
#define LOOP_BUDGET 2000 /* loop back-edges before a spinning fiber lets others run, if the board says nothing */

struct omen {
	/* init.c */
	uint32_t off;             /* OFF_*: while not 0 there are no scheduling points */
	uint64_t modes;           /* mode.h */
	struct board *board;      /* NULL when the program was started without the tool */
	uint32_t pid, former_pid; /* the process id, virtual unless a log has it; an older id that still counts, or 0 */
	uint32_t tids;            /* the id of a thread other than the first is this plus its number */
	uint64_t text_low, text_high;     /* libomen's own code */
	uint64_t data_low, data_high;     /* libomen's own data */
	uint64_t libc_low, libc_high;     /* the C library's code */
	uint64_t loader_low, loader_high; /* the dynamic linker's code */
	uint64_t told_low, told_high;     /* libomp's code, if libomp reports what it orders: openmp.c */
	uint32_t tcb_size;                /* bytes that the C library keeps after a thread's TLS base */

	/* fiber.c, sched.c */
	struct fiber *current;
	uint32_t nrunnable, nlive;
	uint32_t next_id;
	uint32_t threads_made;
	uint32_t handling;     /* how many fibers run a signal handler */
	bool fibers_ended;     /* some fibers have ended: other fibers may get their stacks */
	struct fiber *dumping; /* the fiber that asks the others for their stacks, or NULL */
	const struct strategy *strategy;
	uint64_t points;
	uint64_t turns;     /* how many points are neither plain accesses nor loops */
	bool hidden;        /* a library synchronises by means that the runtime does not see */
	bool libomp;        /* libomp is loaded, and does so unless told_low is set */
	bool cells_used;    /* an access has left something in a cell */
	uint64_t stop_at;   /* the point of config.stop_at, until it is reached; then UINT64_MAX */
	uint64_t sparse_at; /* from this point on plain accesses are no points */
	uint64_t unseen;    /* about how many points the execution would have made in addition without sparse mode */
	struct board_watch race; /* the race for which the execution has left its recording */
	uint64_t interest;       /* the next point at a plain access at which the strategy must be asked */
	uint64_t jump_at;        /* the next point at which time may pass up to the next deadline */
	/* a debugger wants to stop at this point or as soon as possible after it */
	uint64_t debug_point;
	uint64_t switches, preemptions;
	int32_t loop_budget;   /* loop back-edges before a fiber lets others run */
	uint32_t stretch;      /* how often the budget was doubled while all running fibers only compute */
	uint32_t most_stretch; /* the limit of `stretch` */
	uint32_t used_up;      /* budgets used up since the last doubling */
	uint64_t where;        /* the place of the current point, as in struct schedule_entry */
	uint64_t events;       /* a hash of all points, answers of the world and signals so far */
	uint64_t progress;     /* incremented by every effect outside the program's memory, and by reads of clocks */

	/* strategy */
	uint64_t rng;

	/* kernel/ */
	int64_t clock;                  /* virtual monotonic time, ns */
	int64_t cpu;                    /* the part of `clock` in which threads have run */
	int64_t jumped;                 /* the part of `clock` that passed by jumps while a fiber could run */
	int64_t pace;                   /* what a point adds to `clock` */
	int64_t next_deadline;          /* no timer and no timed wait ends before this */
	uint32_t io_waiters;            /* fibers in WAIT_FDS */
	bool io_dirty;                  /* something has happened that may have made a descriptor ready */
	volatile sig_atomic_t knocking; /* signals have come from outside and must be taken */
	bool signal_arrived;            /* some were taken, but no fiber has been chosen for them yet */
	uint64_t signal_point; /* replay: the point at which the recording took the next one; UINT64_MAX: not yet known
	                        */
	uint32_t children;     /* child processes for which the program has not waited yet */
	uint64_t kernel_mask;  /* signals that are blocked in the kernel: those that a signalfd takes */

	/* fiber.c, sched.c: these are large and come last, so that the rest is on one page, which every snapshot copies
	 */
	struct fiber *live[MAX_FIBERS]; /* all fibers that are not DONE, by id */
	struct fiber *runnable[MAX_FIBERS];
};

extern struct omen omen;

#define current_fiber (omen.current)

/* Has the program asked to ignore what the running fiber reads (false) or writes (true)? */
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

/* Adds something that a replay must repeat to the hash omen.events. */
static inline void omen_event(uint64_t what, uint64_t how)
{
	uint64_t h = (omen.events ^ what) * 0x9fb21c651e98df25u + how;

	omen.events = (h ^ h >> 29) * 0x9fb21c651e98df25u;
}

#endif
