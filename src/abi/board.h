/*
 * The board: the memory that the tool and the program under test share.
 *
 * The tool makes it (a memfd) and fills `config`.  It starts the program with the board as descriptor BOARD_FD, a
 * stream socket as CONTROL_FD, and OMEN_BOARD=BOARD_FD in the environment.  The runtime maps the board at
 * BOARD_ADDRESS, closes the descriptor and removes the variable.  No data of the board is reached through a pointer
 * into the program's own memory, so the board can be read after the process has crashed.
 *
 * In: `config`, and for some modes a schedule, a log, a plan, stops, steps or watched bytes.  Out: `result`, races,
 * notices, the schedule, the log and the outputs.  The tool and every room of the runtime may use the board.
 *
 * BOARD_RUN: main runs once, in this process, under config.strategy.  `result` is complete when the process is gone.
 *
 * BOARD_SERVE: the process stops before main and makes config.runs executions; each is a snapshot of the process.
 * Execution i (0 ≤ i < runs) uses seed config.seed + config.first + i * config.step.  After each execution the server
 * increments `runs_done`.  If the result is a failure, it writes the byte 'F' on the socket; otherwise, if there are
 * new races or a new output, an 'R'.  Then it waits for one byte before it continues, so that the tool can copy result,
 * races, schedule and output.  After the last execution it writes 'E' and exits with status 0.  Descriptors 1 and 2 are
 * then memfds that hold the output of the current execution only.
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

/* The events (timeline_events.h) follow the log. */
#define BOARD_EVENTS         (BOARD_SIZE + WORLD_LOG_SIZE)
#define BOARD_EVENTS_ADDRESS (BOARD_ADDRESS + BOARD_EVENTS)
/* The runtime's copy of the memory where executions begin follows them (rt/snapshot/rewind.c). */
#define BOARD_REWIND_ADDRESS (BOARD_EVENTS_ADDRESS + EVENTS_SIZE)
#define BOARD_REWIND_SIZE    (1ul << 30) /* sparse */
#define BOARD_MEMORY         (BOARD_EVENTS + EVENTS_SIZE + BOARD_REWIND_SIZE)

/* The parent sends this signal when the time of an execution is up.  The runtime reports where it stands, and ends. */
#define TIMEOUT_SIGNAL   64
#define TIMEOUT_GRACE_MS 1000 /* the time for this report; SIGKILL follows */

enum board_mode { BOARD_RUN, BOARD_SERVE };

/* One row for each strategy: identifier, name on the command line. Semantics: docs/design.md, "Schedules". */
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

/* How an execution ended. One row for each ending: identifier, name in reports (and JSON), whether it is a failure. */
#define ENDINGS(X)                                                                                                     \
	X(NONE, "none", 0)          /* still running, or killed before it could write its ending */                    \
	X(EXIT, "exit", 0)          /* exit status 0 */                                                                \
	X(STATUS, "exit-status", 1) /* another exit status */                                                          \
	X(CRASH, "crash", 1)        /* killed by a signal */                                                           \
	X(ASSERTION, "assertion", 1)                                                                                   \
	X(EXCEPTION, "uncaught-exception", 1)                                                                          \
	X(MEMORY, "memory-error", 1) /* config.check: an access to memory that is invalid, or not valid any more */    \
	X(LOCK, "lock-misuse", 1)    /* config.check */                                                                \
	X(INVARIANT, "invariant", 1) /* OMEN_INVARIANT(), or one of config.invariant */                                \
	X(DEADLOCK, "deadlock", 1)                                                                                     \
	X(LOOP, "infinite-loop", 1)                                                                                    \
	X(BUDGET, "no-end", 1)     /* the budget of points is used up: perhaps endless, not proven */                  \
	X(TIMEOUT, "timeout", 1)   /* the server killed it after config.timeout_ms of wall time */                     \
	X(DIVERGED, "diverged", 1) /* replay only: the program left the schedule */                                    \
	X(UNKNOWN, "unknown", 0) /* it left the recording, and the recording cannot say what the world answers next */ \
	X(STOPPED, "stopped", 0) /* it came to the point where the tool had asked it to stop */                        \
	X(CUT, "cut", 0)         /* replay only: the recorded part ends here, without an end of the program */         \
	X(ENDED, "ended", 0)     /* the user ended the recording here (end_asked); status 1: some thread could run */  \
	X(OMEN, "omen-failed", 1) /* a failure of Omen itself */

