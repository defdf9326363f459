/*
 * What a command found, and the two reports of it: text for people and JSON for programs.
 *
 * In: races, failures, notices, outputs and interleavings.  Out: text or JSON on a stream.  Callers: the commands, and
 * predict for the parts of its own reports.
 */
#ifndef OMEN_FINDINGS_H
#define OMEN_FINDINGS_H

#include <stdio.h>

#include "report/failures.h"
#include "report/interleavings.h"
#include "report/notice_list.h"
#include "report/optimised.h"
#include "report/output_table.h"
#include "report/race_list.h"
#include "report/verdict.h"
#include "abi/board.h"

struct report {
	const char *program; /* as typed */
	struct strategy_config strategy;
	struct memory_config memory;
	uint64_t seed, executions, jobs;
	uint64_t forks;          /* how many of these were forks; 0: not known */
	const char *fork_reason; /* why some process could not be rewound; NULL: not known */
	double seconds;
	bool interrupted;
	struct failure **failures;
	size_t count;
	const struct notices *notices; /* NULL: none */
	bool detect;                   /* the command looked for races */
	bool classified;               /* the races have verdicts */
	const char *found_by;          /* "happens-before", "explored" */
	struct race **races;           /* without the suppressed ones */
	size_t race_count, suppressed;
	uint64_t races_lost;
	const struct outputs *outputs; /* NULL: the user did not ask for them */
	bool all_outputs;              /* false: only the most frequent ones are shown */
	struct interleavings interleavings;
	const struct optimised_program *optimised; /* NULL: the user named no second program */
	const char *data;                          /* the directory that has the whole report; NULL: none has */
};

/* Every choice of a schedule, one a line. */
void report_schedule(FILE *out, const struct board_result *r, const struct schedule_entry *entries, uint64_t count);
/* One failure, with its stacks and its last preemptions. */
void report_failure_text(FILE *out, const struct report *r, size_t index, bool colour);
/* The same, but only its head and cause where a race decides it: the text of the race shows the rest. */
void report_failure_screen(FILE *out, const struct report *r, size_t index, bool colour);
/* The thread that an execution ended in, with its stack. */
void report_stack_text(FILE *out, const struct board_result *r);
/* Where every thread is in an execution that was stopped. */
void report_stop_text(FILE *out, const struct board_result *r, bool colour);
/* One race, with all that is known of its two accesses. */
void report_race_text(FILE *out, const struct race *r, bool colour);
/*
 * One classified race, in as few lines as fit on a screen.  `others`: how many races it stands for (races_cluster), by
 * verdict.
 */
void report_race_screen(FILE *out, const struct race *r, const size_t others[VERDICTS], bool colour);
/* All races, all failures and a summary as the last line. */
void report_text(FILE *out, const struct report *r, bool colour);
void report_json(FILE *out, const struct report *r);

struct json_writer;
/* The members that the JSON has for a place in the source, and for access 0 or 1 of a race, without the brackets. */
void report_place_json(struct json_writer *w, const struct frame *f);
void report_frames_json(struct json_writer *w, const struct frame *frames, size_t count);
void report_access_json(struct json_writer *w, const struct race *r, int access);

#endif
