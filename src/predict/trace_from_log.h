/* From the history of an execution (abi/prediction_log.h) to a trace. */
#ifndef OMEN_TRACE_FROM_LOG_H
#define OMEN_TRACE_FROM_LOG_H

#include "predict/trace.h"
#include "abi/prediction_log.h"

/* How places in the program and its variables are called; the same text for the same one. */
struct trace_names {
	void (*place)(const void *context, uint64_t where, char *text, size_t size);
	void (*variable)(const void *context, uint64_t address, char *text, size_t size);
	const void *context;
};

struct logged_trace {
	struct trace trace;
	uint32_t *past; /* by event: from which one of the history it is */
	/* What is known of too little to be put in another order: it stays in that of the execution. */
	uint32_t odd_words, odd_objects;
};

/*
 * Builds the trace. Words that change without a write in the history (other code has written them), and locks and
 * semaphores that were tried in vain or used in ways that the rules of traces do not know, keep the order of all that
 * happens to them.
 */
bool trace_from_log(struct logged_trace *h, const struct predict_event *past, uint32_t count,
                    const struct trace_names *names, struct error *e);
void logged_trace_free(struct logged_trace *h);

#endif
