/*
 * Modes: what an execution is observed for, and how.  Each mode is a row of one table and a bit of omen.modes; several
 * can be on at once.  Most are set when the execution begins; some change with its phases.  What the inline test of
 * instrumented code does follows from the rows that are on.  Only rt/start/modes.c derives it.
 *
 * Every room may ask whether a mode is on; the room to which a mode belongs turns it on and off.
 */
#ifndef OMEN_MODE_H
#define OMEN_MODE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a mode needs of plain accesses.
 * NEED_WATCH: the inline test looks at cells; an access that finds something new there calls its slow hook.
 * NEED_SLOW: while accesses are watched, each of them calls its slow hook.
 * NEED_OTHERS: accesses to bytes that are not watched matter, too; without it they do not while races are explained.
 * NEED_POINT: the mode does not work in sparse mode, in which cells mark invalid accesses and only these reach a slow
 * hook.
 * OBSERVES: an observer (op.h) belongs to the mode.
 */
enum mode_need { NEED_NOTHING = 0, NEED_WATCH = 1, NEED_SLOW = 2, NEED_OTHERS = 4, NEED_POINT = 8, OBSERVES = 16 };
#define NEED_ALL (NEED_WATCH | NEED_SLOW | NEED_OTHERS)

/* clang-format off */
/* X(name, needs): the order only numbers the bits. */
#define MODES(X)                                                                                                       \
	/* races */                                                                                                    \
	X(DETECT, NEED_WATCH)                 /* races are looked for and are possible now */                          \
	X(PRECISE, NEED_SLOW | NEED_POINT)    /* every past access is kept with its site */                            \
	X(MERGE, NEED_NOTHING)                /* the detector may report possible races, and says so: race_check.c */  \
	X(EXPLAIN, OBSERVES)                  /* a replay that explains races: explain.c */                            \
	X(EXPLAIN_VALUE, NEED_NOTHING)        /* the value of an access that was noted is still to come */             \
	X(NOTICE, NEED_NOTHING)               /* errors that have no effect in this execution are noted: notice.h */   \
	X(PAST_RACE, NEED_NOTHING)            /* both accesses of the race under trial were made: no other race matters */ \
	/* records */                                                                                                  \
	X(TIMELINE, OBSERVES)                 /* events are written to the timeline: timeline_record.c */              \
	X(PREDICT, OBSERVES | NEED_SLOW | NEED_OTHERS | NEED_POINT) /* the log for prediction is written: prediction_record.c */ \
	X(COUNT_OPS, NEED_ALL | NEED_POINT)   /* each fiber counts its operations: prediction_record.h */              \
	X(COUNT_SITES, OBSERVES | NEED_ALL)   /* counts how often each site is executed: site_count.c */               \
	X(STEPS, OBSERVES | NEED_SLOW | NEED_OTHERS | NEED_POINT) /* all interleavings: every operation that others can notice is a point and is noted */ \
	X(STEPS_NEXT, OBSERVES)               /* STEPS begins with the next thread */                                  \
	/* points */                                                                                                   \
	X(ACCESS_POINTS, NEED_ALL | NEED_POINT) /* plain accesses are points */                                        \
	X(DEPARTED, NEED_NOTHING)             /* the execution has left its recording: accesses are points */          \
	X(SPARSE, NEED_NOTHING)               /* the execution is long, so accesses are no points: point_density.h */  \
	X(RACE_POINTS, OBSERVES | NEED_ALL)   /* accesses to the bytes of one race are points in spite of SPARSE */    \
	X(EXPLORE, NEED_NOTHING)              /* the execution has left its recording, but not for one race */         \
	X(ASK_ALWAYS, NEED_NOTHING)           /* the strategy is asked at every point, also if there is no choice */   \
	X(PATIENT, NEED_NOTHING)              /* a loop is endless only if all fibers are seen to spin: endless_loop.c */ \
	X(LOOP_PROOF, NEED_ALL | NEED_POINT)  /* the runtime tries to prove that the execution is endless */           \
	/* classification */                                                                                           \
	X(COUNT_TOUCHES, OBSERVES | NEED_SLOW) /* accesses to watched bytes are counted: steer.c */                    \
	X(STEER, OBSERVES)                    /* the execution is led to a race's other order: steer.c */              \
	X(HOLD, OBSERVES)                     /* a thread is held for this */                                          \
	X(KEEP_ORDER, NEED_NOTHING)           /* accesses to watched bytes keep their recorded order: strategy/keep_order.c */ \
	X(COMPARE, OBSERVES)                  /* effects are noted, to compare the states after both orders: compare_orders.c */ \
	X(BLIND, NEED_NOTHING)                /* mutexes order nothing for the detector */                             \
	X(WITHOUT_SYNC, NEED_NOTHING)         /* some synchronisation does nothing: without_sync.c */                  \
	/* violations */                                                                                               \
	X(CHECK, NEED_ALL)                    /* accesses are checked against the memory that they may touch: memory_check.c */ \
	X(CHECK_IN_CELLS, NEED_NOTHING)       /* cells mark memory that must not be accessed; the detector does not use them any more */ \
	X(INVARIANT_OPEN, NEED_NOTHING)       /* the current write may break an invariant: invariants.c */             \
	/* the memory model */                                                                                         \
	X(WEAK, NEED_OTHERS | NEED_POINT)     /* atomic loads may see older stores: store_history.c */                 \
	X(CXX20, NEED_NOTHING)                /* release sequences follow C++20 */                                     \
	X(VOLATILE, NEED_SLOW | NEED_OTHERS | NEED_POINT) /* volatile accesses synchronise */                          \
	X(FREE_ORDER, NEED_NOTHING)           /* modification order need not be the order of execution */              \
	/* how it runs */                                                                                              \
	X(REWINDS, NEED_NOTHING)              /* the process may be rewound after the execution: undo.h */             \
	X(SERVED, NEED_NOTHING)               /* the process is the server of an exploration or one of its executions */ \
	X(LATE, NEED_NOTHING)                 /* the accesses reported now were already made by a library function */  \
	/* results for the inline test, which mode_changed() sets */                                                   \
	X(ALL_SLOW, NEED_NOTHING)             /* every access calls its slow hook */                                   \
	X(ONLY_WATCHED, NEED_NOTHING)         /* only accesses to watched bytes matter */                              \
	X(ONLY_DETECT, NEED_NOTHING)          /* only the detector wants the accesses that reach a slow hook */
