/* A program under gdb, on the schedule that stands on its board. */
#ifndef OMEN_GDB_H
#define OMEN_GDB_H

#include "run/launch.h"

/*
 * Starts the program stopped at its first instruction and gdb on it, with src/gdb/omen-gdb.py and what `arguments`
 * (ending with NULL) adds. Returns when gdb and the program have ended; how far the execution came stands on the board.
 * False: there is no gdb (`*status` is the exit status for that), or it could do nothing.
 */
bool gdb_run(struct process *p, const struct launch *l, const char *evidence, char *const *arguments, int *status,
             struct error *e);

#endif
