/*
 * The board: the memory that the tool and the program under test share.
 *
 * The tool makes it (a memfd), fills `config`, and starts the program with the board as descriptor
 * BOARD_FD, a stream socket as CONTROL_FD and OMEN_BOARD=BOARD_FD in the environment.  The runtime maps it at
 * BOARD_ADDRESS, closes the descriptor and removes the variable.  The child of a crash leaves what it knew
 * on the board: nothing on it is ever behind a pointer of the program's own memory.
 *
 * BOARD_RUN: main runs once, in this process, under config.strategy; `result` holds when the process is gone.
 *
 * BOARD_SERVE: the process stops before main and makes config.runs executions, each a snapshot of itself. Run i
 * (0 ≤ i < runs) uses seed config.seed + config.first + i * config.step.  After each run `runs_done` is
 * bumped; if its result is a failure the server writes the byte 'F' on the socket, if it is not but there are new races
 * or a new output an 'R', and waits for one byte back before it goes on, so that the tool can copy result, races,
 * schedule and output. After the last run it writes 'E' and exits 0. Descriptors 1 and 2 are then memfds that hold the
 * output of the current run only.
 */
#ifndef OMEN_BOARD_H
#define OMEN_BOARD_H

#include <stdint.h>

#include "abi/timeline_events.h"
#include "abi/prediction_log.h"
#include "abi/steps.h"
#include "abi/world_log.h"

#define BOARD_MAGIC       0x646f426e656d4fu /* "OmenBod" */
#define BOARD_FD          1000
#define CONTROL_FD        1001
#define BOARD_ADDRESS     0x515300000000ul
#define BOARD_SIZE        (1ul << 30)                  /* sparse */
#define BOARD_LOG_ADDRESS (BOARD_ADDRESS + BOARD_SIZE) /* the log of a recording (world_log.h), in the same memfd */

/* Behind the log: the events (timeline_events.h). */
#define BOARD_EVENTS         (BOARD_SIZE + WORLD_LOG_SIZE)
#define BOARD_EVENTS_ADDRESS (BOARD_ADDRESS + BOARD_EVENTS)
#define BOARD_MEMORY         (BOARD_EVENTS + EVENTS_SIZE)

/* What the parent of an execution sends when its time is up: the runtime then says where it stands, and ends. */
#define TIMEOUT_SIGNAL   64
#define TIMEOUT_GRACE_MS 1000 /* for that; then SIGKILL */

enum board_mode { BOARD_RUN, BOARD_SERVE };

/* One row a strategy: identifier, name on the command line. Semantics: docs/design.md, "Schedules". */
#define STRATEGIES(X)                                                                                                  \
	X(FAIR, "fair")                                                                                                \
	X(RANDOM, "random")                                                                                            \
	X(PCT, "pct")                                                                                                  \
	X(QUEUE, "queue")                                                                                              \
	X(REPLAY, "replay")                                                                                            \
	X(FOLLOW, "follow")                                                                                            \
	X(EXHAUST, "exhaust")                                                                                          \
	X(MEET, "meet")                                                                                                \
	X(COARSE, "coarse")                                                                                            \
	X(KEEP, "keep")                                                                                                \
	X(RACY, "racy")                                                                                                \
	X(MIXED, "mixed")

enum strategy_id {
#define X(id, name) STRATEGY_##id,
	STRATEGIES(X)
#undef X
};

