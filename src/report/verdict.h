/* What a race does. */
#ifndef OMEN_VERDICT_H
#define OMEN_VERDICT_H

#include <stdio.h>

#include "report/kept_execution.h"

/* Worst last. */
enum verdict_kind {
	VERDICT_UNKNOWN, /* no execution could be made that would tell */
	VERDICT_SINGLE,  /* the other order cannot happen */
	VERDICT_HARMLESS,
	VERDICT_OUTPUT,
	VERDICT_SPEC,
};
#define VERDICTS 5

/* How much is known of the states after the two orders. */
enum states { STATES_UNKNOWN, STATES_EQUAL, STATES_DIFFER };

/* Where the output of the two orders differs first. */
struct difference {
	bool status;            /* in the exit status only */
	int descriptor;         /* 1 or 2; 0: another stream */
	char *stream;           /* its name; NULL: the exit status, or a stream that was not kept */
	uint64_t offset;        /* of the first byte */
	bool missing[2];        /* a file that is not there, a stream that there is nothing on */
	struct bytes output[2]; /* the line, in the recorded order and in the other one; */
	bool binary;            /* or, where that is no text, some bytes around the one that differs, */
	uint64_t first;         /* from this one on */
	uint32_t place;         /* enum capture_place: who wrote it, in the other order if it is written there, */
	bool primary;           /* else in the recorded one */
	struct board_stack stack;
};

/* How much an execution is interleaved. */
struct effort {
	uint64_t preemptions, switches;
};

#define WOKEN 4

/* Something that a thread did, with its place if that is no site, or one in a system's header. */
struct moment {
	struct event event;
	struct event_stack stack;
	uint32_t woken[WOKEN], nwoken; /* by this; of more than WOKEN the first ones */
	uint64_t began; /* of an access: the site of the function that the thread began with; 0: the stack has it, or
	                   it was told before */
};

/* Why it does no harm, where that is plain. One row a pattern: identifier, name, sentence. */
#define PATTERNS(X)                                                                                                    \
	X(REDUNDANT, "redundant-write", "what is written is what stands there already, or what the other writes too")  \
	X(DOUBLE_CHECK, "double-check", "what is read without the lock only decides whether it is read again with it") \
	X(BITS, "disjoint-bits", "the one changes other bits than the other looks at, or changes itself")              \
	X(COUNTER, "approximate-counter", "several threads add to it, and nothing depends on the exact sum")           \
	X(VALID, "both-values-valid", "both values were there, and either does")                                       \
	X(USER_SYNC, "user-synchronisation", "the program itself keeps the two accesses in order")

enum pattern {
	PATTERN_NONE,
#define X(id, name, sentence) PATTERN_##id,
	PATTERNS(X)
#undef X
};

struct verdict {
	enum verdict_kind kind;
	char why[200];     /* unknown, single-ordering: what was seen */
	const char *adhoc; /* "flag", "data", or NULL */
	bool rounds;       /* single-ordering: either can be first, and the other then has to wait */
	enum pattern pattern;
	uint64_t k;             /* executions with the other order that were tried */
	uint64_t interleavings; /* harmless in all of them, which is all there are; 0: that is not known */
	bool others;            /* but they differ, by what others do */
	bool lost;              /* harmless: it is seen only in executions that fail, and they fail in either order */
	enum states states;
	bool by_budget;     /* the other order was given up, and not because it is impossible */
	uint64_t invented;  /* executions in which the recording did not tell what the world would answer */
	bool timed;         /* harmless: numbers that depend on the time were not compared, */
	bool varies;        /* nor what depends on the schedule in the recorded order, too */
	const char *replay; /* the verdict of the replay method, or NULL: not asked for */
	/* The execution that shows it; NULL: there is none to show. */
	struct execution *alternate;
	struct board_watch watch; /* where it leaves the recording: before this access to these bytes */
	uint64_t touch;
	struct effort found;    /* as it was found, before it was reduced to `alternate` */
	struct moment *moments; /* of the alternate, in time; NULL: not known */
	size_t nmoments;
	size_t pair[2]; /* of these, the race's two accesses; the second one is `nmoments` if the violation itself is
	                   it; not in this order: which they are is not known */
	bool cuts;      /* they cut in two what a lock would keep together */
	/* VERDICT_OUTPUT: where it differs first. */
	struct difference difference;
	char *evidence;
};

const char *pattern_name(enum pattern p); /* NULL: none */
const char *pattern_sentence(enum pattern p);
/* "spec-violated" … */
const char *verdict_name(enum verdict_kind kind);
/* "spec violated" …: in a sentence. */
const char *verdict_words(enum verdict_kind kind);
/* The kind of the consequence of a violation: "memory-error", "crash" … (docs/design.md, "JSON contract"). */
const char *consequence_name(uint32_t ending);
void verdict_free(struct verdict *v);

#endif
