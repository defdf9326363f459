/* What a command found, and the forms it can be told in. */
#ifndef OMEN_FINDINGS_H
#define OMEN_FINDINGS_H

#include <stdio.h>

#include "report/interleavings.h"
#include "report/notice_list.h"
#include "report/optimised.h"
#include "report/output_table.h"
#include "report/race_list.h"
#include "report/verdict.h"
#include "abi/board.h"
#include "format/file.h"

#define SHOWN_PREEMPTIONS 12

/* How an execution that was made from a recording leaves it: what a replay needs besides log and schedule. */
struct departure {
	bool from_recording;   /* else it was made by itself, and all of this stands in the session's manifest */
	uint64_t at;           /* the point; 0: it follows the recording, or leaves it at `touch` only */
	bool every;            /* operations are points: board_config.every */
	uint64_t event_budget; /* 0: it was not given up */
	uint64_t seed;         /* that a replay has; the choices stand in the schedule */
	uint32_t check;        /* enum check */
	uint32_t npassed;      /* of the session's: it went on behind these */
	struct board_watch watch;
	uint64_t touch; /* before this access to these bytes something is done to its threads; 0: nothing is */
};

/* A distinct failure: one execution of it is kept, the shortest seen. */
struct failure {
	struct board_result *result;
	uint64_t runs;       /* executions that have it */
	uint64_t first_seed; /* the smallest of their seeds */
	bool before_main;
	struct bytes schedule; /* as in the schedule file */
	uint64_t lost_entries; /* choices that did not fit: it cannot be replayed to the end */
	struct schedule_entry preemptions[SHOWN_PREEMPTIONS]; /* the last ones */
	uint64_t preemption_count;
	struct bytes output[2]; /* stdout, stderr; empty for `record`, which does not catch them */
	struct departure departure;
	bool fixed;          /* the recorded execution ends so: no other one is kept */
	bool own;            /* no race need be in another order for it */
	bool constant;       /* the recorded execution has it, and goes on: so do all others */
	bool changed;        /* the one that is kept is not in the journal yet, */
	uint64_t noted;      /* which has so many runs */
	bool lost;           /* none that was seen can be had again */
	struct race **races; /* whose doing it is, as `verdict` says; none: it is its own */
	size_t nraces;
	char *evidence; /* its directory */
};

struct failures {
	struct failure **list;
	size_t count;
};

struct report {
	const char *program; /* as typed */
	struct strategy_config strategy;
	struct memory_config memory;
	uint64_t seed, executions, jobs;
	double seconds;
	bool interrupted;
	struct failure **failures;
	size_t count;
	const struct notices *notices; /* NULL: none */
	bool detect;                   /* races were looked for */
	bool classified;               /* races have their verdicts */
	const char *found_by;          /* "happens-before", "explored" */
	struct race **races;           /* without the suppressed ones */
	size_t race_count, suppressed;
	uint64_t races_lost;
	const struct outputs *outputs; /* NULL: not asked for */
	bool all_outputs;              /* not only the most frequent ones */
	struct interleavings interleavings;
	const struct optimised_program *optimised; /* NULL: nobody has asked for another program */
	const char *data;                          /* where all of it is told; NULL: nowhere */
};

/* Copies a failure from the board. */
struct failure *failure_take(const struct board *b);
void failure_free(struct failure *f);
/* The one of this kind and place; NULL: it was not seen yet. */
struct failure *failures_find(const struct failures *all, const struct board_result *r);
/*
 * The execution on the board has failed: it is counted. `kept`: it tells the failure more shortly than those before, so
 * it is the one that is kept now.
 */
struct failure *failures_note(struct failures *all, const struct board *b, bool *kept);
/* The same of one that no schedule can bring back. */
void failures_note_lost(struct failures *all, const struct board *b);
void failures_add(struct failures *all, struct failure *f);
bool failures_has(const struct failures *all, const struct failure *f);
void failures_free(struct failures *all);

/* Every choice of a schedule, one a line. */
void report_schedule(FILE *out, const struct board_result *r, const struct schedule_entry *entries, uint64_t count);
/* One failure, with stacks and the way to it. */
void report_failure_text(FILE *out, const struct report *r, size_t index, bool colour);
/* The thread that an execution ended in, with its stack. */
void report_stack_text(FILE *out, const struct board_result *r);
/* Where every thread is, in an execution that was stopped. */
void report_stop_text(FILE *out, const struct board_result *r, bool colour);
/* One race, with what is known of its two accesses. */
void report_race_text(FILE *out, const struct race *r, bool colour);
/* One that has its verdict, in as many lines as a screen has; `others`: races it stands for, by their verdicts. */
void report_race_screen(FILE *out, const struct race *r, const size_t others[VERDICTS], bool colour);
/* All races, all failures and a last line of summary. */
void report_text(FILE *out, const struct report *r, bool colour);
void report_json(FILE *out, const struct report *r);

struct json_writer;
/* What the JSON has of a place in the source, and of access 0 or 1 of a race: their members, without the brackets. */
void report_place_json(struct json_writer *w, const struct frame *f);
void report_frames_json(struct json_writer *w, const struct frame *frames, size_t count);
void report_access_json(struct json_writer *w, const struct race *r, int access);

#endif
