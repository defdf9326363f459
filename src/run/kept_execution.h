/*
 * An execution that the tool keeps: what a replay of it needs, and what its addresses need to get names.
 *
 * In: a board.  Out: a copy that outlives the board, and a board for its replay.  Callers: whoever keeps races or
 * verdicts, and what explains them.
 */
#ifndef OMEN_KEPT_EXECUTION_H
#define OMEN_KEPT_EXECUTION_H

#include "abi/board.h"
#include "format/file.h"
#include "format/manifest.h"
#include "run/launch.h"
#include "run/standard_streams.h"

struct execution {
	struct board_result *result;
	struct bytes schedule; /* in the format of the schedule file */
	uint64_t departs_at;   /* the point where it left the recording; 0: it is the recording, or has none */
	bool every_operation;  /* every operation was a point: board_config.every_operation */
	bool unchecked;        /* nothing was checked after it left the recording */
	uint64_t fails_at; /* the violation that ends it, though others continue after it: board_result.violation_key */
	uint64_t event_budget; /* the points after which it was given up; 0: it was not */
	uint64_t lost_entries; /* choices that did not fit: a replay does not reach the end */
	struct board_watch *watched;
	uint32_t nwatched;
	struct board_thread *threads; /* from its explaining replay */
	uint32_t nthreads;
	struct board_touch *touches; /* all accesses to the bytes that raced; none if there were too many */
	uint32_t ntouches;
	bool replayed;          /* the explaining replay was tried */
	char *trouble;          /* why it failed; NULL: it did not */
	const char *first_kept; /* the id of its first race in the evidence, whose files its other races share */
	size_t races;           /* how many races it is kept for; the last one frees it */
};

/* Copies from the board. The program could write on the board, so these trust no count on it. */
void result_copy(struct board_result *to, const struct board *b);
void result_bound(struct board_result *r);
struct bytes schedule_copy(const struct board *b, const struct schedule_entry **entries, uint64_t *count);

/* The execution on the board, with all that its races need. */
struct execution *execution_take(const struct board *b);
/* A copy that is kept for no race. */
struct execution *execution_copy(const struct execution *x);
/*
 * Makes a board for a replay of it, with the schedule, the bytes that raced and the log of the recording, if `input`
 * has one.  The caller can still add to the configuration, and calls process_end() in any case.
 */
bool execution_prepare(const struct execution *x, struct process *p, const struct manifest *m,
                       const struct input *input, struct error *e);
/* Adds the threads, modules and accesses that the explaining replay left on the board. */
void execution_explain(struct execution *x, const struct board *b);
void execution_free(struct execution *x);

#endif