/* How an execution ended. One row an ending: identifier, name in reports (and JSON), whether it is a failure. */
#define ENDINGS(X)                                                                                                     \
	X(NONE, "none", 0)          /* still running, or killed before it could say */                                 \
	X(EXIT, "exit", 0)          /* exit status 0 */                                                                \
	X(STATUS, "exit-status", 1) /* another exit status */                                                          \
	X(CRASH, "crash", 1)        /* killed by a signal */                                                           \
	X(ASSERTION, "assertion", 1)                                                                                   \
	X(EXCEPTION, "uncaught-exception", 1)                                                                          \
	X(MEMORY, "memory-error", 1) /* config.check: memory that is not the access's, or not there any more */        \
	X(LOCK, "lock-misuse", 1)    /* config.check */                                                                \
	X(INVARIANT, "invariant", 1) /* OMEN_INVARIANT(), or one of config.invariant */                                \
	X(DEADLOCK, "deadlock", 1)                                                                                     \
	X(LOOP, "infinite-loop", 1)                                                                                    \
	X(BUDGET, "no-end", 1)     /* event budget used up: perhaps endless, not proven */                             \
	X(TIMEOUT, "timeout", 1)   /* killed by the server after config.timeout_ms of wall time */                     \
	X(DIVERGED, "diverged", 1) /* replay only: the program left the schedule */                                    \
	X(UNKNOWN, "unknown", 0)   /* it left the recording, which does not tell how the world would go on */          \
	X(STOPPED, "stopped", 0)   /* where it was asked to */                                                         \
	X(CUT, "cut", 0)           /* replay only: what was recorded ends here */                                      \
	X(ENDED, "ended", 0)       /* where the recorded part was ended (end_asked); status 1: while it was at work */ \
	X(OMEN, "omen-failed", 1)  /* a failure of Omen itself */

enum ending {
#define X(id, name, failure) ENDING_##id,
	ENDINGS(X)
#undef X
};

/*
 * Whether races are looked for. DETECT_PRECISE: every past access is kept with its site, also where plain accesses are
 * no points. DETECT_EXPLAIN: in a replay, with `watched` from the execution that is replayed.
 */
enum detect { DETECT_OFF, DETECT_RACES, DETECT_PRECISE, DETECT_EXPLAIN };

/* What atomic loads see: the newest store, or any that C11 allows; and then, which of them a strategy prefers. */
enum memory_model { MEMORY_SC, MEMORY_C11, MEMORY_MODELS };
enum reads { READS_UNIFORM, READS_OLDEST, READS_NEWEST, READS_COUNT };

struct memory_config {
	uint32_t model;     /* enum memory_model */
	uint32_t reads;     /* enum reads */
	uint32_t cxx20;     /* C++20's rules, not C11's */
	uint32_t ordered;   /* the modification order is the order of execution */
	uint32_t volatiles; /* volatile accesses are atomic: loads acquire, stores release */
	uint32_t history;   /* stores kept of each location */
};
#define HISTORY_MOST 250

/*
 * Whether accesses to the wrong memory and misuse of locks end an execution.  CHECK_FULL: what is freed is kept for a
 * while, so that its use is seen; so memory has other addresses than without.  CHECK_FOLLOW: that begins only where the
 * execution leaves its recording.
 */
enum check { CHECK_OFF, CHECK_FOLLOW, CHECK_FULL };

/* Violations that do not end an execution: each by its place and kind (board_result.passable). */
#define BOARD_PASSED 64

/* A global variable of the program that is always to be compared so with a number. */
#define INVARIANT_OPERATORS(X)                                                                                         \
	X(LESS_EQUAL, "<=", <=)                                                                                        \
	X(GREATER_EQUAL, ">=", >=)                                                                                     \
	X(EQUAL, "==", ==)                                                                                             \
	X(NOT_EQUAL, "!=", !=)                                                                                         \
	X(LESS, "<", <)                                                                                                \
	X(GREATER, ">", >)

enum invariant_operator {
#define X(id, text, operator) INVARIANT_##id,
	INVARIANT_OPERATORS(X)
#undef X
};

enum invariant_type { INVARIANT_UNSIGNED, INVARIANT_SIGNED, INVARIANT_REAL, INVARIANT_TYPES };

struct board_invariant {
	uint64_t address; /* in the program's file */
	uint32_t size;
	uint32_t type;      /* enum invariant_type */
	uint32_t operator_; /* enum invariant_operator */
	uint32_t negative;  /* the number is -number */
	uint64_t number;
	double real;    /* the same, for INVARIANT_REAL */
	char text[120]; /* as it was asked for */
};
#define BOARD_INVARIANTS 8