enum ending {
#define X(id, name, failure) ENDING_##id,
	ENDINGS(X)
#undef X
};

/* Whether the execution looks for races. */
enum detect {
	DETECT_OFF,
	DETECT_RACES,
	DETECT_PRECISE, /* keeps every past access with its site, also where plain accesses are no points */
	DETECT_EXPLAIN  /* a replay that explains the races on the bytes in `watched`, which the replayed execution
	                    found */
};

/* What atomic loads see: the newest store, or any store that C11 allows. */
enum memory_model { MEMORY_SC, MEMORY_C11, MEMORY_MODELS };
/* Which of the stores that C11 allows a strategy prefers. */
enum reads { READS_UNIFORM, READS_OLDEST, READS_NEWEST, READS_COUNT };

struct memory_config {
	uint32_t model;     /* enum memory_model */
	uint32_t reads;     /* enum reads */
	uint32_t cxx20;     /* use C++20's rules instead of C11's */
	uint32_t ordered;   /* the modification order is the order of execution */
	uint32_t volatiles; /* volatile accesses are atomic: loads acquire, stores release */
	uint32_t history;   /* how many stores of each location are kept */
};
#define HISTORY_MOST 250

/*
 * Whether accesses to invalid memory and misuse of locks end an execution.  CHECK_FULL: freed memory is kept for a
 * while so that its use is seen; so blocks get other addresses.  CHECK_FOLLOW: freed memory is kept only from where the
 * execution leaves its recording.
 */
enum check { CHECK_OFF, CHECK_FOLLOW, CHECK_FULL };

/* Violations that do not end an execution: each by its place and kind (board_result.violation_key). */
#define BOARD_TOLERATED 64

/* An invariant that the user asked for: a global variable of the program always has this relation to a number. */
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
	uint64_t address;   /* of the variable, in the program's file */
	uint32_t size;      /* of the variable */
	uint32_t type;      /* enum invariant_type */
	uint32_t operator_; /* enum invariant_operator */
	uint32_t negative;  /* compare with -number */
	uint64_t number;    /* the absolute value of the number to compare with */
	double real;        /* the number for INVARIANT_REAL */
	char text[120];     /* the invariant as the user wrote it */
};
#define BOARD_INVARIANTS 8

struct strategy_config {
	uint32_t id;     /* enum strategy_id */
	uint32_t depth;  /* pct: d; coarse: 1 + the id of the fiber that runs whenever it can, 0: there is none */
	uint64_t length; /* pct, mixed: expected number of points of one execution; 0: the server measures it with one
	                    fair execution.  coarse: 0: the preferred fiber is preferred to the end, else for a while */
};

/*
 * Classification: a replay with stops.  Before the access with number `touch` to these bytes the process writes 'S' on
 * the socket; stop_reached says which stop it is.  For each byte BOARD_PLAN that it then gets, it makes one execution
 * as `plan` says and writes 'R' after it.  BOARD_GO_ON lets it continue to the next stop; BOARD_QUIT ends it.
 * With STOP_DEPART no other execution is made: this execution itself leaves the recording there, and its schedule says
 * what follows.
 */
struct board_stop {
	uint64_t address, touch; /* the 8 bytes, and the number of the access among the accesses to them */
	uint32_t over;           /* this stop does not count any more */
};
#define BOARD_STOPS 4096
#define BOARD_PLAN  'p'
#define BOARD_GO_ON 'c'
#define BOARD_QUIT  'q'

/* What the execution does from the stop on.  The first thread is the one at the stop, the other thread makes the racing
 * access. */
