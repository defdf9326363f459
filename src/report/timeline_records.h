/*
 * The records of a timeline: what becomes slices, arrows and instants of a trace.
 *
 * In: the event stream of an execution.  Out: records in the order of time, and names for places and objects.  Caller:
 * timeline.c.
 */
#ifndef OMEN_TIMELINE_RECORDS_H
#define OMEN_TIMELINE_RECORDS_H

#include "report/timeline.h"

#define POINT      1000ul /* nanoseconds from one scheduling point to the next */
#define MAX_TRACKS (1u << 20)
#define NO_RECORD  SIZE_MAX

enum record_kind {
	RECORD_LIFE,    /* of a thread */
	RECORD_HOLD,    /* of a lock */
	RECORD_WAIT,    /* of a fiber */
	RECORD_STINT,   /* of a fiber on the processor */
	RECORD_RELEASE, /* where arrows begin */
	RECORD_ACQUIRE, /* where one arrow ends */
	RECORD_SIGNAL,
	RECORD_RACE,
};

struct record {
	uint8_t kind;   /* enum record_kind */
	bool continued; /* the rest of a slice that was cut */
	uint32_t fiber;
	uint64_t time, end; /* end: of a slice; 0 while it is open */
	const struct event *event;
	const struct event *until; /* the event that ends it, or NULL */
	const char *name;          /* of an arrow */
	size_t next; /* of a release: its first acquire; of an acquire: the next one of the same release */
	const struct race *race;
};

/* A lock that a thread holds. */
struct hold {
	uint64_t object;
	size_t record;
};

/* A thread, as far as the walk over the events has come. */
struct track {
	bool known; /* it has run */
	char name[17];
	size_t life, wait;           /* its records, while they are open */
	size_t woken_by;             /* the record of the thread that wakes it, if that gets an arrow */
	const struct event *created; /* the event that creates it */
	size_t created_by;           /* the record of that event */
	size_t ended;                /* the record of its end */
	struct hold *holds;
	size_t count, room;
};

/* A text for a number, made once. */
struct named {
	uint64_t key;
	char *text;
};

/* A hash table. */
struct names {
	struct named *at;
	size_t count, room; /* room: a power of two */
};

struct timeline_walk {
	const struct timeline *t;
	struct record *records;
	size_t count, room;
	size_t *released; /* by the number of an event: the record of a release */
	struct track *tracks;
	uint32_t ntracks;
	uint64_t now;
	size_t stint; /* the record of the fiber that runs */
	struct names places, objects;
};

/* Makes the records of all events.  `w` has only `t`. */
void timeline_record_events(struct timeline_walk *w);
struct record *timeline_record(struct timeline_walk *w, size_t i);
/* The place of an event: "queue.c:41 in put"; empty: unknown. */
const char *timeline_place(struct timeline_walk *w, uint64_t where);
/* The object of an event: "`queue.lock`"; without a variable "at queue.c:41", the place of its first event. */
const char *timeline_object(struct timeline_walk *w, const struct event *e);
void timeline_free(struct timeline_walk *w);

#endif
