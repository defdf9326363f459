/* The verdicts of the races of a recorded execution. */
#ifndef OMEN_CLASSIFY_H
#define OMEN_CLASSIFY_H

#include <pthread.h>
#include <signal.h>

#include "run/standard_streams.h"
#include "report/race_list.h"
#include "report/findings.h"

/* How much is tried. */
struct classify_config {
	uint64_t k, instances; /* executions with the other order for each race, and instances of it */
	uint64_t primaries;    /* executions besides the recorded one that races are tried in */
	uint64_t jobs, timeout_ms, budget_seconds;
	double since;           /* when the budget began to count, of classifier_now(); 0: with classify() */
	uint64_t interleavings; /* if there are not more, all are executed */
	bool unreduced;         /* for tests: also those that differ in nothing */
	bool predict;           /* races of other schedules are looked for, too */
	bool method;            /* the verdict of the replay method too */
	bool blind;             /* mutexes were not seen */
	bool unchecked;         /* violations that only checks show do not end an execution */
};

struct journal;

/* Executions with the other order of one race in which another race was seen that no primary had. */
#define LEADS 8
struct leads {
	struct execution *list[LEADS]; /* the first ones */
	size_t count;
};

struct classifier {
	const struct classify_config *config;
	struct manifest *manifest; /* of the recording; it gets what all executions go on behind */
	const struct input *input; /* with its log */
	const volatile sig_atomic_t *stop;
	const struct board_result *recorded; /* set by classify() */
	struct journal *journal;
	struct leads leads;
	struct failures *failures;              /* that were seen, in whatever execution; NULL: nobody asks */
	struct failure *constant[BOARD_PASSED]; /* those of them that the manifest's `passed` names */
	pthread_mutex_t failing;
	uint64_t points; /* of an execution in which every access is one: what they have to be allowed, */
	uint64_t turns;  /* and of one in which none is */
	size_t known;    /* races */
	struct interleavings all;
	double start, seconds; /* when it began, and how long it took */
};

/*
 * Gives each of the races of the recorded execution its verdict; and those that are found on the way, which are added.
 */
void classify(struct classifier *c, struct races *all, const struct failure *recorded);

/* Seconds of a clock that only goes on. */
double classifier_now(void);
/* Another execution was made: now and then the user is told. */
void classifier_count(struct classifier *c);
/* Its time is up, or the user wants no more: nothing new is begun. */
bool classifier_is_over(const struct classifier *c);
/* Seconds after which there is only time left to tell so many races before one and a half budgets are over. */
double classifier_limit(double budget, size_t races);
/* There is only time left to tell what was found: what is under way is given up. */
bool classifier_is_late(const struct classifier *c);

#endif
