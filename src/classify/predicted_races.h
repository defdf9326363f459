/*
 * The races that other schedules of the recorded execution have, and executions
 * that have them (docs/design.md, "Prediction").
 */
#ifndef OMEN_PREDICTED_RACES_H
#define OMEN_PREDICTED_RACES_H

#include "classify/classify.h"
#include "predict/trace_from_log.h"
#include "predict/prediction.h"

struct predicted {
	struct logged_trace past;
	struct predict_event *events; /* the history it is made from */
	uint64_t count;
	struct board_result *result; /* of the replay: names for its addresses */
	struct prediction prediction;
	struct confirmation *confirmations; /* by pair */
	struct execution **executions;      /* by pair: one that has it; NULL: none, or
	                                       that of another pair before it */
};

/* Replays the execution for its history, and asks the tiers. False: that cannot
 * be done. */
bool predicted_find(struct classifier *c, const struct execution *recorded, enum tier last,
                    const struct maximal_options *options, struct predicted *p, struct error *e);
/* Makes an execution for each race that was found and is not known, as its
 * witness says. */
void predicted_confirm(struct classifier *c, const struct execution *recorded, const struct races *known,
                       struct predicted *p);
/* What is known of one of a pair's accesses without an execution that has both: flags of an access on the board, … */
uint32_t predicted_flags(const struct predicted *p, size_t i, int access);
/* … its thread, and its place. */
uint32_t predicted_thread(const struct predicted *p, size_t i, int access);
bool predicted_place(const struct predicted *p, size_t i, int access, struct frame *out);
/* Whether a race on the board is the pair with this number: which of its
 * accesses is the pair's first, or -1. */
int predicted_is(const struct predicted *p, size_t i, const struct board_race *r);
void predicted_free(struct predicted *p);

#endif
