/* Executions as snapshots of the process. */
#ifndef OMEN_SNAPSHOT_H
#define OMEN_SNAPSHOT_H

/* Makes the executions the board asks for; returns in each of them, never in the server. */
void snapshot_serve(void);

#endif
