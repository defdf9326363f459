/* An execution as a trace that Perfetto and chrome://tracing show (their JSON format), from its event stream. */
#ifndef OMEN_TIMELINE_H
#define OMEN_TIMELINE_H

#include <stdio.h>

#include "report/race_list.h"

struct timeline {
	const char *program, *evidence;
	const struct board_result *result;
	const struct event *events;       /* as the program left them: nothing in them is trusted */
	const struct event_stack *stacks; /* EVENT_STACKS of them */
	uint64_t count, lost;
	struct race *const *races; /* whose accesses are shown */
	size_t race_count;
};

void report_timeline(FILE *out, const struct timeline *t);

#endif
