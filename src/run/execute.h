/*
 * One execution in a process of its own (BOARD_RUN), from the start of the program to its end, for recordings, replays
 * and the executions that the tool explains or classifies. Input: a board, and what to launch; output: the result on
 * the board. src/cmd and src/classify call this.
 */
#ifndef OMEN_EXECUTE_H
#define OMEN_EXECUTE_H

#include "run/launch.h"
#include "run/standard_streams.h"

/* Fills the parts of the board's configuration that a manifest decides. */
void configure(struct board *b, const struct manifest *m, enum board_mode mode);

/*
 * Starts the program with a prepared board and waits until it is gone. The result on the board then says how the
 * execution ended. False if the program could not be started, or died without writing a result.
 */
bool execute(struct process *p, const struct launch *l, struct error *e);

/* "killed by SIGSEGV (segmentation fault)", "exited with status 3" */
void wait_status_format(int status, char *out, size_t size);

#endif