/* clang-format on */

enum mode_bit {
#define X(name, needs) MODE_BIT_##name,
	MODES(X)
#undef X
	        MODE_COUNT
};

#define MODE(name) (1ul << MODE_BIT_##name)

/* Modes that want every access that reaches a slow hook, also if it is not new to the race check. */
#define MODE_IF_EACH_COUNTS(name, needs)                                                                               \
	(((needs) & (OBSERVES | NEED_SLOW)) == (OBSERVES | NEED_SLOW) ? MODE(name) : 0) |
#define MODES_WITH_EACH_ACCESS ((MODES(MODE_IF_EACH_COUNTS) 0ul) | MODE(EXPLAIN) | MODE(PRECISE) | MODE(SPARSE))

/* Modes in which states are compared: the runtime then leaves nothing behind on the stack and in registers. */
#define MODES_WITH_STATES (MODE(COMPARE) | MODE(LOOP_PROOF))

/* Is the mode on?  Is one of several on: mode_any(MODE(A) | MODE(B)). */
#define mode_is(name) ((omen.modes & MODE(name)) != 0)
#define mode_any(set) ((omen.modes & (set)) != 0)

/* Turns a mode on or off.  Instrumented code sees the change only after mode_changed(). */
#define mode_set(name, yes) ((void)(omen.modes = (yes) ? omen.modes | MODE(name) : omen.modes & ~MODE(name)))

/* ---- defined by rt/start, which knows all rooms ---- */

/* Call this after a change of modes on which the inline test depends. */
void mode_changed(void);
/* The same after threads have begun or ended, so that races have become possible or impossible. */
void mode_threads_changed(void);
/* Call this when both accesses of the race under trial were made. */
void mode_past_race(void);

#endif
