/* What is known of a race while it is tried. */
#ifndef OMEN_RACE_TALLY_H
#define OMEN_RACE_TALLY_H

#include "classify/harmless_pattern.h"
#include "classify/output_features.h"
#include "classify/execution_result.h"
#include "report/race_list.h"

/* Whose doing a failure is, as far as executions of a race tell. */
enum blame {
	BLAME_OPEN, /* they do not */
	BLAME_RACE, /* its order decides it */
	BLAME_OWN,  /* it comes without any race in another order, too */
};

/* What executions of a race have shown of one failure. */
struct blamed {
	uint32_t ending;
	uint32_t asked;     /* in so many instances */
	uint64_t signature; /* of the failure */
	bool decided;       /* it comes in one order only */
	bool both;          /* it comes in both, with all others in their order */
	uint32_t stays;     /* executions that come to it by themselves, and do so, too, with this race turned round */
};
#define BLAMED 16

/* What one race has shown. */
struct finding {
	bool found;
	bool sure;   /* the order of the two accesses decides it; else some other race may have done it */
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
	uint32_t orders;                /* seen in primaries: bit 0: the race's access 0 first, bit 1: access 1 */
	uint32_t threads;               /* and: the thread with the lower number first, the other one */
	uint64_t elsewhere;             /* of the impossible: the other thread went another way, and to its end; */
	uint64_t went_by[WENT_BY / 64]; /* perhaps because of one of these */
	bool doubtful;                  /* and that has a race which does harm */
	bool timed;                     /* numbers that come from a clock were not compared, */
	bool noisy; /* and something that depends on the schedule, whatever the order, was not held against it */
	bool budget, flag, tried, blind;
	bool unsure;       /* executions of it fail, perhaps for what another race does */
	bool fails_before; /* the other order was never made: what another race does came first */
	bool lost;         /* it was seen only in executions that fail, and they fail in either order */
	uint32_t probes, sweeps;
	struct blamed blamed[BLAMED]; /* the failures that executions of it had */
	uint32_t nblamed;
	uint32_t hits;                           /* differences that only some schedules show */
	uint64_t clean;                          /* executions with the other order that came to their own end */
	uint64_t firsts;                         /* executions in which the recorded order was made on purpose */
	uint32_t equal, differ, unclear, failed; /* instances, by the states after the two orders */
	struct history *history;                 /* of the bytes, over all primaries */
	char why[200];
};

struct journal;

struct subjects {
	struct journal *journal; /* what it knows of a race already */
	struct subject *list;
	size_t count;
};

static inline void finding_free(struct finding *f)
{
	trial_free(&f->trial);
	trial_free(&f->primary);
}
/* The one of this race; it is added if there is none yet. */
struct subject *subject_of(struct subjects *all, struct race *r);
void subjects_free(struct subjects *all);

/* This race as a primary has it: which orders that are. */
void subject_note_orders(struct subject *s, const struct board_race *seen);

/* More tries would not change it, or enough were made: k is how many were asked for. */
bool subject_is_decided(const struct subject *s, uint64_t k);

/* What is known of a failure as the doing of this race; it is added if there is nothing. NULL: there are too many. */
struct blamed *subject_blamed(struct subject *s, uint32_t ending, uint64_t signature);
enum blame blame_of(const struct blamed *b);
/* Executions of this race say that it is its doing. */
bool subject_is_blamed(const struct subject *s, uint32_t ending, uint64_t signature);
/* What another race is sure to do is not this one's, unless this one is sure too. */
void subjects_settle(struct subjects *all);
/* Gives its race the verdict; `method`: with that of the replay method. */
void subject_decide(struct subject *s, bool method);
/* And, when all have theirs, the pattern it has. */
void subject_explain(const struct subjects *all, struct subject *s);

#endif
