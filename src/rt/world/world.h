/*
 * The world outside: every answer of the kernel that the execution may depend on comes through here.  In: syscalls,
 * signals and processes.  Out: what the kernel answers now, what the recording has, or what the model of the world
 * answers.
 *
 * A recording keeps the answers in their order.  A replay takes them from there and does not ask the kernel
 * (docs/design.md, "Recordings").  Rooms above call these functions; what rooms below need stands in their above.h.
 */
#ifndef OMEN_WORLD_H
#define OMEN_WORLD_H

#include "rt/core/rt.h"
#include "rt/ending/above.h"
#include "rt/fibers/above.h"
#include "rt/kernel/above.h"

/* From now on the board's configuration says who answers.  Before that, and without the tool, the kernel does. */
void world_start(void);
/* The process id as others know it: a replay has the recorded one.  False: there is no log, the caller may choose one.
 */
bool world_pid(uint32_t *pid);

/* In a forked child: only the parent records or replays. */
void world_end_in_child(void);

/* In a snapshot of a replay: opens the files that are read again anew, so that this process shares no position. */
void world_own_files(void);

/* The replay leaves its recording: from now on a model of the world answers. */
void world_depart(void);

/* Keeps the bytes of all output from now on, so that the board gets them and not only their hashes. */
void world_keep_outputs(void);

/* Does the tool search who wrote a certain byte? */
bool world_tracks_writer(void);
/* If so: the position, in its stream or file, of the next byte written to this descriptor; UINT64_MAX: not known. */
uint64_t world_write_position(int fd);
/* If so: the running fiber has put the bytes for these positions into a buffer. */
void world_note_buffered(int fd, uint64_t from, uint64_t to);

/* A hash of the bytes that a call has sent or written; 0 for other calls. */
uint64_t world_sent_hash(long nr, const long arg[6], long result);

#endif
