/*
 * Classification: gives each race of a recorded execution its verdict.
 *
 * In: the recording (its manifest, its log and its first execution) and the races that the detector saw in it. Out: a
 * verdict for each race in its struct race, more races that were found on the way, and a list of failures. Only the
 * commands (src/cmd) call this; the other files of this room use the helper functions below.
 */
#ifndef OMEN_CLASSIFY_H
#define OMEN_CLASSIFY_H

#include <pthread.h>
#include <signal.h>

#include "run/standard_streams.h"
#include "report/race_list.h"
#include "report/findings.h"

/* How much is tried. */
struct classify_config {
	uint64_t k, instances; /* per race: executions with the other order, and instances */
	uint64_t primaries;    /* executions, besides the recorded one, in which races are tried */
	uint64_t jobs, timeout_ms, budget_seconds;
	double since;           /* the start of the budget, as classifier_now() tells it; 0: the call of classify() */
	uint64_t interleavings; /* execute all interleavings if there are at most this many */
	bool no_rewind;         /* each execution is a fork of its own */
	bool unreduced;         /* tests only: also execute interleavings that differ in nothing */
	bool predict;           /* also look for races of other schedules */
	bool method;            /* also give the verdict of the replay method */
	bool blind;             /* the detector did not see mutexes */
	bool unchecked;         /* a violation that only a check can see does not end an execution */
};

struct journal;

/*
 * Executions in which one race had its other order and another race appeared that no primary has. Only the first ones
 * are kept.
 */
#define LEADS_MOST 8
struct leads {
	struct execution *list[LEADS_MOST];
	size_t count;
};

struct classifier {
	const struct classify_config *config;
	struct manifest *manifest; /* of the recording; `tolerated` grows by the violations that all executions have */
	const struct input *input; /* with its log */
	const volatile sig_atomic_t *stop;
	const struct board_result *recorded; /* set by classify() */
	struct journal *journal;
	struct leads leads;
	struct failures *failures; /* every failure seen in any execution; NULL: the caller does not want them */
	struct failure *constant_failures[BOARD_TOLERATED]; /* for each entry of manifest.tolerated, its failure */
	pthread_mutex_t failures_lock;
	uint64_t points;    /* points of an undisturbed execution in which every access is a point */
	uint64_t turns;     /* and of one in which no access is a point; both serve to set budgets */
	size_t known_races; /* races known so far */
	struct interleavings interleavings;
	double start, seconds; /* when classification began, and how long it took */
};

/* Gives each race of the recorded execution its verdict. Races that are found on the way are added to `all`. */
void classify(struct classifier *c, struct races *all, const struct failure *recorded);

/* Seconds of a monotonic clock. */
double classifier_now(void);
/* Counts one more execution and updates the progress display. */
void classifier_count_execution(struct classifier *c);
/* enum check: what an execution that leaves the recording is checked for. */
uint32_t classifier_check(const struct classifier *c);
/* True if the budget is used up or the user has interrupted: start nothing new. */
bool classifier_out_of_time(const struct classifier *c);
/* After how many seconds only the reporting of this many races still fits into one and a half budgets. */
double classifier_hard_limit(double budget, size_t races);
/* True if only the time to report is left: abandon what is under way. */
bool classifier_must_give_up(const struct classifier *c);

#endif