enum plan_order {
	PLAN_RECORDED, /* continue as recorded */
	PLAN_FIRST,    /* the first thread makes its access, then the other thread makes its own */
	PLAN_SECOND,   /* the other thread makes its access first */
	PLAN_PROBE,    /* the first thread is held before its access for as long as other threads make progress */
	PLAN_PASSED, /* the first thread makes its access and is held then; only the other thread runs, while it can */
	PLAN_REPLAY, /* STOP_DEPART: follow the schedule */
	PLAN_FOLLOW, /* follow `steps` under STRATEGY_FOLLOW */
};

/* What came of the plan. */
enum plan_outcome {
	PLAN_NONE,    /* the execution ended before the plan was decided */
	PLAN_DONE,    /* both accesses were made, in the order asked for */
	PLAN_BLOCKED, /* all threads but the held one wait, the other thread too */
	PLAN_SPINS,   /* all threads but the held one wait or repeat themselves */
	PLAN_ENDED,   /* the other thread has ended without its access, and all others wait */
	PLAN_BUDGET,  /* the other thread did not come to its access in `budget` points */
};

/*
 * Racy words that the other thread read while the first thread was held, and that the first thread had written last:
 * one of these values may keep the other thread from its access.  board_plan.words_read has one bit for each word, by
 * its address; several words may share a bit.
 */
#define WORDS_READ 256
static inline uint32_t word_read_bit(uint64_t address)
{
	return (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15u >> 56) % WORDS_READ;
}

/* The variants of the clock: 1 is ahead, 2 has also another pace, 3 a far faster pace, 4 differs by very little. */
#define OTHER_CLOCKS 4

/* One execution to be made from a stop. */
struct board_plan {
	uint32_t order;        /* enum plan_order */
	uint32_t compare;      /* take a hash of the state after both accesses: `state` and `world` */
	uint32_t flags, fiber; /* the other thread's access: ACCESS_*, its thread in the recording, */
	uint64_t site;         /* and its place */
	/* PLAN_BUDGET: the other thread must come to its access within `budget` points, and within `turns` points that
	 * are neither plain accesses nor loops. */
	uint64_t seed, budget, turns;
	uint32_t detect_after; /* look for races after the two accesses, too */
	uint32_t keep_stacks;  /* keep the stacks of allocations and frees, for the report of a violation */
	uint32_t run_on;       /* PLAN_SECOND: the other thread runs on after its access, for as long as it can */
	uint32_t others_first; /* before the other thread comes to its access, all others run as far as they can */
	struct strategy_config next_strategy; /* the strategy after both accesses */
	uint32_t other_clocks; /* 1 … OTHER_CLOCKS: which variant of the clock; ids are others, too.  0: none */
	uint32_t keep_outputs; /* keep the bytes of all outputs: board_output.kept */
	uint32_t keep_order;   /* accesses to watched bytes must come in the order of `touches`, but for */
	uint64_t last;         /* PLAN_SECOND: those of the two threads to the race's bytes up to this number, */
	uint32_t alone;        /* or, if `alone` is set, only for the first and the last of these */
	/* Results: */
	uint32_t outcome;      /* enum plan_outcome */
	uint32_t out_of_order; /* with `keep_order`: some accesses did not keep the order */
	uint64_t touched; /* how often the other thread's access was made while the first thread was held; PLAN_SPINS:
	                     in one repetition */
	uint64_t slept;   /* meanwhile: nanoseconds in which all other threads only waited for time to pass */
	uint64_t state;   /* a hash of memory and registers; 0: unknown */
	uint64_t world;   /* a hash of what was done to the world: if only this one differs, nothing is known */
	uint64_t words_read[WORDS_READ / 64]; /* see word_read_bit() */
};

/*
 * STRATEGY_FOLLOW: a list of turns instead of choices at points.  The end of a fiber's turn is given in points of this
 * fiber, counted from where the execution leaves its recording.  Points at which the fiber blocked do not count.  So a
 * step means the same when other steps are left out.  A step whose fiber cannot run is skipped.  After the last step
 * the default choices apply.
 */
struct board_step {
	uint32_t kind;   /* enum choice_kind */
	uint32_t fiber;  /* RUN: whose turn it is; WAKE, PICK: the fiber that chooses */
	uint32_t chosen; /* WAKE, PICK: what it chooses */
	uint64_t until;  /* RUN: the turn ends after this many points of the fiber (UINT64_MAX: when it blocks or only
	                    loops);  WAKE, PICK: the fiber chooses at this point of its own */
};
#define BOARD_STEPS 4096

