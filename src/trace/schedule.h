/* The schedule file: the choices of one execution. Its format stands at the top of schedule.c. */
#ifndef OMEN_SCHEDULE_H
#define OMEN_SCHEDULE_H

#include "trace/board.h"
#include "trace/file.h"

/* The file's bytes for these entries. */
struct bytes schedule_encode(const struct schedule_entry *entries, uint64_t count);

/*
 * Reads the file's bytes back. On damage the line in `e` names `path`, the block and how many entries are good, and
 * those stand in *entries all the same. *entries is malloc'ed.
 */
bool schedule_decode(const char *path, const struct bytes *file, struct schedule_entry **entries, uint64_t *count,
                     struct error *e);

/* Reads a schedule file; as schedule_decode, or false because the file cannot be read. */
bool schedule_read(const char *path, struct schedule_entry **entries, uint64_t *count, struct error *e);

#endif