struct strategy_config {
	uint32_t id;     /* enum strategy_id */
	uint32_t depth;  /* pct: d; coarse: the fiber that runs whenever it can, and 1; 0: none */
	uint64_t length; /* pct, mixed: expected number of points of one execution; 0: the server measures it with one
	                    fair run; coarse: 0: that fiber always runs, else for a while */
};

/*
 * Classification. A replay with stops: before the access with number `touch` to these bytes the process says 'S' on the
 * socket (stop_reached tells which), and then for each byte BOARD_PLAN that it gets makes an execution as `plan` says,
 * and says 'R' behind it; BOARD_GO_ON lets it go on to the next stop, BOARD_QUIT end. STOP_DEPART: no other execution
 * is made, this one leaves the recording there, and its schedule has the rest.
 */
struct board_stop {
	uint64_t address, touch;
	uint32_t over; /* it is none any more */
};
#define BOARD_STOPS 4096
#define BOARD_PLAN  'p'
#define BOARD_GO_ON 'c'
#define BOARD_QUIT  'q'

enum plan_order {
	PLAN_RECORDED, /* as recorded */
	PLAN_FIRST,    /* the access at the stop first, then the other thread's */
	PLAN_SECOND,   /* the other thread's first */
	PLAN_PROBE,    /* the thread at the stop is held for as long as others get on */
	PLAN_PASSED,   /* it makes its access and is held then; the other thread alone goes on, while it can */
	PLAN_REPLAY,   /* STOP_DEPART */
	PLAN_FOLLOW,   /* as `steps` say, under STRATEGY_FOLLOW */
};

enum plan_outcome {
	PLAN_NONE,    /* the execution ended before it came to anything */
	PLAN_DONE,    /* both accesses were made, in the order asked for */
	PLAN_BLOCKED, /* all others wait, the other thread too */
	PLAN_SPINS,   /* all others wait or repeat themselves */
	PLAN_ENDED,   /* the other thread has ended without it, and all others wait */
	PLAN_BUDGET,  /* the other thread did not come to it in `budget` points */
};

/*
 * Racy words that the other thread read while the first was held, and that the first had written last: what keeps it
 * from coming to its access may be one of these.  A bit for each, by its address; several may have the same.
 */
#define WENT_BY 256
static inline uint32_t went_by_bit(uint64_t address)
{
	return (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15u >> 56) % WENT_BY;
}

#define OTHER_CLOCKS 4 /* ahead; and at another pace; and at quite another one; all of that by very little */

struct board_plan {
	uint32_t order;                /* enum plan_order */
	uint32_t compare;              /* take the state after both accesses */
	uint32_t flags, fiber;         /* the other access: kind and thread in the recording, */
	uint64_t site;                 /* and place */
	uint64_t seed, budget, turns;  /* PLAN_BUDGET: points, and of these those that are neither accesses nor loops */
	uint32_t looks;                /* races are looked for behind the two accesses, too */
	uint32_t traces;               /* stacks of allocations and frees are kept, for what is told of a violation */
	uint32_t lingers;              /* PLAN_SECOND: the other thread goes on for as long as it can */
	uint32_t prepares;             /* and before it comes to its access, all others go as far as they can */
	struct strategy_config onward; /* after both */
	uint32_t other_clocks;         /* 1 … OTHER_CLOCKS: clocks tell other times than they would, ids are others */
	uint32_t gives;                /* what it gives to the outside is kept: board_given.kept */
	uint32_t keeps;                /* accesses to watched bytes are to come in the order of `touches`, */
	uint64_t last;                 /* PLAN_SECOND: but for those to the race's bytes up to this number; */
	uint32_t alone;                /* or only for the first and the last of these */
	/* what came of it */
	uint32_t outcome; /* enum plan_outcome */
	uint32_t strayed; /* `keeps`: some did not */
	uint64_t touched; /* how often the other access was made while the thread was held; PLAN_SPINS: in one
	                     repetition */
	uint64_t slept;   /* how long all others only waited for the time to pass meanwhile, in nanoseconds */
	uint64_t state;   /* a hash of memory and registers; 0: unknown */
	uint64_t world;   /* and of what was done to the world: if only that differs, nothing is known */
	uint64_t went_by[WENT_BY / 64];
};