/* What happens at config.stop_at. */
enum stop {
	STOP_END,   /* the execution ends */
	STOP_SERVE, /* `runs` executions continue from a snapshot, one after the other, each followed by the byte 'R' on
	               the socket as in BOARD_SERVE */
	STOP_DEPART /* the execution leaves its recording at a board_stop */
};

/* A piece of the program's code, by its addresses in the file. */
struct board_code {
	uint64_t low, high;
};
#define BOARD_WITHOUT 32

/* What the tool asks for: filled before the program starts. */
/*
 * VERIFY_ON: after each rewind, all memory, mappings and descriptors are compared with those of the beginning.
 * VERIFY_FORGET: the same, and one page is not put back.
 */
enum verify_rewind { VERIFY_OFF, VERIFY_ON, VERIFY_FORGET };

struct board_config {
	uint64_t magic;         /* BOARD_MAGIC */
	char version[16];       /* OMEN_VERSION of the tool */
	uint32_t mode;          /* enum board_mode */
	uint32_t access_points; /* plain accesses are scheduling points too */
	uint32_t detect;        /* enum detect */
	uint32_t merging;       /* DETECT_RACES: may report bytes of which only a replay says if they raced */
	uint32_t count_stdouts; /* count the different outputs of executions on standard output, too: `stdouts` */
	uint32_t world;         /* enum world_mode */
	uint32_t record_files;  /* the contents of files that are only read go into the log, too */
	uint32_t interruptible; /* a SIGINT that the program does not handle ends the recording */
	uint64_t events;        /* at most this many events are written for the timeline; 0: none */
	uint32_t events_late;   /* events are written only from where the execution leaves its recording */
	uint32_t count_sites;   /* count how often each site is executed: `counts` */
	uint32_t predict_mode;  /* enum predict_mode: the prediction log, in the memory of the events */
	struct strategy_config strategy;
	struct memory_config memory;
	uint32_t loop_budget;             /* loop back-edges before a fiber lets others run; 0: the runtime's default */
	uint32_t loop_stretch;            /* how often loop_budget may double while all running threads only compute */
	uint64_t seed, first, step, runs; /* BOARD_SERVE: see the top of this file */
	uint32_t check;                   /* enum check */
	uint32_t ntolerated; /* violations after which the execution continues, as it does without a check */
	uint64_t tolerated[BOARD_TOLERATED]; /* each a board_result.violation_key */
	uint32_t blind;                      /* for tests: mutexes order nothing for the detector */
	uint32_t nwithout;                   /* synchronisation that is called from this code does nothing */
	struct board_code without[BOARD_WITHOUT];
	uint32_t ninvariants;
	struct board_invariant invariant[BOARD_INVARIANTS];
	uint64_t stop_at; /* replay: `stop` happens at the first point with this number or a higher one; 0: never */
	uint32_t stop;    /* enum stop */
	uint32_t departs; /* at stop_at the execution leaves the recording and follows its schedule; from there on every
	                     access is a point */
	uint32_t every_operation; /* also, from the first thread on, every operation that others can notice is a point,
	                             and sleeping takes no time */
	struct strategy_config next_strategy; /* STOP_SERVE: of the executions; STRATEGY_REPLAY: as recorded */
	uint32_t note_outputs;                /* note all outputs, while a recording is replayed or after it was left */
	uint64_t event_budget;                /* the execution is given up after this many points; 0: never */
	uint64_t turn_budget;   /* the same for points that are neither accesses nor loops: these cost far more */
	uint64_t timeout_ms;    /* wall time for one execution; 0: no limit */
	uint32_t only_forks;    /* each execution is a fork of its own: no process is rewound */
	uint32_t verify_rewind; /* enum verify_rewind */
};

/*
 * A schedule is the list of choices that differ from the default.  Points are counted from 1.  At most one choice
 * stands at a point; only after a hold, a release or a time choice another choice may stand at the same point.
 */
