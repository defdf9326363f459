/*
 * The trace of the brute force: read_trace() reads one, match_all() computes which of its events belong together. Then
 * `trace` and the functions below describe it. brute.c is the only user.
 */
#ifndef BRUTE_TRACE_H
#define BRUTE_TRACE_H

#include <stdbool.h>
#include <string.h>

enum { EVENTS = 40, THREADS = 6, NAMES = 16, LINE = 256, WITNESSES = 256 };

struct event {
	int thread;
	char op[16];
	int object;       /* variable, lock, thread, barrier, semaphore or once, by its name */
	int condition;    /* of a wait, wake, notify */
	char value[32];   /* read; or written, if the event only writes */
	char written[32]; /* written by an event that reads and writes */
	char location[32];
	bool depends, pinned, confined, fed;
	/* computed */
	bool inner; /* an inner lock or unlock, which does nothing */
	/* reads: the write; acquires: the release; releases: the acquire; takes: the post; wakes: the notify */
	int match;
	int wait;            /* wakes: their wait */
	bool before[EVENTS]; /* which events come first in every reordering */
};

extern struct event trace[EVENTS];
extern int count, thread_count;
extern bool branches; /* the trace contains its branches */
extern char witnesses[WITNESSES][LINE];
extern int witness_count;

/* False at the end of all traces. */
bool read_trace(void);
void match_all(void);

/* The value with which a semaphore begins: the least that makes the trace possible. */
int initial_of(int semaphore);

static inline bool is(int e, const char *op) { return !strcmp(trace[e].op, op); }
static inline bool reads(int e) { return is(e, "r") || is(e, "ar") || is(e, "rmw"); }
static inline bool writes(int e) { return is(e, "w") || is(e, "aw") || is(e, "rmw"); }
static inline bool atomic(int e) { return is(e, "ar") || is(e, "aw") || is(e, "rmw"); }
static inline bool exclusive(int e) { return is(e, "acq") || is(e, "wake"); }
static inline bool acquires(int e) { return (exclusive(e) || is(e, "racq")) && !trace[e].inner; }
static inline bool releases(int e) { return (is(e, "rel") || is(e, "rrel") || is(e, "wait")) && !trace[e].inner; }
static inline const char *written(int e) { return is(e, "rmw") ? trace[e].written : trace[e].value; }

#endif
