/*
 * The schedule file: the choices of one execution. docs/format.md describes the bytes. src/run writes it while the
 * program runs; src/cmd and src/classify write and read whole schedules.
 */
#ifndef OMEN_SCHEDULE_H
#define OMEN_SCHEDULE_H

#include "abi/board.h"
#include "format/file.h"

/* Everything that happened before `point` is in the entries up to this mark and in the first `log` bytes of the log. */
struct schedule_mark {
	uint64_t point, log;
};

/* A schedule that was read from a file. */
struct schedule {
	struct schedule_entry *entries;
	uint64_t count;
	struct schedule_mark *marks; /* one per block */
	uint64_t nmarks;
	bool usable; /* the file is a schedule of this version */
	bool whole;  /* the file has its end */
};

/* Returns the bytes of a file with these entries, for an execution without a log. */
struct bytes schedule_encode(const struct schedule_entry *entries, uint64_t count);

/*
 * A schedule file that grows while the program runs. After a failure it ends with its last whole block, and the caller
 * must close it.
 */
struct schedule_writer {
	int fd; /* -1: not open */
	char *path;
	uint64_t count, offset; /* entries so far, and bytes of the file */
	uint32_t checksum;      /* of the last block */
	struct schedule_mark mark;
};

/* Creates or replaces the file. False: it cannot be written, and there is nothing to close. */
bool schedule_create(struct schedule_writer *w, const char *path, struct error *e);
/* Appends the entries and the mark; there may be no entries. */
bool schedule_append(struct schedule_writer *w, const struct schedule_entry *entries, uint64_t count,
                     const struct schedule_mark *mark, struct error *e);
/* Writes the end of the schedule. */
bool schedule_finish(struct schedule_writer *w, struct error *e);
void schedule_close(struct schedule_writer *w);

/*
 * Reads the bytes of a file. The caller frees *s in any case. False: damaged, cut, or not a schedule of this version.
 * The message in `e` names `path`, the block and the number of good entries, which are in *s.
 */
bool schedule_decode(const char *path, const struct bytes *file, struct schedule *s, struct error *e);
/* Reads a schedule file. Fails as schedule_decode, or if the file cannot be read. */
bool schedule_read(const char *path, struct schedule *s, struct error *e);
void schedule_free(struct schedule *s);

/* The last mark that needs at most `log` bytes of the log; {0, 0} if there is none. */
struct schedule_mark schedule_mark_within(const struct schedule *s, uint64_t log);

#endif
