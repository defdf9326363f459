/*
 * The tally of a race: counts and findings that accumulate while the race is tried, and the verdict that follows.
 *
 * In: what each trial showed (the files that make trials write the counts). Out: struct verdict. Called by this room
 * only.
 */
#ifndef OMEN_RACE_TALLY_H
#define OMEN_RACE_TALLY_H

#include "classify/harmless_pattern.h"
#include "classify/output_features.h"
#include "classify/trial.h"
#include "report/race_list.h"

/* Whether a race causes a failure, as far as executions of this race show. */
enum blame {
	BLAME_UNKNOWN, /* they do not show it */
	BLAME_RACE,    /* the order of the race decides it */
	BLAME_NO_RACE, /* it also comes without any race in another order */
};

/* What executions of a race have shown about one failure. */
struct failure_blame {
	uint32_t ending;
	uint32_t asked;     /* in how many instances this was examined */
	uint64_t signature; /* of the failure */
	bool decided;       /* it comes in one order only */
	bool both;          /* it comes in both orders while all other races keep theirs */
	uint32_t stays;     /* executions that fail so by themselves and also with this race reversed */
};
#define TALLY_FAILURES 16

/* The best evidence so far that a race does harm. */
struct finding {
	bool found;
	bool sure;   /* the order of the two accesses decides it; otherwise another race may be the cause */
	bool before; /* a violation that came before the other order could be made */
	struct trial trial, primary; /* the execution that shows it, and the primary that it is compared with */
	struct board_watch watch;
	uint64_t touch;
	bool noted;             /* it is in the journal */
	struct feature feature; /* the feature of the output that does not depend on the schedule, if one was found */
	struct difference difference; /* of their outputs, once it was looked for */
	struct board_plan plan;       /* the plan that found it; order PLAN_RECORDED: no plan */
	uint64_t site; /* of the access that is first in the recorded order; the plan has the site of the other one */
	bool cuts;     /* from an instance whose other order a lock around the accesses would exclude */
};

struct race_tally {
	struct race *race;
	const struct board_race *seen; /* in the current primary; NULL: the primary does not have it */
	struct finding spec, output;   /* of a violation; of other output */

	/* executions that tried the other order: */
	uint64_t k;            /* all that count */
	uint64_t enforced;     /* the other order was made */
	uint64_t impossible;   /* the other thread could not get to its access */
	uint64_t spins;        /* of these: it waited in a loop */
	uint64_t inconclusive; /* neither a violation nor an end of their own */
	uint64_t invented;     /* the recording did not tell what the world would answer */

	/* in primaries: bit 0: access 0 of the race came first, bit 1: access 1 */
	uint32_t orders_seen;
	/* in primaries: bit 0: the thread with the lower number came first, bit 1: the other thread */
	uint32_t thread_orders_seen;

	uint64_t took_other_way;              /* of `impossible`: the other thread took another way to its end */
	uint64_t words_read[WORDS_READ / 64]; /* the words that it read and that may be the reason */
	bool doubtful;                        /* one of these words has a race that does harm */
	bool clocks_ignored;                  /* numbers that come from a clock were not compared */
	bool varying_ignored;                 /* a difference was ignored because it depends on the schedule */
	bool out_of_budget;                   /* the other thread did not get to its access in time */
	bool read_only_waits;                 /* the read is of a loop that only waits for the write */
	bool tried;                           /* its orders were tried in some primary */
	bool blind;                           /* the detector did not see mutexes */
	bool unsure;                          /* executions of this race fail, but another race may be the cause */
	bool fails_before;                    /* the other order was never made: a failure of another race came first */
	bool fails_either_way;                /* seen only in executions that fail, and they fail in either order */
	uint32_t probes;                      /* instances in which it was asked whether the read only waits */
	uint32_t sweeps;                      /* primaries in which it was swept */

	struct failure_blame failures[TALLY_FAILURES]; /* what is known about the failures of its executions */
	uint32_t nfailures;
	uint32_t schedule_hits; /* differences that only some schedules show */
	uint64_t completed;     /* executions with the other order that came to their own end */
	uint64_t recorded_made; /* executions in which the recorded order was made on purpose */

	/* instances, by the comparison of states after the two orders */
	uint32_t states_equal, states_differ, states_unclear, states_uncompared;
	struct access_history *accesses; /* to the bytes, over all primaries */
	char why[200];                   /* why nothing was tried, or a trial did not count */
};

struct journal;

struct race_tallies {
	struct journal *journal; /* what it knows of a race already */
	struct race_tally *list;
	size_t count;
};

static inline void finding_free(struct finding *f)
{
	trial_free(&f->trial);
	trial_free(&f->primary);
}
/* Returns the tally of this race. Adds one if there is none. */
struct race_tally *tally_of(struct race_tallies *all, struct race *r);
void tallies_free(struct race_tallies *all);

/* Notes in which orders a primary has this race. */
void tally_note_orders(struct race_tally *tally, const struct board_race *seen);

/* True if more trials would not change the verdict, or enough were made; k: how many were asked for. */
bool tally_is_decided(const struct race_tally *tally, uint64_t k);

/* Returns what is known of this failure as an effect of the race. Adds an entry if there is none. NULL: no room. */
struct failure_blame *tally_failure(struct race_tally *tally, uint32_t ending, uint64_t signature);
enum blame blame_of(const struct failure_blame *b);
/* Executions of this race say that it causes the failure. */
bool tally_causes(const struct race_tally *tally, uint32_t ending, uint64_t signature);
/* Takes away from each race what another race is sure to cause, unless this race is sure too. */
void tallies_settle(struct race_tallies *all);
/* Gives the race its verdict; `method`: with the verdict of the replay method. */
void tally_decide_verdict(struct race_tally *tally, bool method);
/* Notes the race's harmless pattern, once all races have their verdicts. */
void tally_find_pattern(const struct race_tallies *all, struct race_tally *tally);

#endif
