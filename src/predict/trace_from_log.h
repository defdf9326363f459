/*
 * Makes a trace from the log of an execution (abi/prediction_log.h).
 *
 * In:  the events of the log, and functions that name places and variables.
 * Out: the finished trace, with the log event that each of its events comes from.
 * Called by the confirmation of predicted races.
 */
#ifndef OMEN_TRACE_FROM_LOG_H
#define OMEN_TRACE_FROM_LOG_H

#include "predict/trace.h"
#include "abi/prediction_log.h"

/* Functions that write the name of a place and of a variable. Equal names mean the same place or variable. */
struct trace_names {
	void (*place)(const void *context, uint64_t where, char *text, size_t size);
	void (*variable)(const void *context, uint64_t address, char *text, size_t size);
	const void *context;
};

struct logged_trace {
	struct trace trace;
	uint32_t *log_index; /* by event: the index of its event in the log */
	/*
	 * How many words and objects keep the order of the execution, as too little is known of them to reorder them.
	 */
	uint32_t ordered_words, ordered_objects;
};

/*
 * Builds the trace. All accesses to a word that changes without a write in the log (code that is not instrumented wrote
 * it) keep the order of the execution. So do all uses of a lock or semaphore that somebody tried in vain, or used in a
 * way that the rules of traces do not have.
 */
bool trace_from_log(struct logged_trace *h, const struct predict_event *log, uint32_t count,
                    const struct trace_names *names, struct error *e);
void logged_trace_free(struct logged_trace *h);

#endif
