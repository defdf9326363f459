/*
 * Runs a program under gdb, along the schedule on its board.
 *
 * In:  a prepared process, and arguments for gdb.
 * Out: how far the execution came, on the board.
 * Called by omen replay --gdb.
 */
#ifndef OMEN_GDB_H
#define OMEN_GDB_H

#include "run/launch.h"

/*
 * Starts the program, stopped at its first instruction, and gdb on it, with src/gdb/omen-gdb.py and `arguments` (which
 * end with NULL). Returns when gdb and the program have ended. False: there is no gdb, or it could not do anything;
 * `*status` is the exit status for that.
 */
bool gdb_run(struct process *p, const struct launch *l, const char *evidence, char *const *arguments, int *status,
             struct error *e);

#endif