/*
 * STRATEGY_FOLLOW: turns instead of choices at points. Where a fiber's turn ends is said in points of its own, counted
 * from where the execution leaves its recording (those at which it blocked are not counted), so a step means the same
 * when others are left out. A step whose fiber cannot run is passed over; behind the last one all goes on by default.
 */
struct board_step {
	uint32_t kind;   /* enum choice_kind */
	uint32_t fiber;  /* RUN: whose turn it is; WAKE, PICK: who chooses */
	uint32_t chosen; /* WAKE, PICK */
	uint64_t until;  /* RUN: the turn ends when it has come to so many (UINT64_MAX: when it blocks or only loops);
	                    WAKE, PICK: it chooses at this one */
};
#define BOARD_STEPS 4096

/* The execution ends there; or `runs` executions go on from a snapshot of it, one after the other: the byte 'R' on the
 * socket after each, as in BOARD_SERVE. */
enum stop { STOP_END, STOP_SERVE, STOP_DEPART };

/* A piece of the program's code, by its addresses in the file. */
struct board_code {
	uint64_t low, high;
};
#define BOARD_WITHOUT 32

struct board_config {
	uint64_t magic;
	char version[16];       /* OMEN_VERSION of the tool */
	uint32_t mode;          /* enum board_mode */
	uint32_t access_points; /* plain accesses are scheduling points too */
	uint32_t detect;        /* enum detect */
	uint32_t merging;       /* DETECT_RACES: bytes may be told that only a replay can tell to have raced or not */
	uint32_t outputs;       /* executions are told apart by what they write to standard output, too */
	uint32_t world;         /* enum world_mode */
	uint32_t record_files;  /* files that are only read go into the log too */
	uint32_t interruptible; /* a SIGINT that nobody handles means that enough was recorded */
	uint64_t events;        /* how many to write down at most */
	uint32_t events_late;   /* only from where the execution leaves its recording */
	uint32_t count_sites;   /* how often each site is executed is counted */
	uint32_t predict_mode;  /* enum predict_mode: the prediction log, in the memory of these events */
	struct strategy_config strategy;
	struct memory_config memory;
	uint32_t loop_budget;  /* back-edges of loops before a fiber stands back for others; 0: as the runtime likes */
	uint32_t loop_stretch; /* how often that may double while nobody does anything but compute */
	uint64_t seed, first, step, runs;
	uint32_t check;   /* enum check */
	uint32_t npassed; /* violations that the execution goes on behind, as it does without a check */
	uint64_t passed[BOARD_PASSED];
	uint32_t blind;    /* the detector does not see mutexes: for tests */
	uint32_t nwithout; /* synchronisation that is called from here does nothing */
	struct board_code without[BOARD_WITHOUT];
	uint32_t ninvariants;
	struct board_invariant invariant[BOARD_INVARIANTS];
	uint64_t stop_at; /* replay: at the first point from here on, `stop` happens; 0: nowhere */
	uint32_t stop;    /* enum stop */
	uint32_t departs; /* at stop_at the recording is left, and the schedule goes on: every access is a point then */
	uint32_t every;   /* and from the first thread on every operation that others can notice is one, and sleep takes
	                     no   time */
	struct strategy_config onward; /* STOP_SERVE: how executions go on; STRATEGY_REPLAY: as recorded */
	uint32_t given;        /* what is given to the outside is noted, where a recording is replayed or left */
	uint64_t event_budget; /* points after which an execution is given up; 0: none */
	uint64_t turn_budget;  /* the same of those that are neither accesses nor loops, which cost far more */
	uint64_t timeout_ms;   /* wall time for one execution; 0: none */
};

