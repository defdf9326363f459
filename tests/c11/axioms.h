/*
 * What may a program do?  All executions of a tiny program (program.h) that C11's axioms call consistent.
 *
 * An execution is the operations done, what each read (rf) and the order of the stores to each location (mo). Loads
 * read only stores that exist already: sb ∪ rf is acyclic in everything here (RC11's answer to values out of thin air),
 * so load buffering does not exist.
 */
#ifndef C11_AXIOMS_H
#define C11_AXIOMS_H

#include "outcome.h"

/* What continues a release sequence: read-modify-writes, and up to C++17 also stores by the thread of its head. */
enum standard { STD_C11, STD_CXX20, STANDARDS };

/*
 * What seq_cst operations promise.
 *
 * C11: there is a total order S of them that agrees with hb and mo, with the clauses of C++11 29.3p3-p7 (p7 as amended
 * by LWG 2130 / C11 DR 407). By p3, let A be the last seq_cst store to the location before a read in S: the read sees A,
 * or a store that is not seq_cst and does not happen before A.
 * STRICT: the same, but what it reads may not happen before any seq_cst store to the location that precedes the read in
 * S. Lidbury has it so (thesis, 3.4.4, rule 8), and so does an implementation that marks hidden stores.
 * PSC: RC11's partial order is acyclic; in effect C++20 (P0668).
 */
enum sc_rule { SC_C11, SC_STRICT, SC_PSC, SC_RULES };

/*
 * A tool does one operation after another. Which executions can it find, if the order in which it does them
 * FULL: agrees with sb and rf, as always;
 * SC_ORDER: and is S on seq_cst operations (C11Tester);
 * EXECUTION: and is the modification order of each location (tsan11: sb ∪ rf ∪ mo ∪ S is acyclic).
 */
enum fragment { FULL, SC_ORDER, EXECUTION, FRAGMENTS };

/* The model with one deliberate mistake: the table of known truths must notice each. */
#define LIES(X)                                                                                                        \
	X(COWW, "coww")           /* a store may precede, in mo, one that happens before it */                         \
	X(COWR, "cowr")           /* a read may see a store older than one that happens before it */                   \
	X(CORW, "corw")           /* ... a store newer than one that happens after it */                               \
	X(CORR, "corr")           /* ... older than one seen before it */                                              \
	X(UPDATES, "updates")     /* a store may come between a read-modify-write and what it read */                  \
	X(RELEASE, "release")     /* release stores release nothing */                                                 \
	X(ACQUIRE, "acquire")     /* acquire loads acquire nothing */                                                  \
	X(RELAXED, "relaxed")     /* relaxed stores release */                                                         \
	X(EAGER, "eager")         /* relaxed loads acquire */                                                          \
	X(FENCE_REL, "fence-rel") /* fences release nothing */                                                         \
	X(FENCE_ACQ, "fence-acq") /* fences acquire nothing */                                                         \
	X(HEAD, "head")           /* a release sequence is its head */                                                 \
	X(OWN, "own")             /* a store by its thread ends it, in C11 too */                                      \
	X(FOREIGN, "foreign")     /* a store by another thread continues it */                                         \
	X(FAILED, "failed")       /* a compare-exchange that fails writes */                                           \
	X(FAILURE, "failure")     /* ... has the order of one that does not */                                         \
	X(SC, "sc")               /* every operation is seq_cst */                                                     \
	X(S_HB, "s-hb")           /* S need not agree with hb */                                                       \
	X(S_MO, "s-mo")           /* S need not agree with mo */                                                       \
	X(P3_SC, "p3-sc")         /* a seq_cst read may see any seq_cst store */                                       \
	X(P3_HB, "p3-hb")         /* ... any other store */                                                            \
	X(P4, "p4")               /* a clause does not hold */                                                         \
	X(P5, "p5")                                                                                                    \
	X(P6, "p6")                                                                                                    \
	X(P7_STORE, "p7-store")                                                                                        \
	X(P7_FENCE, "p7-fence")                                                                                        \
	X(P7_FENCES, "p7-fences")                                                                                      \
	X(SCB_SB, "scb-sb") /* psc lacks a part */                                                                     \
	X(SCB_HB, "scb-hb")                                                                                            \
	X(SCB_LOC, "scb-loc")                                                                                          \
	X(SCB_MO, "scb-mo")                                                                                            \
	X(SCB_RB, "scb-rb")                                                                                            \
	X(PSC_BASE, "psc-base") /* ... what goes from fences and to them, but for psc_F */                             \
	X(PSC_F, "psc-f")                                                                                              \
	X(ORDER_MO, "order-mo") /* the order of execution need not be mo */                                            \
	X(ORDER_S, "order-s")   /* ... nor S */                                                                        \
	X(READS, "reads")       /* two reads race */                                                                   \
	X(WRITES, "writes")     /* only two writes do */

enum lie {
	NO_LIE,
#define X(id, name) LIE_##id,
	LIES(X)
#undef X
};

struct model {
	enum standard std;
	enum sc_rule sc;
	enum fragment fragment;
	enum lie lie;
};

enum { EVENTS = ATOMICS + THREADS * OPS, MAIN = -1 };

typedef uint32_t set; /* of events */

struct relation {
	set before[EVENTS]; /* each event: all that it relates to this one */
};

struct event {
	int8_t thread; /* MAIN initialises */
	int8_t index;  /* in its thread */
	int8_t location;
	int8_t source;      /* the store that it reads */
	int8_t rank;        /* of a store: its place in the modification order */
	bool reads, writes; /* an atomic location */
	bool fence;
	enum order order;
	int read, written;
};

struct execution {
	const struct program *program;
	int8_t done[THREADS]; /* operations */
	int events;
	struct event event[EVENTS]; /* in an order that agrees with sb and rf, the initialisations first */
	int8_t stores[ATOMICS], mo[ATOMICS][EVENTS];
	struct relation sb, hb;
};

typedef void visitor(struct execution *x, void *context);

/* Visits each consistent execution once. */
void enumerate(const struct program *p, const struct model *m, visitor *visit, void *context);

struct outcome outcome_of(const struct execution *x, const struct model *m);

/* The distinct outcomes of all consistent executions; faster than visiting them all. */
struct outcomes find_outcomes(const struct program *p, const struct model *m);

#endif
