/* Executions as snapshots of the process. */
#ifndef OMEN_SNAPSHOT_H
#define OMEN_SNAPSHOT_H

#include "rt/fibers/above.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * What starting the program has mapped of the C library's file and libomen's, and no run needs, is not to be copied for
 * each of them (and its counters not to be fought over by the processors).  Whatever is used from now on is kept.
 */
void snapshot_prepare(void);

/*
 * Stop i of the board is reached. The tool has executions made from here, as its plans say; returns true in each that
 * leaves the recording, false in one that does not, and in the process itself when the tool has seen enough.
 */
bool snapshot_at_stop(uint32_t i);

/* Makes the executions the board asks for; returns in each of them, never in the server. */
void snapshot_serve(void);

#endif