/*
 * A schedule is the list of choices that differ from the default. Points are counted from 1; at most one choice a
 * point. The default at a scheduling point is that the running fiber goes on (if it can: otherwise every choice is
 * listed); the default at a wake point is the fiber that has waited longest. A pick is the number of a possibility, 0
 * by default: which of several stores an atomic load sees, the newest first. A hold keeps the running fiber from
 * running until its release. Time: it passes up to the next deadline, although somebody can run; by default it waits.
 * Behind a hold, a release or time another choice may stand at the same point.
 */
enum choice_kind { CHOICE_RUN, CHOICE_WAKE, CHOICE_PICK, CHOICE_HOLD, CHOICE_RELEASE, CHOICE_TIME };

struct schedule_entry {
	uint64_t point;
	uint32_t kind;    /* enum choice_kind */
	uint32_t chosen;  /* the fiber, or the number */
	uint32_t from;    /* the fiber that was running */
	uint32_t blocked; /* 1: `from` could not go on, 0: it was preempted */
	uint64_t where;   /* address of an omen_site (low bit clear) or of code (low bit set: pc * 2 + 1); 0 unknown */
};

struct board_stack {
	uint32_t fiber;
	uint32_t depth;     /* used entries of pc[], innermost first; return addresses except the first of a fault */
	uint32_t waits_for; /* fiber that holds what this one waits for, or BOARD_NOBODY */
	uint32_t in_cycle;  /* part of the wait-for cycle */
	char state[120];    /* "running", "finished", "waits for mutex 0x… held by T2", … */
	uint64_t pc[60];
};
#define BOARD_NOBODY 0xffffffffu
#define BOARD_STACKS 128

/*
 * A race: two accesses to common bytes, at least one of them a write, at most one atomic, neither before the other.
 * Distinct by the unordered pair of (site, flags); access[0] came first in the execution that is described.
 * While detecting, little is known of access[0]: its site (of the first access of its segment to these bytes), its
 * thread and flags.  DETECT_EXPLAIN knows everything.
 */
enum { ACCESS_WRITE = 1, ACCESS_ATOMIC = 2, ACCESS_FREE = 4, ACCESS_HAS_VALUE = 8 };
#define BOARD_LOCKS 8

struct board_access {
	uint64_t site;    /* address of the omen_site; 0: unknown */
	uint64_t address; /* the first byte; 0: unknown */
	uint32_t size;    /* 0: unknown */
	uint32_t flags;   /* ACCESS_* */
	uint64_t value;   /* the bytes read or to be written, the first 8 of them */
	uint32_t nlocks;  /* locks held */
	uint64_t lock[BOARD_LOCKS];
	uint64_t event; /* its number in the stream, from 1 on, or 0 */
	struct board_stack
	        stack; /* depth 0: unknown; pc[0] is the address of the access's code, not a return address */
};

/* Two accesses that race, by their numbers among those to these 8 bytes. */
struct board_instance {
	uint64_t address;
	uint64_t touch[2]; /* their numbers: see also watch_late() */
	uint32_t fiber[2];
	uint32_t swapped; /* the first is access[1] of the race */
};
#define BOARD_INSTANCES 8

struct board_race {
	struct board_access access[2];
	uint64_t address;    /* the first byte they have in common */
	uint64_t instances;  /* how often it was seen: on the board, so over all executions of a worker */
	uint64_t executions; /* in how many of them */
	uint64_t last;       /* the last of these: its seed */
	uint64_t seed;       /* the execution that is described */
	uint32_t explained;  /* made under DETECT_EXPLAIN */
	uint32_t hidden;     /* an access, or a thread between them, went through code that Omen does not see into */
	/* DETECT_EXPLAIN only */
	uint32_t ninstances;
	struct board_instance instance[BOARD_INSTANCES]; /* the first, some between, the last */
	uint64_t block, block_size;                      /* the heap block, or 0 */
	uint32_t block_fiber, in_stack_of; /* who allocated it; whose stack the address is in, or BOARD_NOBODY */
	struct board_stack allocation;
};
#define BOARD_RACES 4096

