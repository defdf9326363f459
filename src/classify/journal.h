/*
 * What was tried and what came of it, on disk as it grows: whatever ends the tool, none of it has to be tried again.
 *
 * A stream of records in a file of blocks (format/blocks.h).  It is for the tool that has written it, and for its
 * recording: another version's does not count.  A write that fails ends the journal, not the classification.
 */
#ifndef OMEN_JOURNAL_H
#define OMEN_JOURNAL_H

#include <pthread.h>

#include "classify/classify.h"
#include "classify/race_tally.h"
#include "format/blocks.h"

enum unit_kind {
	UNIT_ORDERS,   /* the two orders */
	UNIT_PROBE,    /* whether it is user-made synchronisation */
	UNIT_REST,     /* the other order once more, as often as was asked for */
	UNIT_SWEEP,    /* the two orders once */
	UNIT_BLAME,    /* whether it makes the primary fail */
	UNIT_CONTROLS, /* of no race: executions with all of them in the recorded order */
};

/* Something to be tried: an instance of a race in a primary. */
struct unit {
	uint64_t primary; /* its schedule, hashed */
	uint64_t race;    /* its two accesses, hashed */
	uint64_t address, touch[2];
	uint64_t kind; /* enum unit_kind */
};

#define UNIT_BUCKETS 4096

struct journal {
	bool open;
	struct blocks_writer writer;
	pthread_mutex_t lock;
	uint64_t executions; /* made so far, also for earlier ones */
	struct error error;  /* why nothing more is written, if that is so */
	struct unit *units;  /* tried, here or in an earlier one */
	size_t *next;        /* of each the one before it in its bucket, counted from 1 on; 0: there is none */
	size_t nunits;
	size_t buckets[UNIT_BUCKETS];
	/* what an earlier one had */
	struct remembered *subjects;
	size_t nsubjects;
	struct execution **chosen; /* the other primaries; NULL: they had not been chosen yet */
	size_t nchosen;
	struct failures failures;
	struct interleavings all;
	bool has_all;
};

/*
 * Makes the file, with all that is in `earlier` (which may be NULL, or not be there); `config` becomes the earlier
 * one's, which its units belong to. False: there can be no journal.
 */
bool journal_open(struct journal *j, const char *path, const char *earlier, struct classify_config *config,
                  struct error *e);
/* False: not all of it could be written. */
bool journal_close(struct journal *j, struct error *e);

/* How a primary is named in a unit. */
uint64_t journal_key(const struct execution *x);
/* What is to be tried with an instance of a race in a primary. */
struct unit journal_unit(uint64_t primary, const struct subject *s, const struct board_instance *at,
                         enum unit_kind kind);
/* It was tried, and this is what is known of the race now. */
void journal_note(struct journal *j, const struct unit *u, struct subject *s);
/* The same of one that is of no race. */
void journal_note_unit(struct journal *j, const struct unit *u);
bool journal_has(struct journal *j, const struct unit *u);
/* Fills in what an earlier one knew of the race. */
void journal_recall(struct journal *j, struct subject *s);

/* What was seen to fail so far, as far as that is new: it counts with the next record of another kind. */
void journal_note_failures(struct journal *j, const struct failures *all);
/* What an earlier one had seen: added to these. */
void journal_take_failures(struct journal *j, struct failures *all);

/* What all interleavings came to, or why it is not known; and the other primaries, once they are chosen. */
void journal_note_all(struct journal *j, const struct interleavings *all);
void journal_note_chosen(struct journal *j, struct execution *const *list, size_t count);
/* Both, of an earlier one. False: it had not come so far, and nothing is taken. */
bool journal_take_chosen(struct journal *j, struct interleavings *all, struct execution ***list, size_t *count);

#endif
