/* One execution in a process of its own (BOARD_RUN): what `record` and `replay` have in common. */
#ifndef OMEN_EXECUTE_H
#define OMEN_EXECUTE_H

#include "run/launch.h"
#include "run/standard_streams.h"

/* Fills the parts of the board's configuration that a manifest fixes. */
void configure(struct board *b, const struct manifest *m, enum board_mode mode);

/*
 * Starts the program on a prepared board and waits until it is gone. The result on the board then says how it ended.
 * False if it could not be started, or died without saying why.
 */
bool execute(struct process *p, const struct launch *l, struct error *e);

/* "killed by SIGSEGV (segmentation fault)", "exited with status 3" */
void describe_status(int status, char *out, size_t size);

#endif