/* What happened to bytes that raced, one access after the other, by 8 of them: DETECT_EXPLAIN only. */
struct board_touch {
	uint64_t site, address;
	uint64_t before, after; /* what stood there, of the bytes accessed; 0 in those that were not */
	uint64_t looked_at;     /* of a read: the bits that the program looks at */
	uint64_t lock[2];       /* held, the first two */
	uint32_t fiber, bytes;
	uint16_t flags;     /* ACCESS_*; ACCESS_HAS_VALUE: before and after are known */
	uint16_t update;    /* of a write: OMEN_SITE_SETS_BITS, OMEN_SITE_ADDS or 0 */
	uint32_t no_before; /* the access was heard of when it was over */
};
#define BOARD_TOUCHES 8192

/* Where threads were made: DETECT_EXPLAIN only. */
struct board_thread {
	uint32_t fiber, creator;
	struct board_stack created;
};
#define BOARD_THREADS 128

/*
 * What is wrong although nothing has come of it here.  X(id, name): where locks are taken in orders that can block each
 * other; what must not be done in a handler of signals; threads that nobody waits for.
 */
#define NOTICE_KINDS(X)                                                                                                \
	X(LOCK_ORDER, "lock-order-inversion")                                                                          \
	X(SIGNAL_UNSAFE, "signal-unsafe-call")                                                                         \
	X(SIGNAL_ERRNO, "signal-spoils-errno")                                                                         \
	X(THREAD_LEAK, "thread-leak")
enum notice_kind {
#define X(id, name) NOTICE_##id,
	NOTICE_KINDS(X)
#undef X
	        NOTICES
};

#define NOTICE_STACKS 4
struct board_notice {
	uint32_t kind; /* enum notice_kind */
	uint32_t nstacks;
	uint64_t key; /* the same of two means that they are the same */
	uint64_t seed;
	char message[320];
	struct board_stack stack[NOTICE_STACKS];
};
#define BOARD_NOTICES 32

/* Bytes on which there is a race, by 8: the input of DETECT_EXPLAIN. */
struct board_watch {
	uint64_t address; /* of the 8 bytes */
	uint64_t bytes;   /* bit i: byte i */
};
#define BOARD_WATCHES 4096

/* An atomic load that saw another store than the one executed last. */
struct board_stale {
	uint64_t site, address, value; /* of the load; the first 8 bytes */
	uint32_t fiber, size;
	uint64_t write_site, newer_site; /* of the store it saw, and of the one executed last; 0: unknown */
	uint64_t newer_value;
	uint32_t writer, newer_writer; /* their fibers; BOARD_NOBODY: it was there before */
	uint64_t event, newer_event;   /* atomic operations, counted */
};
#define BOARD_STALE 16

/* What executions wrote to standard output: only if config.outputs asks for it. */
struct board_output {
	uint64_t hash, count;
};
#define BOARD_OUTPUTS 4096

/*
 * What an execution has given to the outside: streams of bytes (connections, datagrams to an address, pipes to
 * children, devices; standard output and error too), and files that are not at its end what they were at its beginning.
 * Of streams with the same name the first is number 1.
 */
enum given_kind { GIVEN_OUTPUT, GIVEN_SENT, GIVEN_FILE };
#define GIVEN_NAME 160

