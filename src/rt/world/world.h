/*
 * The world outside: every answer of the kernel that the program's course may depend on comes through here.
 *
 * A recording keeps these answers, in the order in which they came; in its replay they come from there, and the world
 * is not asked (docs/design.md, "Recordings").
 */
#ifndef OMEN_WORLD_H
#define OMEN_WORLD_H

#include "rt/kernel/above.h"
#include "rt/fibers/above.h"
#include "rt/ending/above.h"
#include "rt/core/rt.h"

/* From here on the board's configuration says what happens; before, and without the tool, the world answers. */
void world_start(void);
/* Who the process is, as others know it: the recorded one, also in a replay. False: without a log that is up to us. */
bool world_pid(uint32_t *pid);

/* In a forked child: the recording is the parent's. */
void world_leave(void);

/* In a snapshot of a replay: files that are read again are read by this process alone. */
void world_own_files(void);

/* The replay leaves its recording: from now on a model of the world answers. */
void world_depart(void);

/* What it gives to the outside from now on is kept, and told as it is. */
void world_keep(void);

/*
 * Is the place looked for where a byte was written?  Then: where in its stream or file what is written to this
 * descriptor next will stand, UINT64_MAX if that cannot be said; and that the running fiber has put these bytes into
 * its buffer.
 */
bool world_locates(void);
uint64_t world_position(int fd);
void world_buffered(int fd, uint64_t from, uint64_t to);

/* A hash of the bytes that a call has taken from the program's memory, if it is one that writes or sends. */
uint64_t world_written(long nr, const long arg[6], long result);

#endif
