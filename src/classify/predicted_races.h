/*
 * Predicts the races that other schedules of the recorded execution have, and makes executions that show them
 * (docs/design.md, "Prediction").
 *
 * In: the recorded execution. Out: pairs of accesses, each with a confirming execution or a reason why there is none.
 * Called by try_primaries.c and by `omen predict`.
 */
#ifndef OMEN_PREDICTED_RACES_H
#define OMEN_PREDICTED_RACES_H

#include "classify/classify.h"
#include "predict/trace_from_log.h"
#include "predict/prediction.h"

struct predicted {
	struct logged_trace past;
	struct predict_event *events; /* the log that it is made from */
	uint64_t count;
	struct board_result *result; /* of the replay: names for its addresses */
	struct prediction prediction;
	struct confirmation *confirmations; /* by pair */
	struct execution **executions;      /* by pair: one that shows it; NULL: none, or an earlier pair has it */
};

/* Replays the execution for its log, and asks the tiers. False: that is not possible. */
bool predicted_find(struct classifier *c, const struct execution *recorded, enum tier last,
                    const struct maximal_options *options, struct predicted *p, struct error *e);
/* Makes an execution for each race that was predicted and is not known, as its witness says. */
void predicted_confirm(struct classifier *c, const struct execution *recorded, const struct races *known,
                       struct predicted *p);
/* What is known of one of a pair's accesses without an execution that has both: its ACCESS_* flags … */
uint32_t predicted_flags(const struct predicted *p, size_t i, int access);
/* … its thread, and its place. */
uint32_t predicted_thread(const struct predicted *p, size_t i, int access);
bool predicted_place(const struct predicted *p, size_t i, int access, struct frame *out);
/* Which access of this race is the first access of the pair; -1: the race is not this pair. */
int predicted_is(const struct predicted *p, size_t i, const struct board_race *r);
void predicted_free(struct predicted *p);

#endif