struct board_given {
	uint32_t kind;   /* enum given_kind */
	uint32_t number; /* GIVEN_OUTPUT: the descriptor */
	uint32_t there;  /* GIVEN_FILE: it is, at the end */
	uint64_t size, hash;
	uint64_t lines; /* a hash without their order */
	uint64_t rest;  /* GIVEN_FILE: of its kind, mode and owner, which are in both */
	/* plan.gives: the bytes are in board.capture, a stream's since the execution left its recording */
	uint64_t kept_at, kept; /* GIVEN_UNKEPT: there was no room */
	char name[GIVEN_NAME];
};
#define BOARD_GIVEN  1024
#define GIVEN_UNKEPT UINT64_MAX

/*
 * Two hashes of all that was given (without standard output and error), whatever its order: as it is; without the order
 * of lines and of streams with the same name.
 */
enum sameness { SAME_BYTES, SAME_LINES, SAMENESSES };

/* What is wanted of one of them in a replay: its bytes; and where the one at `at` was written, or who named the file.
 */
enum capture { CAPTURE_NOTHING, CAPTURE_BYTES, CAPTURE_PLACE, CAPTURE_NAME };

enum capture_place {
	CAPTURED_NOWHERE,
	CAPTURED_CALL,  /* by a function that puts it into a buffer (printf and its kin) */
	CAPTURED_WRITE, /* by the call that gave it to the kernel */
	CAPTURED_NAME   /* a file was made, moved or removed there */
};

struct board_capture {
	uint32_t wanted; /* enum capture */
	uint32_t kind, number;
	char name[GIVEN_NAME];
	uint64_t at;
	/* what came of it */
	uint32_t there;
	uint32_t place; /* enum capture_place */
	uint64_t size;  /* the bytes that stand here */
	struct board_stack stack;
	uint8_t bytes[16 << 20];
};

struct board_module {
	uint64_t base; /* what to subtract from an address to get the file's address */
	uint64_t start, end;
	char path[488];
};
#define BOARD_MODULES 128

/* Of standard output, of standard error, and of both where they are the same. */
enum { LINE_OUTPUT = 1, LINE_ERROR = 2, LINE_EITHER = 4 };

#define BOARD_DESCRIPTORS 4096 /* of more, nothing is told */

struct board_result {
	uint32_t ending; /* enum ending */
	uint32_t fiber;  /* whose failure it is */
	int32_t status;  /* exit status, or the signal of a crash */
	uint32_t nstacks, nmodules;
	uint32_t stack_is_shadow; /* the failing stack could not be unwound: pc[] of it are addresses of FUNCTION sites
	                           */
	uint64_t seed;
	uint64_t descriptors; /* where what stands for them is: 8 bytes each, of BOARD_DESCRIPTORS */
	uint64_t points, switches, preemptions, threads;
	uint64_t unseen;     /* points that it would have made, about, if all accesses were some: point_density.h */
	uint64_t event_hash; /* of all points, answers of the world and signals */
	uint64_t fault_address;
	uint64_t signature;   /* equal for the same failure in other executions */
	uint64_t passable;    /* of a violation that only a check shows: for config.passed; 0: there is no going on */
	uint32_t open_lines;  /* LINE_*: what was written last does not end with its line */
	uint64_t history_cut; /* stores that could still be seen, but were forgotten */
	uint64_t nstale;      /* stale[] has the last of them: n is at n % BOARD_STALE */
	struct board_stale stale[BOARD_STALE];
	char message[400];
	struct board_stack allocation, freed;    /* ENDING_MEMORY: of the heap block; depth 0: unknown */
	struct board_stack stacks[BOARD_STACKS]; /* the failing fiber first */
	struct board_module modules[BOARD_MODULES];
};

/* config.count_sites: a table with open addresses, by a hash of the site. */
struct board_count {
	uint64_t site, count; /* site 0: a free slot */
};
#define BOARD_COUNTS 16384

