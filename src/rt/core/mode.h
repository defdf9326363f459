/*
 * Modes: what an execution is observed for, and how.  Each is a row of one table and a bit of omen.modes; several can
 * be on at once.  Most are set when the execution begins; some change with its phases.  What the inline test of
 * instrumented code has to do follows from the rows that are on (rt/start/modes.c), so nobody derives it elsewhere.
 *
 * Everybody may ask for a mode; the room that a mode belongs to turns it on and off.
 */
#ifndef OMEN_MODE_H
#define OMEN_MODE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a mode needs of plain accesses.
 * NEED_WATCH: the inline test looks at cells; accesses that find something new there come to their slow hook.
 * NEED_SLOW: where accesses are watched, all of them come to their slow hook.
 * NEED_OTHERS: accesses to bytes that are not watched are of interest, too (while races are explained they are not
 * otherwise). POINT: it cannot be done while points are sparse: then cells mark wrong accesses, and no access else is
 * heard of.
 */
enum mode_need { NEED_NOTHING = 0, NEED_WATCH = 1, NEED_SLOW = 2, NEED_OTHERS = 4, NEED_POINT = 8, OBSERVES = 16 };
#define NEED_ALL (NEED_WATCH | NEED_SLOW | NEED_OTHERS)

/* clang-format off */
/* X(name, needs): the order is that of the bits only. */
#define MODES(X)                                                                                                       \
	/* races */                                                                                                    \
	X(DETECT, NEED_WATCH)                 /* they are looked for, and there can be some now */                     \
	X(PRECISE, NEED_SLOW | NEED_POINT)    /* past accesses are kept with their sites */                            \
	X(MERGE, NEED_NOTHING)                /* what is found need not be a race if it is said so: race_check.c */    \
	X(EXPLAIN, OBSERVES)              /* a replay that explains races: explain.c */                            \
	X(EXPLAIN_VALUE, NEED_NOTHING)        /* an access was told whose value is still to come */                    \
	X(NOTICE, NEED_NOTHING)               /* what is wrong although nothing comes of it: notice.h */               \
	X(PAST_RACE, NEED_NOTHING)            /* the accesses that the execution is about were made: no other race matters */ \
	/* records */                                                                                                  \
	X(TIMELINE, OBSERVES)             /* what happens is written down: timeline_record.c */                    \
	X(PREDICT, OBSERVES | NEED_SLOW | NEED_OTHERS | NEED_POINT) /* for prediction: prediction_record.c */                     \
	X(COUNT_OPS, NEED_ALL | NEED_POINT)   /* the operations of each fiber are counted: prediction_record.h */      \
	X(COUNT_SITES, OBSERVES | NEED_ALL)   /* how often each site is executed: site_count.c */                      \
	X(STEPS, OBSERVES | NEED_SLOW | NEED_OTHERS | NEED_POINT) /* all interleavings: whatever others can notice is a point, and written down */ \
	X(STEPS_NEXT, OBSERVES)               /* this begins with the next thread */                                   \
	/* points */                                                                                                   \
	X(ACCESS_POINTS, NEED_ALL | NEED_POINT) /* plain accesses are points now */                                    \
	X(DEPARTED, NEED_NOTHING)             /* the execution has left its recording: accesses are points, unless */  \
	X(SPARSE, NEED_NOTHING)               /* it is long: point_density.h */                                        \
	X(RACE_POINTS, OBSERVES | NEED_ALL)              /* accesses to the bytes of one race are points, although it is */       \
	X(EXPLORE, NEED_NOTHING)              /* it has left its recording for no race in particular */                \
	X(ASK_ALWAYS, NEED_NOTHING)           /* the strategy is asked at every point, also where there is no choice */ \
	X(PATIENT, NEED_NOTHING)              /* a loop is endless only if everybody is seen to spin: endless_loop.c */ \
	X(LOOP_PROOF, NEED_ALL | NEED_POINT)  /* a proof is tried that the execution is endless */                     \
	/* classification */                                                                                           \
	X(COUNT_TOUCHES, OBSERVES | NEED_SLOW)           /* accesses to watched bytes are counted: steer.c */                     \
	X(STEER, OBSERVES)                    /* the execution is led to a race's other order: steer.c */              \
	X(HOLD, OBSERVES)                     /* and a thread is held */                                               \
	X(KEEP_ORDER, NEED_NOTHING)           /* and are to have an order: strategy/keep_order.c */                    \
	X(COMPARE, OBSERVES)              /* what is done is noted, to compare states: compare_orders.c */         \
	X(BLIND, NEED_NOTHING)                /* mutexes order nothing for the detector */                             \
	X(WITHOUT_SYNC, NEED_NOTHING)         /* some synchronisation does nothing: without_sync.c */                  \
	/* violations */                                                                                               \
	X(CHECK, NEED_ALL)                    /* accesses are compared with the memory they may touch: memory_check.c */ \
	X(CHECK_IN_CELLS, NEED_NOTHING)       /* cells say what must not be accessed, and are not the detector's any more */ \
	X(INVARIANT_OPEN, NEED_NOTHING)       /* a write under way may break an invariant: invariants.c */             \
	/* the memory model */                                                                                         \
	X(WEAK, NEED_OTHERS | NEED_POINT)     /* atomic loads may see older stores: store_history.c */                 \
	X(CXX20, NEED_NOTHING)                /* release sequences as in C++20 */                                      \
	X(VOLATILE, NEED_SLOW | NEED_OTHERS | NEED_POINT) /* volatile accesses synchronise */                          \
	X(FREE_ORDER, NEED_NOTHING)           /* modification order need not be the order of execution */              \
	/* how it runs */                                                                                              \
	X(SERVED, NEED_NOTHING)               /* the process is the server of an exploration, or an execution of it */ \
	X(LATE, NEED_NOTHING)                 /* accesses are told that a library function has made already */         \
	/* what follows for the inline test: set by mode_changed() */                                                  \
	X(ALL_SLOW, NEED_NOTHING)             /* no access passes by its slow hook */                                  \
	X(ONLY_WATCHED, NEED_NOTHING)         /* but only those to watched bytes are of interest */                    \
	X(ONLY_DETECT, NEED_NOTHING)          /* those that come there are of interest to the detector only */
