/* The schedule file: the choices of one execution. Its format stands in docs/format.md. */
#ifndef OMEN_SCHEDULE_H
#define OMEN_SCHEDULE_H

#include "abi/board.h"
#include "format/file.h"

/* All that happened before `point` stands in the entries up to here and in the first `log` bytes of the log. */
struct schedule_mark {
	uint64_t point, log;
};

/* A schedule that was read. */
struct schedule {
	struct schedule_entry *entries;
	uint64_t count;
	struct schedule_mark *marks; /* one a block */
	uint64_t nmarks;
	bool usable; /* it is a schedule of this version */
	bool whole;  /* it has its end */
};

/* The file's bytes for these entries, of an execution without a log. */
struct bytes schedule_encode(const struct schedule_entry *entries, uint64_t count);

/* One that grows while the program runs. After a failure the file ends with its last whole block, and is to be closed.
 */
struct schedule_writer {
	int fd; /* -1: not open */
	char *path;
	uint64_t count, offset; /* entries, and bytes of the file */
	uint32_t checksum;      /* of the last block */
	struct schedule_mark mark;
};

/* Creates or replaces the file. False: it cannot be written; there is nothing to close. */
bool schedule_create(struct schedule_writer *w, const char *path, struct error *e);
/* Adds entries, at least a mark. */
bool schedule_append(struct schedule_writer *w, const struct schedule_entry *entries, uint64_t count,
                     const struct schedule_mark *mark, struct error *e);
/* Adds the end. */
bool schedule_finish(struct schedule_writer *w, struct error *e);
void schedule_close(struct schedule_writer *w);

/*
 * Reads the file's bytes back; to be freed in any case. False: damaged, cut, or not a schedule of this version: the
 * line in `e` names `path`, the block and how many entries are good, and those stand in *s.
 */
bool schedule_decode(const char *path, const struct bytes *file, struct schedule *s, struct error *e);
/* Reads a schedule file; as schedule_decode, or false because the file cannot be read. */
bool schedule_read(const char *path, struct schedule *s, struct error *e);
void schedule_free(struct schedule *s);

/* The last mark that needs no more of the log than so many bytes; of nothing, {0, 0}. */
struct schedule_mark schedule_mark_within(const struct schedule *s, uint64_t log);

#endif