enum choice_kind {
	CHOICE_RUN,     /* which fiber runs.  Default: the running fiber, if it can; otherwise every choice is listed */
	CHOICE_WAKE,    /* which waiting fiber is woken.  Default: the one that has waited longest */
	CHOICE_PICK,    /* which of several possibilities happens, such as which store an atomic load sees, the newest
	                   first.  Default: number 0 */
	CHOICE_HOLD,    /* the running fiber does not run until its release */
	CHOICE_RELEASE, /* a held fiber may run again */
	CHOICE_TIME     /* time passes up to the next deadline although some fiber can run.  Default: time waits */
};

struct schedule_entry {
	uint64_t point;
	uint32_t kind;    /* enum choice_kind */
	uint32_t chosen;  /* the fiber, or the number of the possibility */
	uint32_t from;    /* the fiber that was running */
	uint32_t blocked; /* 1: `from` could not continue, 0: it was preempted */
	uint64_t where;   /* address of an omen_site (low bit clear) or of code (low bit set: pc * 2 + 1); 0 unknown */
};

struct board_stack {
	uint32_t fiber;
	uint32_t depth;     /* used entries of pc[], innermost first; return addresses except the first of a fault */
	uint32_t waits_for; /* the fiber that holds what this one waits for, or BOARD_NOBODY */
	uint32_t in_cycle;  /* the fiber is part of a cycle of fibers that wait for each other */
	char state[120];    /* "running", "finished", "waits for mutex 0x… held by T2", … */
	uint64_t pc[60];
};
#define BOARD_NOBODY 0xffffffffu
#define BOARD_STACKS 128

/*
 * A race: two accesses to common bytes, at least one of them a write, at most one atomic, and neither is ordered before
 * the other.  Races are distinct by the unordered pair of (site, flags).  access[0] came first in the execution that is
 * described.  While detecting, little is known of access[0]: its site (that of the first access of its segment to these
 * bytes), its thread and its flags.  DETECT_EXPLAIN fills in everything.
 */
enum { ACCESS_WRITE = 1, ACCESS_ATOMIC = 2, ACCESS_FREE = 4, ACCESS_HAS_VALUE = 8 };
#define BOARD_LOCKS 8

struct board_access {
	uint64_t site;    /* address of the omen_site; 0: unknown */
	uint64_t address; /* the first byte; 0: unknown */
	uint32_t size;    /* 0: unknown */
	uint32_t flags;   /* ACCESS_* */
	uint64_t value;   /* the bytes read or to be written, the first 8 of them */
	uint32_t nlocks;  /* how many locks the thread holds */
	uint64_t lock[BOARD_LOCKS];
	uint64_t event; /* its number in the timeline, from 1 on, or 0 */
	struct board_stack
	        stack; /* depth 0: unknown; pc[0] is the address of the access's code, not a return address */
};

/* One occurrence of a race: the two accesses, each by its number among the accesses to these 8 bytes. */
struct board_instance {
	uint64_t address;
	uint64_t touch[2]; /* the numbers of the accesses: see also watch_late() */
	uint32_t fiber[2];
	uint32_t swapped; /* the first access here is access[1] of the race */
};
#define BOARD_INSTANCES 8

struct board_race {
	struct board_access access[2];
	uint64_t address;    /* the first byte that both accesses touch */
	uint64_t instances;  /* how often the race was seen, in all executions that use this board */
	uint64_t executions; /* the number of executions in which it was seen */
	uint64_t last;       /* the seed of the last of them */
	uint64_t seed;       /* the seed of the execution that is described */
	uint32_t explained;  /* filled in under DETECT_EXPLAIN */
	uint32_t hidden;     /* an access, or a thread between the two, went through code that Omen does not see into */
	/* DETECT_EXPLAIN only: */
	uint32_t ninstances;
	struct board_instance instance[BOARD_INSTANCES]; /* the first, some between, the last */
	uint64_t block, block_size;                      /* the heap block that holds the address, or 0 */
	uint32_t block_fiber, in_stack_of; /* the allocating fiber; the owner of the stack it is in, or BOARD_NOBODY */
	struct board_stack allocation;
};
#define BOARD_RACES 4096

