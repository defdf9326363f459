/*
 * Tells the person who waits what the tool is doing: on a terminal in one line that is rewritten all the time,
 * elsewhere in a new line now and then. A thread of its own prints, so no step of the work has to do so. Input: what is
 * done and how far it is; output: stderr. src/cmd and src/classify call this.
 */
#ifndef OMEN_PROGRESS_H
#define OMEN_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* Starts printing. Elsewhere than on a terminal there is a line every `seconds` seconds; 0: none. */
void progress_begin(uint64_t seconds);
/*
 * The current step; the text must stay valid. NULL: print nothing for now, as the program may be writing to the
 * terminal.
 */
void progress_doing(const char *what);
/* The number of known races, and of those that are not decided yet. */
void progress_races(size_t known, size_t open);
/* The number of executions made. */
void progress_executions(uint64_t made);
/* Stops printing and removes the line. */
void progress_end(void);

#endif
