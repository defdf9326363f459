/*
 * The world as far as a recording tells: it answers where an execution has left its recording (docs/design.md, "The
 * model of the world").  All of it is memory of this process, so a snapshot has it too, and nothing that an execution
 * does reaches the real world.
 */
#ifndef OMEN_MODEL_H
#define OMEN_MODEL_H

#include "rt/rt.h"
#include "trace/world.h"

/* A replay begins that may leave its recording: what will come from outside is gathered from the log. */
void model_start(void);

/* A call was answered by the recording. */
void model_follow(long nr, const long arg[6], const struct world_entry *e);

/* A snapshot begins: positions in files are not to be shared with others of it. */
void model_own_files(void);

/* From now on the model answers. */
void model_depart(void);
long model_call(long nr, const long arg[6]);

/* Is a signal to be let in now? */
bool model_signal(uint32_t place, siginfo_t *info);

#endif