/* One access to 8 bytes that raced; board.touches has them in their order.  DETECT_EXPLAIN only. */
struct board_touch {
	uint64_t site, address;
	uint64_t before,
	        after;         /* the value of the accessed bytes before and after; 0 in bytes that were not accessed */
	uint64_t looked_at;    /* of a read: the bits of the value that the program looks at */
	uint64_t lock[2];      /* the first two locks that the thread holds */
	uint32_t fiber, bytes; /* bytes: bit i says that byte i is accessed */
	uint16_t flags;        /* ACCESS_*; ACCESS_HAS_VALUE: before and after are known */
	uint16_t update;       /* of a write: OMEN_SITE_SETS_BITS, OMEN_SITE_ADDS or 0 */
	uint32_t no_before;    /* `before` is unknown: the runtime learned of the access only after it was made */
};
#define BOARD_TOUCHES 8192

/* Where a thread was created: DETECT_EXPLAIN only. */
struct board_thread {
	uint32_t fiber, creator;
	struct board_stack created;
};
#define BOARD_THREADS 128

/*
 * Notices: errors that had no effect in this execution.  X(id, name): locks are taken in orders that can block each
 * other; a signal handler does what it must not do; a thread was neither joined nor detached.
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
	uint64_t key;  /* two notices of one kind with the same key are the same notice */
	uint64_t seed; /* of the execution that found it first */
	char message[320];
	struct board_stack stack[NOTICE_STACKS];
};
#define BOARD_NOTICES 32

/* 8 bytes of which some raced: the input of DETECT_EXPLAIN. */
struct board_watch {
	uint64_t address; /* of the 8 bytes */
	uint64_t bytes;   /* bit i: byte i raced */
};
#define BOARD_WATCHES 4096

/* An atomic load that saw another store than the one executed last. */
struct board_stale {
	uint64_t site, address, value;   /* of the load; of the value the first 8 bytes */
	uint32_t fiber, size;            /* of the load */
	uint64_t write_site, newer_site; /* of the store that it saw, and of the store executed last; 0: unknown */
	uint64_t newer_value;            /* what the store executed last wrote */
	uint32_t writer, newer_writer;   /* the fibers of these stores; BOARD_NOBODY: the initial value */
	uint64_t event, newer_event;     /* the numbers of these stores among all atomic operations */
};
#define BOARD_STALE 16

/* What executions wrote to standard output: filled only if config.count_stdouts is set. */
struct board_stdout {
	uint64_t hash, count; /* a hash of the text, and how many executions wrote it */
};
#define BOARD_STDOUTS 4096

/*
 * An output: what an execution gave to the world around it.  That is a stream of bytes (a connection, the datagrams to
 * an address, a pipe to a child, a device; standard output and error too), or a file that is at the end not what it was
 * at the beginning.  Of several streams with the same name the first has number 1.
 */
enum output_kind { OUTPUT_STANDARD, OUTPUT_STREAM, OUTPUT_FILE };
#define OUTPUT_NAME 160

struct board_output {
	uint32_t kind;       /* enum output_kind */
	uint32_t number;     /* among streams with the same name; OUTPUT_STANDARD: the descriptor */
	uint32_t there;      /* OUTPUT_FILE: the file exists at the end */
	uint64_t size, hash; /* of the bytes */
	uint64_t lines;      /* a hash of the lines that does not depend on their order */
	uint64_t rest; /* OUTPUT_FILE: a hash of the file's type, mode and owner, which is part of both hashes above */
	/* plan.keep_outputs: the bytes stand in board.capture; of a stream those since the recording was left */
	uint64_t kept_at, kept; /* where they begin, and how many; OUTPUT_UNKEPT: there was no room */
	char name[OUTPUT_NAME];
};
#define BOARD_OUTPUTS 1024
#define OUTPUT_UNKEPT UINT64_MAX

/*
 * Two hashes of all outputs, without standard output and error.  Neither depends on the order of the streams and
 * files.  SAME_BYTES: of the bytes as they are.  SAME_LINES: without the order of lines and of streams with the same
 * name.
 */
enum sameness { SAME_BYTES, SAME_LINES, SAMENESSES };

