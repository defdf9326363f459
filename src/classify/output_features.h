/* What can be compared of two outputs that are not the same anyway. */
#ifndef OMEN_OUTPUT_FEATURES_H
#define OMEN_OUTPUT_FEATURES_H

#include "classify/execution_result.h"

/* One thing that can be said of an output. */
struct trait {
	uint64_t key, value; /* what is said, and what it is here */
	uint64_t family;     /* of a line: it without its numbers; 0: it is about no line */
	uint64_t stream;     /* of a file or connection: its name, hashed */
	uint32_t kind;
	uint32_t part; /* enum part; PARTS: the exit status */
};

struct traits {
	struct trait *list; /* by key */
	size_t count;
};

/* What several executions that differ in their schedule only have printed. */
struct samples {
	struct traits *list;
	size_t count;
};

struct traits traits_of(const struct trial *t);
/* What is not said is 0. */
uint64_t traits_value(const struct traits *t, uint64_t key);
void samples_add(struct samples *all, const struct trial *t);
void samples_free(struct samples *all);

/* All of these agree about something, and this one says otherwise: what that is. */
bool samples_contradict(const struct samples *all, const struct traits *t, struct trait *what);
/*
 * Something is often so in one of the two and never in the other, more often than chance would have it; `perhaps`: so
 * often that it is worth while to take as many again.
 */
bool samples_differ(const struct samples *a, const struct samples *b, bool perhaps, struct trait *what);
/* The same of one thing. */
bool samples_differ_in(const struct samples *a, const struct samples *b, const struct trait *what);
/* A line without its numbers, and the name of a stream or file, as in struct trait. */
uint64_t family_of(const uint8_t *line, size_t size);
uint64_t given_name(const struct board_given *g);

void traits_free(struct traits *t);

#endif
