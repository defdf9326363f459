/*
 * The distinct failures of the program under test, merged over executions and workers.
 *
 * In: the boards of failed executions.  Out: one entry for each kind and place of failure, with the shortest execution
 * that shows it.  Callers: every command that makes executions; classify adds which races decide a failure.
 */
#ifndef OMEN_FAILURES_H
#define OMEN_FAILURES_H

#include "abi/board.h"
#include "format/file.h"

#define SHOWN_PREEMPTIONS 12

struct race;

/* How an execution leaves the recording that it starts from: what a replay needs besides log and schedule. */
struct departure {
	bool from_recording;   /* false: it has no recording; the session's manifest has all that follows here */
	uint64_t at;           /* the point where it leaves; 0: it leaves nowhere, or only at `touch` */
	bool every_operation;  /* every operation is a point: board_config.every_operation */
	uint64_t event_budget; /* the points after which it was given up; 0: it was not given up */
	uint64_t seed;         /* the seed that a replay uses; the choices are in the schedule */
	uint32_t check;        /* enum check */
	uint32_t ntolerated;   /* how many of the session's violations (board_config.tolerated) it continues after */
	struct board_watch watch;
	uint64_t touch; /* the access to `watch` before which the schedule starts to hold threads; 0: it holds none */
};

/* A distinct failure, with the shortest execution that shows it. */
struct failure {
	struct board_result *result;
	uint64_t runs;       /* the executions that have it */
	uint64_t first_seed; /* the smallest of their seeds */
	bool before_main;
	struct bytes schedule; /* in the format of the schedule file */
	uint64_t lost_entries; /* choices that did not fit: a replay does not reach the end */
	struct schedule_entry preemptions[SHOWN_PREEMPTIONS]; /* the last ones */
	uint64_t preemption_count;
	struct bytes output[2]; /* stdout, stderr; empty for `record`, which does not catch them */
	struct departure departure;
	bool fixed;          /* the recorded execution ends with it: no other execution replaces that one */
	bool own;            /* it also occurs with all races in the recorded order */
	bool constant;       /* the recorded execution has it and continues after it, and so do all others */
	bool changed;        /* the journal does not have the kept execution yet */
	uint64_t noted;      /* the number of executions that the journal has for it */
	bool lost;           /* no execution that shows it can be reproduced */
	struct race **races; /* the races that decide it, as their verdicts say; none: no race does */
	size_t nraces;
	char *evidence; /* its directory */
};

struct failures {
	struct failure **list;
	size_t count;
};

/* Makes a failure of the failed execution on the board. */
struct failure *failure_take(const struct board *b);
void failure_free(struct failure *f);
/* The failure with the ending and the signature of `r`; NULL: the list does not have it. */
struct failure *failures_find(const struct failures *all, const struct board_result *r);
/*
 * Counts the failed execution on the board.  `kept`: this execution is the first of its failure, or shorter than the
 * kept one, and is the kept one from here on.
 */
struct failure *failures_note(struct failures *all, const struct board *b, bool *kept);
/* The same for an execution that no schedule can reproduce. */
void failures_note_lost(struct failures *all, const struct board *b);
void failures_add(struct failures *all, struct failure *f);
bool failures_has(const struct failures *all, const struct failure *f);
void failures_free(struct failures *all);

#endif