/* clang-format on */

enum mode_bit {
#define X(name, needs) MODE_BIT_##name,
	MODES(X)
#undef X
	        MODE_COUNT
};

#define MODE(name) (1ul << MODE_BIT_##name)

#define MODE_IF_IT_OBSERVES(name, needs) ((needs) & OBSERVES ? MODE(name) : 0) |
#define MODES_THAT_OBSERVE               (MODES(MODE_IF_IT_OBSERVES) 0ul)

/* Modes in which every access counts that comes to its slow hook, also one that can tell the race check nothing new. */
#define MODE_IF_EACH_COUNTS(name, needs)                                                                               \
	(((needs) & (OBSERVES | NEED_SLOW)) == (OBSERVES | NEED_SLOW) ? MODE(name) : 0) |
#define MODES_WITH_EACH_ACCESS ((MODES(MODE_IF_EACH_COUNTS) 0ul) | MODE(EXPLAIN) | MODE(PRECISE) | MODE(SPARSE))

/* Modes in which states are compared: the runtime then leaves nothing behind on the stack and in registers. */
#define MODES_WITH_STATES (MODE(COMPARE) | MODE(LOOP_PROOF))

/* Is it on?  Of several: mode_any(MODE(A) | MODE(B)). */
#define mode_is(name) ((omen.modes & MODE(name)) != 0)
#define mode_any(set) ((omen.modes & (set)) != 0)

/* Turns it on or off; what follows for instrumented code only mode_changed() brings about. */
#define mode_set(name, yes) ((void)(omen.modes = (yes) ? omen.modes | MODE(name) : omen.modes & ~MODE(name)))

/* ---- asked of rt/start, which knows all rooms ---- */

/* Modes were changed that the inline test depends on. */
void mode_changed(void);
/* The same; and threads have come or gone, so that races may be possible now, or not any more. */
void mode_threads_changed(void);
/* The two accesses that the execution is about were made. */
void mode_past_race(void);

#endif
