/*
 * The prediction of one trace: the tiers in their order, and what is known of their results.
 *
 * In:  a trace; the confirmations and recorded races that the caller adds.
 * Out: the predicted races with their tiers, the times, and what the maximal tier left open.
 * Called by omen predict and by triage; prediction_report.h prints it.
 */
#ifndef OMEN_PREDICTION_H
#define OMEN_PREDICTION_H

#include "predict/tier_maximal.h"
#include "report/race_list.h"

/*
 * A race that the detector saw in the recorded execution, and that the rules of traces do not predict: another race, or
 * an atomic that does not synchronise, keeps the two accesses in their order.
 */
struct recorded_race {
	const struct race *race;
	const char *evidence; /* NULL: none was kept */
	const char *kind[2];
	bool atomic[2];
	char variable[256], place[2][600];
};

/* Whether an execution that followed the witness of a pair showed its race, and what that execution says of it. */
struct confirmation {
	bool confirmed;
	/* As the report has it; NULL: it has not. */
	const struct race *race;
	int first;   /* which access of `race` is the pair's first */
	char id[32]; /* the id that reports use */
	/* What is known of the two events without that execution. */
	uint32_t thread[2];
	struct frame frame[2];
	char why[240];        /* why it is not confirmed */
	const char *evidence; /* its directory; NULL: none was kept */
	/* The places of the two events in the program's own source; empty: no better place is known. */
	char place[2][600];
};

struct prediction {
	const char *name; /* of the trace, as the user typed it */
	const struct trace *trace;
	struct pairs pairs;
	enum tier tier;             /* the last tier that ran */
	double seconds[TIER_COUNT]; /* of each tier */
	double read_seconds;
	struct maximal_result maximal;            /* if that tier ran */
	const struct confirmation *confirmations; /* by pair; NULL: the trace has no program that could be run */
	const struct recorded_race *recorded_races;
	size_t recorded_race_count;
	/* Events at the end of the execution for which the log had no room. */
	uint64_t lost_events;
	bool lost_words; /* the log did not cover all memory that threads share */
};

/* Runs the tiers in their order, up to `last`. */
void prediction_run(struct prediction *p, enum tier last, const struct maximal_options *options);
void prediction_free(struct prediction *p);

#endif
