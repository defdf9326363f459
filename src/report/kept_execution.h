/* An execution that is kept: all it takes to run it again, and to find names for its addresses. */
#ifndef OMEN_KEPT_EXECUTION_H
#define OMEN_KEPT_EXECUTION_H

#include "abi/board.h"
#include "format/file.h"

struct execution {
	struct board_result *result;
	struct bytes schedule; /* as in the schedule file */
	uint64_t departs_at;   /* it left the recording at this point; 0: it is the recording, or has none */
	bool every;            /* and every operation was a point: board_config.every */
	bool unchecked;        /* nothing was checked where it left the recording */
	uint64_t fails_at;     /* a violation that it ends with, though others go on behind it: board_result.passable */
	uint64_t event_budget; /* it was given up after so many points; 0: it was not */
	uint64_t lost_entries; /* choices that did not fit: it cannot be replayed to the end */
	struct board_watch *watched;
	uint32_t nwatched;
	struct board_thread *threads; /* from its explanation */
	uint32_t nthreads;
	struct board_touch *touches; /* all accesses to the bytes that raced, if there were not too many */
	uint32_t ntouches;
	bool replayed;          /* an explanation was tried */
	char *trouble;          /* and failed: why */
	const char *first_kept; /* the id of its first race in the evidence; the other ones share its files */
	size_t races;           /* that it is kept for; with the last one it goes */
};

/* Copies from the board. The program could write on it: no count of it is trusted. */
void result_copy(struct board_result *to, const struct board *b);
void result_bound(struct board_result *r);
struct bytes schedule_copy(const struct board *b, const struct schedule_entry **entries, uint64_t *count);

/* The execution on the board, with what races need of it. */
struct execution *execution_take(const struct board *b);
/* Another one like it, that is kept for no race. */
struct execution *execution_copy(const struct execution *x);
/* What its explanation tells of threads and modules. */
void execution_explain(struct execution *x, const struct board *b);
void execution_free(struct execution *x);

#endif