/* What a replay is asked for about one output. */
enum capture {
	CAPTURE_NOTHING,
	CAPTURE_BYTES, /* its bytes */
	CAPTURE_PLACE, /* the place in the program that wrote the byte at `at` */
	CAPTURE_NAME   /* the place in the program that named the file */
};

enum capture_place {
	CAPTURED_NOWHERE,
	CAPTURED_CALL,  /* a library function that writes into a buffer, such as printf */
	CAPTURED_WRITE, /* the call that gave the byte to the kernel */
	CAPTURED_NAME   /* the call that created, moved or removed a file */
};

struct board_capture {
	uint32_t wanted;       /* enum capture */
	uint32_t kind, number; /* enum output_kind; these and the name say which output */
	char name[OUTPUT_NAME];
	uint64_t at; /* CAPTURE_PLACE: the byte */
	/* Results: */
	uint32_t there; /* the output exists */
	uint32_t place; /* enum capture_place */
	uint64_t size;  /* of the bytes that stand here */
	struct board_stack stack;
	uint8_t bytes[16 << 20];
};

/* The program or a library, where it is loaded. */
struct board_module {
	uint64_t base;       /* subtract it from an address to get the address in the file */
	uint64_t start, end; /* addresses */
	char path[488];
};
#define BOARD_MODULES 128

/* Standard output, standard error, and both where they are the same file. */
enum { LINE_OUTPUT = 1, LINE_ERROR = 2, LINE_EITHER = 4 };

#define BOARD_DESCRIPTORS 4096 /* descriptors from this number on have no object */

/* How the execution ended. */
struct board_result {
	uint32_t ending;            /* enum ending */
	uint32_t fiber;             /* the fiber that failed */
	int32_t status;             /* exit status, or the signal of a crash */
	uint32_t nstacks, nmodules; /* used entries of stacks and modules */
	uint32_t stack_is_shadow; /* the failing stack could not be unwound: its pc[] are addresses of FUNCTION sites */
	uint64_t seed;
	uint64_t descriptors; /* address of the objects that stand for descriptors: 8 bytes each, BOARD_DESCRIPTORS of
	                         them */
	uint64_t points, switches, preemptions, threads; /* how many there were */
	uint64_t unseen; /* about how many more points there would be if all accesses were points: point_density.h */
	uint64_t event_hash; /* of all points, answers of the world and signals */
	uint64_t fault_address;
	uint64_t signature;     /* the same number for the same failure in other executions */
	uint64_t violation_key; /* of a violation that only a check shows: its number for config.tolerated; 0: the
	                           execution cannot continue after it */
	uint32_t open_lines;    /* LINE_*: what was written there last does not end with a newline */
	uint64_t history_cut;   /* stores that loads could still have seen, but that the history had dropped */
	uint64_t nstale;        /* of stale loads; stale[] has the last of them: number n is at n % BOARD_STALE */
	struct board_stale stale[BOARD_STALE];
	char message[400];
	struct board_stack allocation, freed;    /* ENDING_MEMORY: of the heap block; depth 0: unknown */
	struct board_stack stacks[BOARD_STACKS]; /* the failing fiber first */
	struct board_module modules[BOARD_MODULES];
};

/* config.count_sites: a hash table with open addressing; the key is the site. */
struct board_count {
	uint64_t site, count; /* site 0: a free slot */
};
#define BOARD_COUNTS 16384

struct board {
	struct board_config config;
	uint64_t nforks;      /* BOARD_SERVE: how many of the executions were forks, */
	char fork_reason[80]; /* and why the process could not be rewound after one of them; empty: it always could */
	volatile uint64_t runs_done; /* BOARD_SERVE, STOP_SERVE and plans: executions that are over */

