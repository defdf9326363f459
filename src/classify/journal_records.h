/*
 * The records of the journal's file, for journal.c, which writes them, and journal_read.c, which reads them. Nobody
 * else includes this.
 */
#ifndef OMEN_JOURNAL_RECORDS_H
#define OMEN_JOURNAL_RECORDS_H

#include "classify/journal.h"

enum record_kind {
	RECORD_HEAD = 1,
	RECORD_UNIT,
	RECORD_TALLY,
	RECORD_FINDING,
	RECORD_CHOSEN,
	RECORD_INTERLEAVINGS,
	RECORD_FAILURE,
	RECORD_RUNS
};

/* Whether the file can be read: its records are structures as they are in memory, so their sizes must agree. */
struct file_head {
	char version[16];
	uint64_t tally, trial, result, config, all, failure;
};

struct record_head {
	uint64_t kind, size;
};

/* How often a failure was seen by now: mostly nothing else has changed. */
struct failure_runs {
	uint64_t ending, signature, runs;
};

/* The tally of one race. Its two findings have records of their own, because they change rarely. */
struct remembered_tally {
	uint64_t race;
	struct race_tally tally;
};

/* A position in the records that are being read. */
struct record_reader {
	const uint8_t *at, *end;
	bool bad; /* something was not there */
};

extern const struct file_head journal_own_head;

/* How a race is named in the records: by a hash of its two accesses. */
uint64_t journal_race_key(const struct race *r);
void journal_add_unit(struct journal *j, const struct unit *u);
/* The caller holds the journal's lock, or no other thread exists yet. */
void journal_write_record(struct journal *j, enum record_kind kind, const struct bytes *b);

/* Accepts the head if this version of the tool wrote it, and takes over the numbers that were asked for. */
bool journal_read_head(struct record_reader *all, struct classify_config *config);
/* Takes every complete record over into this journal and writes it there too. */
void journal_take_records(struct journal *j, struct record_reader *all);

#endif
