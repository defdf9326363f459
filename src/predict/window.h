/*
 * A window: a stretch of a trace whose events may come in another order, on top of all that was before it, as it was.
 *
 * Only events that bear upon others have a place in the order that is looked for: they are the window's points. Each
 * other event goes with the point before it in its thread.
 */
#ifndef OMEN_WINDOW_H
#define OMEN_WINDOW_H

#include "predict/trace.h"

#define NONE UINT32_MAX

/* What the events before a window have left behind. */
struct carry {
	uint32_t at;          /* the first event that is not in it */
	uint32_t *last_write; /* by variable: NO_EVENT if there was none */
	uint32_t *tokens;     /* by semaphore: how many takes it has left */
	uint32_t *open;       /* acquires whose release is still to come */
	uint32_t open_count, open_capacity;
	uint32_t *scratch; /* by variable, NONE: for window_make() */
};

struct point {
	uint32_t event;
	uint32_t previous; /* the point before it in its thread, or NONE */
	/* Of the reads of its thread that count and are not confined: */
	uint32_t guard; /* how many must be right for it to be next */
	uint32_t rank;  /* how many there are up to it, itself among them */
	bool pinned;    /* cannot be in the order unless all these are right */
	uint32_t pin;   /* of the confined ones: how many must be right for it to be next */
	uint32_t ended; /* a join: how many reads of the joined thread must be right for it to be in the order */
};

/* A stretch in which a thread has a lock. */
struct section {
	uint32_t lock;
	uint32_t acquire; /* a point; NONE: it has the lock when the window starts */
	uint32_t release; /* a point; NONE: not before the window ends */
	uint16_t thread;
	bool shared;
};

/*
 * An access that others may see, or a read that counts: what it sees depends on the order.
 *
 * Where all accesses to a variable in the window have a lock in common, all that other threads can see of a section is
 * its last write, and nothing comes between its accesses. The section stands for them: who has the lock first is first.
 */
struct access {
	uint32_t event;
	uint32_t
	        anchor; /* the point that stands for it: itself, or the acquire; NONE: had the lock before the window */
	/* How many reads of its thread count up to it, itself among them: those that are not confined, and the others.
	 */
	uint32_t rank, confined;
	uint32_t slot;   /* of its variable, see below */
	uint16_t thread; /* a number of the window's own */
};

/* A read, not confined, that can only see a fed write of its own thread: confined reads before that bear upon it. */
struct echo {
	uint32_t rank;     /* of the read */
	uint32_t confined; /* of the write */
	uint16_t thread;
};

/* A wait that is over only if it was notified: points. */
struct wake {
	uint32_t wait, notify, wake;
};

struct window {
	const struct trace *trace;
	const struct carry *carry; /* at `start` */
	uint32_t start, end;

	struct point *points;
	uint32_t point_count;
	uint32_t *point_of; /* by event from `start` on: its point or NONE */

	uint32_t thread_count;
	uint32_t *threads;   /* the trace's number of each of the window's threads, in the order of appearance */
	uint32_t *thread_of; /* and back; NONE of a thread without events here */

	struct edge *edges; /* between points */
	uint32_t edge_count;

	struct wake *wakes;
	uint32_t wake_count;

	struct section *sections; /* those of a lock together, each lock's in the trace's order */
	uint32_t section_count;

	struct access *readings; /* reads that count, in the trace's order, but for … */
	uint32_t reading_count;
	struct echo *echoes;
	uint32_t echo_count;

	/* The variables that they read: slots. The writes by slot, in the trace's order. */
	uint32_t slot_count, write_count;
	uint32_t *slot_variable, *slot_start;
	struct access *writes;

	uint32_t *takes, *posts; /* points of semaphores that can run out, by semaphore, in the trace's order */
	uint32_t take_count, post_count;
};

void carry_start(struct carry *c, const struct trace *t);
/* Takes the events up to `event`, without it, in. */
void carry_advance(struct carry *c, const struct trace *t, uint32_t event);
void carry_free(struct carry *c);

/* The window from where the carry is to `end`. `wanted`, by event from the start on: accesses that must be points. */
void window_make(struct window *w, const struct trace *t, const struct carry *c, uint32_t end, const bool *wanted);
void window_free(struct window *w);

static inline const struct trace_event *point_event(const struct window *w, uint32_t point)
{
	return &w->trace->events[w->points[point].event];
}

/* What a write writes. */
static inline uint32_t written_value(const struct trace_event *e) { return e->op == OP_RMW ? e->written : e->value; }

/* Whether a read that reads what this write wrote (NO_EVENT: the initial value) sees what it saw in the trace. */
bool read_agrees(const struct trace *t, uint32_t read, uint32_t write);

#endif