struct board {
	struct board_config config;
	volatile uint64_t runs_done;
	uint64_t replay_entries; /* replay: length of the schedule to follow, which stands in schedule[] at start ... */
	uint64_t schedule_entries; /* ... and the schedule of the execution; in a replay it is written after the
	                              replayed one */
	uint64_t schedule_full;    /* choices that did not fit any more */
	uint64_t settled;          /* all that happened before this point stands in schedule and log */
	uint64_t log_bytes;        /* of the log: written so far, or to be replayed */
	uint32_t log_full;         /* there was no room for more of it */
	uint32_t shares;           /* memory with a child, whose writes to it are not in the log */
	uint32_t early;            /* what came from outside before it could, perhaps */
	uint32_t invented;         /* answers that the model of the world gave without knowing, */
	char invention[120];       /* the first of them */
	uint32_t begun;            /* main has begun: from here on schedule and log only grow */
	struct schedule_entry
	        expected;     /* ENDING_DIVERGED: the choice that the recording has next; point 0: none is meant */
	uint32_t end_asked;   /* TIMEOUT_SIGNAL means that enough was recorded */
	uint32_t cut;         /* replay: the recording has no end of its own ... */
	uint64_t cut_point;   /* ... and is all there before this point only */
	uint64_t nevents;     /* written down */
	uint64_t events_lost; /* and not any more */
	uint64_t nwords, words_lost;                   /* prediction: words of memory that threads share */
	uint64_t npredict_events, predict_events_lost; /* prediction: events of the log */
	uint64_t nturns, turns_made;                   /* PREDICT_MEET */
	uint32_t meeting[2];                           /* enum meeting */
	uint64_t unknown_calls[8]; /* by number: syscalls whose answers could not be recorded in full */
	uint32_t nraces;           /* of all executions so far */
	uint32_t races_lost;       /* distinct ones that did not fit */
	uint32_t new_races;        /* the last execution has added to them */
	uint32_t nnotices;         /* of all executions so far */
	uint32_t new_notices;      /* the last execution has added to them */
	uint32_t noutputs;         /* of all executions so far */
	uint32_t outputs_lost;
	uint32_t new_output;     /* the last execution has added to them: the last one */
	uint32_t nwatched;       /* of the last execution */
	uint32_t watched_before; /* so many of them before the access that is the violation itself, if that is why it
	                            ended */
	uint32_t npossible;      /* those of them on which no race is certain yet */
	uint32_t nstops, stop_reached;
	uint64_t stop_point, stop_entries; /* where executions begin that are made from a stop */
	uint32_t nsteps;
	uint64_t passed;      /* bit i: the execution has gone on behind config.passed[i] */
	uint64_t touch_order; /* a hash of who has accessed watched bytes, where, in which order */
	struct board_plan plan;
	uint32_t ngiven, given_lost;               /* rows, and those for which there was no room */
	uint64_t given_hash[SAMENESSES];           /* of all of them */
	uint64_t printed_size[2], printed_hash[2]; /* standard output and error */
	struct board_guide guide;                  /* STRATEGY_EXHAUST: what to do, */
	uint64_t nnotes;                           /* what was done, */
	char unclear[80]; /* and what may happen otherwise without a step that says so; empty: nothing */
	uint32_t watches_lost;
	uint32_t ntouches, touches_lost;
	uint32_t nthreads;
	struct board_race races[BOARD_RACES];
	struct board_notice notices[BOARD_NOTICES];
	struct board_output outputs[BOARD_OUTPUTS];
	struct board_watch watched[BOARD_WATCHES];
	struct board_stop stops[BOARD_STOPS];
	struct board_step steps[BOARD_STEPS];
	struct board_touch touches[BOARD_TOUCHES];
	struct board_thread threads[BOARD_THREADS];
	struct board_result result;
	struct board_given given[BOARD_GIVEN];
	struct board_capture capture;
	uint64_t counts_lost; /* executed sites for which there was no room */
	struct board_count counts[BOARD_COUNTS];
	struct schedule_entry schedule[];
};

#define SCHEDULE_MAX ((BOARD_SIZE - sizeof(struct board)) / sizeof(struct schedule_entry))

#endif
