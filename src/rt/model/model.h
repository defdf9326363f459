/*
 * The model of the world.  In: the log of a recording, and the calls that follow it or leave it.  Out: answers, as
 * far as the recording tells what the world would answer (docs/design.md, "The model of the world").  All of it is
 * memory of this process, so a snapshot has it too, and nothing that an execution does reaches the real world.
 *
 * Only the world room calls it.
 */
#ifndef OMEN_MODEL_H
#define OMEN_MODEL_H

#include "rt/core/rt.h"
#include "abi/world_log.h"

/* A replay begins that may leave its recording: gathers from the log what will come from outside. */
void model_start(void);

/* The recording has answered a call: the model does the same. */
void model_follow(long nr, const long arg[6], const struct world_entry *e);

/* A snapshot begins: opens files anew, so that it shares no positions with others. */
void model_own_files(void);

/* The execution leaves its recording: from now on the model answers. */
void model_depart(void);
long model_call(long nr, const long arg[6]);

/* From now on keeps the bytes of all output (plan.keep_outputs). */
void model_keep_outputs(void);

/* The execution ends: puts its output on the board (config.note_outputs). */
void model_report_outputs(void);

/* Where is shown what is written to it: standard output (1), error (2) or nowhere (-1)? */
int model_output(int fd);

/*
 * Does the tool search who wrote a certain byte (board.capture)?  Then model_write_position() is the position of the
 * next byte that is written to a descriptor, in its stream or file (UINT64_MAX: not known), and model_note_buffered()
 * says that the running fiber has put the bytes for these positions into a buffer.
 */
bool model_tracks_writer(void);
uint64_t model_write_position(int fd);
void model_note_buffered(int fd, uint64_t from, uint64_t to);

/* Is a signal to be let in now? */
bool model_signal(uint32_t place, siginfo_t *info);

#endif
