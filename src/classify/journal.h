/*
 * The journal: what classification has tried and what came of it, on disk as it grows. Whatever ends the tool, none of
 * it has to be tried again.
 *
 * In: units (what was tried) and what they showed. Out: the same, for `omen triage --resume`. Only this room and the
 * commands that open it call this. The file is a stream of records in blocks (format/blocks.h). Only the tool that
 * wrote it can read it, for the same recording: a file of another version is ignored. A failed write ends the journal,
 * not the classification.
 */
#ifndef OMEN_JOURNAL_H
#define OMEN_JOURNAL_H

#include <pthread.h>

#include "classify/classify.h"
#include "classify/race_tally.h"
#include "format/blocks.h"

enum unit_kind {
	UNIT_ORDERS,   /* both orders */
	UNIT_PROBE,    /* whether the race is user-made synchronisation */
	UNIT_REST,     /* more executions with the other order, up to the number asked for */
	UNIT_SWEEP,    /* both orders, once each */
	UNIT_BLAME,    /* whether the race makes the primary fail */
	UNIT_CONTROLS, /* not of one race: executions with all races in the recorded order */
};

/* One thing to try: an instance of a race in a primary. */
struct unit {
	uint64_t primary; /* hash of its schedule */
	uint64_t race;    /* hash of its two accesses */
	uint64_t address, touch[2];
	uint64_t kind; /* enum unit_kind */
};

#define UNIT_BUCKETS 4096

struct journal {
	bool open;
	struct blocks_writer writer;
	pthread_mutex_t lock;
	uint64_t executions; /* made so far, by earlier runs of the tool too */
	struct error error;  /* why nothing more is written; empty: no error */
	struct unit *units;  /* tried, now or by an earlier run of the tool */
	size_t *next;        /* for each unit the previous one in its bucket, counted from 1; 0: none */
	size_t nunits;
	size_t buckets[UNIT_BUCKETS];
	/* read from the earlier journal */
	struct remembered_tally *tallies;
	size_t ntallies;
	struct execution **chosen; /* the other primaries; NULL: not chosen yet */
	size_t nchosen;
	struct failures failures;
	struct interleavings interleavings;
	bool has_interleavings;
};

/*
 * Makes the file and copies all of `earlier` into it (which may be NULL or missing). `config` takes the numbers that
 * the earlier units were made for. False: no journal can be made.
 */
bool journal_open(struct journal *j, const char *path, const char *earlier, struct classify_config *config,
                  struct error *e);
/* False: a part of it could not be written. */
bool journal_close(struct journal *j, struct error *e);

/* The name of a primary in a unit. */
uint64_t journal_key(const struct execution *x);
/* The unit for an instance of a race in a primary. */
struct unit journal_unit(uint64_t primary, const struct race_tally *tally, const struct board_instance *at,
                         enum unit_kind kind);
/* The unit was tried, and the tally is what is known of the race now. */
void journal_note_tally(struct journal *j, const struct unit *u, struct race_tally *tally);
/* The same for a unit of no race. */
void journal_note_unit(struct journal *j, const struct unit *u);
bool journal_has(struct journal *j, const struct unit *u);
/* Fills in what an earlier run of the tool knew of the race. */
void journal_recall(struct journal *j, struct race_tally *tally);

/* Notes the failures that are new or have changed. They count as soon as a record of another kind follows. */
void journal_note_failures(struct journal *j, const struct failures *all);
/* Adds the failures of the earlier journal to `all`. */
void journal_take_failures(struct journal *j, struct failures *all);

/*
 * Notes the result of executing all interleavings (or why there is none), and the other primaries once they are chosen.
 */
void journal_note_interleavings(struct journal *j, const struct interleavings *all);
void journal_note_chosen(struct journal *j, struct execution *const *list, size_t count);
/* Returns both from the earlier journal. False: it does not have both, and nothing is taken. */
bool journal_take_chosen(struct journal *j, struct interleavings *all, struct execution ***list, size_t *count);

#endif