	/* The schedule and the log. */
	uint64_t replay_entries; /* replay: length of the schedule to follow, which stands in schedule[] at the start */
	uint64_t schedule_entries; /* length of the schedule of this execution; in a replay it is written after the
	                              replayed one */
	uint64_t schedule_full;    /* choices for which there was no room */
	uint64_t settled;          /* schedule and log have all that happened before this point */
	uint64_t log_bytes;        /* of the log: written so far, or to be replayed */
	uint32_t log_full;         /* there was no room for the rest of the log */
	uint32_t shares; /* the program shares memory with a child process, whose writes to it are not in the log */
	uint32_t early_reads;           /* how often the program read what a peer, perhaps, would not have sent yet */
	uint32_t invented;              /* answers that the model of the world gave without knowledge */
	char invention[120];            /* the first of them */
	uint32_t begun;                 /* main has begun: from here on schedule and log only grow */
	struct schedule_entry expected; /* ENDING_DIVERGED: the next choice of the recording; point 0: there is none */
	uint32_t end_asked;             /* TIMEOUT_SIGNAL ends the recording, not the program: enough was recorded */
	uint32_t cut;                   /* replay: the recording has no end of its own ... */
	uint64_t cut_point;             /* ... and is complete only before this point */
	uint64_t nevents;               /* events written to the timeline */
	uint64_t events_lost;           /* events for which there was no room */

	/* Prediction (prediction_log.h). */
	uint64_t nwords, words_lost;                   /* words of memory that threads share */
	uint64_t npredict_events, predict_events_lost; /* events of the log */
	uint64_t nturns, turns_made;                   /* PREDICT_MEET: the turns asked for, and those made */
	uint32_t meeting[2];                           /* PREDICT_MEET: enum meeting of each of the two threads */

	uint64_t unknown_calls[8]; /* bit nr: the answer of this syscall could not be recorded in full */

	/* What was found, in all executions so far; new_*: by the last execution. */
	uint32_t nraces;
	uint32_t races_lost; /* distinct races for which there was no room */
	uint32_t new_races;  /* the last execution added some */
	uint32_t nnotices;
	uint32_t new_notices; /* the last execution added some */
	uint32_t nstdouts;
	uint32_t stdouts_lost; /* distinct ones for which there was no room */
	uint32_t new_stdout;   /* the last execution added one: the last row of stdouts */

	/* The bytes that raced in the last execution. */
	uint32_t nwatched;
	uint32_t watched_before; /* if the execution ended at a violation: how many raced before the access that is the
	                            violation */
	uint32_t npossible;      /* of the watched: how many have no byte whose race is certain yet */

	/* Classification: stops, plans and steps. */
	uint32_t nstops, stop_reached;
	uint64_t stop_point, stop_entries; /* point and schedule length where executions from it begin */
	uint32_t nsteps;
	uint64_t tolerated;   /* bit i: the execution came to the violation config.tolerated[i] and continued */
	uint64_t touch_order; /* a hash of the order in which fibers accessed watched bytes, with the sites */
	struct board_plan plan;

	/* The outputs of the execution. */
	uint32_t noutputs, outputs_lost;           /* rows, and outputs for which there was no room */
	uint64_t outputs_hash[SAMENESSES];         /* of all of them: enum sameness */
	uint64_t printed_size[2], printed_hash[2]; /* of standard output and standard error */

	/* STRATEGY_EXHAUST. */
	struct board_guide guide; /* the choices to make */
	uint64_t nnotes;          /* the steps written */
	char unclear[80]; /* why things may happen otherwise although no step says so; empty: there is no such reason */

	uint32_t watches_lost; /* of watched bytes: those for which there was no room */
	uint32_t ntouches, touches_lost;
	uint32_t nthreads;
	struct board_race races[BOARD_RACES];
	struct board_notice notices[BOARD_NOTICES];
	struct board_stdout stdouts[BOARD_STDOUTS];
	struct board_watch watched[BOARD_WATCHES];
	struct board_stop stops[BOARD_STOPS];
	struct board_step steps[BOARD_STEPS];
	struct board_touch touches[BOARD_TOUCHES];
	struct board_thread threads[BOARD_THREADS];
	struct board_result result;
	struct board_output outputs[BOARD_OUTPUTS];
	struct board_capture capture;
	uint64_t counts_lost; /* executed sites for which `counts` had no room */
	struct board_count counts[BOARD_COUNTS];
	struct schedule_entry schedule[];
};

#define SCHEDULE_MAX ((BOARD_SIZE - sizeof(struct board)) / sizeof(struct schedule_entry))

#endif
