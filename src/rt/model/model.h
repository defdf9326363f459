/*
 * The world as far as a recording tells: it answers where an execution has left its recording (docs/design.md, "The
 * model of the world").  All of it is memory of this process, so a snapshot has it too, and nothing that an execution
 * does reaches the real world.
 */
#ifndef OMEN_MODEL_H
#define OMEN_MODEL_H

#include "rt/core/rt.h"
#include "abi/world_log.h"

/* A replay begins that may leave its recording: what will come from outside is gathered from the log. */
void model_start(void);

/* A call was answered by the recording. */
void model_follow(long nr, const long arg[6], const struct world_entry *e);

/* A snapshot begins: positions in files are not to be shared with others of it. */
void model_own_files(void);

/* From now on the model answers. */
void model_depart(void);
long model_call(long nr, const long arg[6]);

/* What it gives to the outside is kept from now on (plan.gives). */
void model_keep(void);

/* The execution ends: what it has given to the outside is put on the board (config.given). */
void model_given(void);

/* Does what is written to it go to standard output (1) or error (2)? -1: no. */
int model_output(int fd);

/*
 * Somebody looks for the place where a byte was written (board.capture), and wants to hear of functions that put bytes
 * into buffers: where in its stream or file what is written to this descriptor next will stand, UINT64_MAX if that
 * cannot be said; and that the running fiber has put these there.
 */
bool model_wants_calls(void);
uint64_t model_position(int fd);
void model_buffered(int fd, uint64_t from, uint64_t to);

/* Is a signal to be let in now? */
bool model_signal(uint32_t place, siginfo_t *info);

#endif
