/*
 * The timeline of an execution: a trace that Perfetto and chrome://tracing show, in their JSON format.
 *
 * In: the event stream that a replay wrote, and the races of the execution.  Out: JSON.  Caller: `omen report
 * --timeline`.
 */
#ifndef OMEN_TIMELINE_H
#define OMEN_TIMELINE_H

#include <stdio.h>

#include "report/race_list.h"

struct timeline {
	const char *program, *evidence;
	const struct board_result *result;
	const struct event *events;       /* the program could write on them, so nothing in them is trusted */
	const struct event_stack *stacks; /* EVENT_STACKS of them */
	uint64_t count, lost;
	struct race *const *races; /* the timeline marks their accesses */
	size_t race_count;
};

void report_timeline(FILE *out, const struct timeline *t);

#endif
