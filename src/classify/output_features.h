/*
 * What can be compared of two outputs that differ anyway: single features that do not depend on the schedule.
 *
 * In: trials with the same order of the two accesses. Out: a feature that the other order has differently. Called by
 * instance_output.c; clock_output.c and difference.c use the families of lines.
 */
#ifndef OMEN_OUTPUT_FEATURES_H
#define OMEN_OUTPUT_FEATURES_H

#include "classify/trial.h"

/* One thing that can be said of an output. */
struct feature {
	uint64_t key, value; /* what is said, and what holds here */
	uint64_t family;     /* of a line: a hash without its numbers; 0: the feature is about no line */
	uint64_t stream;     /* of a file or connection: a hash of its name */
	uint32_t kind;
	uint32_t part; /* enum part; PARTS: the exit status */
};

struct features {
	struct feature *list; /* sorted by key */
	size_t count;
};

/* What several executions printed that differ only in their schedule. */
struct samples {
	struct features *list;
	size_t count;
};

struct features features_of(const struct trial *t);
/* Returns 0 for what the output does not have. */
uint64_t features_value(const struct features *t, uint64_t key);
void samples_add(struct samples *all, const struct trial *t);
void samples_free(struct samples *all);

/* All samples agree about some feature and `t` has it differently: which one. */
bool samples_contradict(const struct samples *all, const struct features *t, struct feature *what);
/*
 * Some value is frequent in one of the two and never occurs in the other, more often than by chance; `perhaps`: often
 * enough to make as many samples again.
 */
bool samples_differ(const struct samples *a, const struct samples *b, bool perhaps, struct feature *what);
/* The same, of one feature. */
bool samples_differ_in(const struct samples *a, const struct samples *b, const struct feature *what);
/* Hashes of a line without its numbers, and of the name of a stream or file. */
uint64_t feature_family(const uint8_t *line, size_t size);
uint64_t feature_stream(const struct board_output *g);

void features_free(struct features *t);

#endif
