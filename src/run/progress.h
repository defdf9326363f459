/*
 * What the tool is doing, for whoever waits: on a terminal one line that is written over and over, elsewhere a line now
 * and then. A thread of its own tells it, so that no step of the work can forget to.
 */
#ifndef OMEN_PROGRESS_H
#define OMEN_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* From now on it is told on stderr; elsewhere than on a terminal every so many seconds, 0: never there. */
void progress_begin(uint64_t seconds);
/* What is done now; a text that stays. NULL: nothing that is told on a terminal, where the program may be writing. */
void progress_doing(const char *what);
/* Races that are known, and those of them that are not decided yet. */
void progress_races(size_t known, size_t open);
/* Executions that were made. */
void progress_executions(uint64_t made);
/* Nothing is told any more, and the line is gone. */
void progress_end(void);

#endif
