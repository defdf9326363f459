/*
 * The verdict on a race: what the race does, how that is known, and the execution that shows it.
 *
 * In: classify fills it.  Out: reports print it.  No logic of classification is here.
 */
#ifndef OMEN_VERDICT_H
#define OMEN_VERDICT_H

#include <stdio.h>

#include "run/kept_execution.h"

/* From the least harmful to the worst. */
enum verdict_kind {
	VERDICT_UNKNOWN, /* no execution decides it */
	VERDICT_SINGLE,  /* the other order cannot happen */
	VERDICT_HARMLESS,
	VERDICT_OUTPUT,
	VERDICT_SPEC,
};
#define VERDICTS 5

/* What is known of the states after the two orders. */
enum states { STATES_UNKNOWN, STATES_EQUAL, STATES_DIFFER };

/* The first difference between the outputs of the two orders. */
struct difference {
	bool status;            /* only the exit status differs */
	int descriptor;         /* 1 or 2; 0: another stream */
	char *stream;           /* its name; NULL: the exit status, or a stream that was not kept */
	uint64_t offset;        /* of the first byte that differs */
	bool missing[2];        /* the file does not exist, or the stream is empty */
	struct bytes output[2]; /* the line, in the recorded order and in the other order */
	bool binary;            /* the line is not text: `output` has some bytes around the first difference, */
	uint64_t first;         /* and this is the offset of the first of them */
	uint32_t place;         /* enum capture_place: what wrote the byte, in the other order if that writes it, */
	bool primary;           /* or else in the recorded order */
	struct board_stack stack;
};

/* How often an execution switches between threads. */
struct effort {
	uint64_t preemptions, switches;
};

#define WOKEN 4

/* One thing that a thread does in the alternate. */
struct moment {
	struct event event;
	struct event_stack stack;      /* if event.where is no site, or a site in a system's header */
	uint32_t woken[WOKEN], nwoken; /* the threads that it wakes; of more than WOKEN the first ones */
	uint64_t began; /* of an access: the site of the function that the thread began with; 0: see the stack, or an
	                   earlier moment of the thread */
};

/* Why a race is harmless, where its accesses show a common pattern. One row a pattern: identifier, name, sentence. */
#define PATTERNS(X)                                                                                                    \
	X(REDUNDANT, "redundant-write",                                                                                \
	  "the write stores the value that is already there, or that the other thread stores too")                     \
	X(DOUBLE_CHECK, "double-check",                                                                                \
	  "the read without the lock only decides whether the thread reads again with the lock")                       \
	X(BITS, "disjoint-bits", "one access changes bits that the other neither looks at nor changes")                \
	X(COUNTER, "approximate-counter", "several threads add to it, and nothing depends on the exact sum")           \
	X(VALID, "both-values-valid", "threads read the old value and the new one, and both are valid")                \
	X(USER_SYNC, "user-synchronisation", "the program itself keeps the two accesses in order")

enum pattern {
	PATTERN_NONE,
#define X(id, name, sentence) PATTERN_##id,
	PATTERNS(X)
#undef X
};

struct verdict {
	enum verdict_kind kind;
	char why[200];     /* of unknown and single-ordering: the reason */
	const char *adhoc; /* the part in the program's own synchronisation: "flag", "data"; NULL: none, or unknown */
	bool rounds;       /* single-ordering: either thread can be first, and the other one then has to wait */
	enum pattern pattern;
	uint64_t k;             /* the executions with the other order */
	uint64_t interleavings; /* harmless in all of these, which are all there are; 0: that is not known */
	bool others;            /* but these end in different ways, which this race does not decide */
	bool lost;              /* harmless: only executions that fail have the race, and they fail in either order */
	enum states states;
	bool by_budget;     /* some tries of the other order were given up, not found impossible */
	uint64_t invented;  /* executions in which the recording did not say how the world would answer */
	bool timed;         /* harmless: numbers that depend on time were not compared */
	bool varies;        /* harmless: what depends on the schedule in the recorded order too was not compared */
	const char *replay; /* the verdict of the replay method; NULL: the user did not ask for it */
	/* The execution that shows the verdict; NULL: none does. */
	struct execution *alternate;
	struct board_watch watch; /* the alternate leaves the recording before access `touch` to these bytes */
	uint64_t touch;
	struct effort found;    /* of the alternate before it was reduced */
	struct moment *moments; /* of the alternate, in the order of time; NULL: not known */
	size_t nmoments;
	size_t pair[2]; /* the indices of the race's two accesses in `moments`; the second one is `nmoments` if the
	                   violation itself is that access; not in ascending order: the accesses are not known */
	bool cuts;      /* these accesses cut apart what a lock would keep together */
	struct difference difference; /* VERDICT_OUTPUT */
	char *evidence;               /* the directory of the alternate */
};

/* NULL for PATTERN_NONE. */
const char *pattern_name(enum pattern p);
const char *pattern_sentence(enum pattern p);
/* "spec-violated": as JSON has it. */
const char *verdict_name(enum verdict_kind kind);
/* "spec violated": as a sentence has it. */
const char *verdict_words(enum verdict_kind kind);
/* The name of a violation: "memory-error", "crash" … (abi/board.h, ENDINGS). */
const char *consequence_name(uint32_t ending);
void verdict_free(struct verdict *v);

#endif
