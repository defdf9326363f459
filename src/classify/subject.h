/* What is known of a race while it is tried. */
#ifndef OMEN_CLASSIFY_SUBJECT_H
#define OMEN_CLASSIFY_SUBJECT_H

#include "classify/pattern.h"
#include "classify/traits.h"
#include "report/race.h"

/* What one race has shown. */
struct finding {
	bool found;
	bool sure;   /* with nothing changed but the order of the two accesses; else some other race may have done it */
	bool before; /* a violation that came before the other order could */
	struct trial trial, primary; /* and what the primary printed */
	struct board_watch watch;
	uint64_t touch;
	bool noted;                   /* in the journal */
	struct trait telling;         /* what of the output is not up to the schedule, if one was found */
	struct difference difference; /* of their output, once it was looked for */
	struct board_plan plan;       /* that it was found with; of order PLAN_RECORDED: with none */
	uint64_t site; /* of the access that is the first in the recorded order; the plan has the other one's */
	bool cuts;     /* it is of an instance whose other order no lock around the accesses would allow */
};

struct subject {
	struct race *race;
	const struct board_race *seen; /* in the primary under way; NULL: it does not have it */
	struct finding spec, output;
	uint64_t k, enforced, impossible, spun, unknown, invented;
	uint64_t elsewhere;             /* of the impossible: the other thread went another way, and to its end; */
	uint64_t went_by[WENT_BY / 64]; /* perhaps because of one of these */
	bool doubtful;                  /* and that has a race which does harm */
	bool timed;                     /* numbers that come from a clock were not compared, */
	bool noisy; /* and something that depends on the schedule, whatever the order, was not held against it */
	bool budget, flag, tried, blind;
	uint32_t probes;
	uint32_t hits;                  /* differences that only some schedules show */
	uint64_t clean;                 /* executions with the other order that came to their own end */
	uint64_t firsts;                /* executions in which the recorded order was made on purpose */
	uint32_t equal, differ, failed; /* instances, by the states after the two orders */
	struct history *history;        /* of the bytes, over all primaries */
	char why[200];
};

struct journal;

struct subjects {
	struct journal *journal; /* what it knows of a race already */
	struct subject *list;
	size_t count;
};

void finding_free(struct finding *f);
/* The one of this race; it is added if there is none yet. */
struct subject *subject_of(struct subjects *all, struct race *r);
void subjects_free(struct subjects *all);

/* More tries would not change it, or enough were made: k is how many were asked for. */
bool subject_is_decided(const struct subject *s, uint64_t k);

/* What another race is sure to do is not this one's, unless this one is sure too. */
void subjects_settle(struct subjects *all);
/* Gives its race the verdict; `method`: with that of the replay method. */
void subject_decide(struct subject *s, bool method);
/* And, when all have theirs, the pattern it has. */
void subject_explain(const struct subjects *all, struct subject *s);

#endif
