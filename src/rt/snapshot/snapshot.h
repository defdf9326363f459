/*
 * Executions as snapshots of the process: many executions from one process, by fork.  In: the plan or the seeds that
 * the tool has put on the board, and its bytes on CONTROL_FD.  Out: results on the board, and a byte to the tool after
 * an execution.  For rt/start, the scheduler (snapshot_here() in fibers/above.h) and steer.c.
 */
#ifndef OMEN_SNAPSHOT_H
#define OMEN_SNAPSHOT_H

#include "rt/fibers/above.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * Unmaps pages of the files of the C library and libomen that only the start of the program needed.  Otherwise each
 * fork would copy their page table entries, and the processors would compete for the pages' counters.  A page that is
 * used from here on comes back.
 */
void snapshot_prepare(void);

/*
 * The execution has reached stop i of the board.  The tool asks for executions from here; each follows the tool's plan.
 * Returns true in each execution that leaves the recording.  Returns false in one that does not, and in the process
 * itself when the tool needs no more.
 */
bool snapshot_at_stop(uint32_t i);

/* Makes the executions that the board asks for.  Returns in each of them, never in the server. */
void snapshot_serve(void);

#endif
