/*
 * Loads an execution that was kept, so that it can be replayed.
 *
 * In:  an evidence directory.
 * Out: its manifest, schedule and log; the board, input and launch of a process that replays it.
 * Called by replay and report, and by make_recording.c.
 */
#ifndef OMEN_LOAD_RECORDING_H
#define OMEN_LOAD_RECORDING_H

#include "run/launch.h"
#include "format/file.h"
#include "format/manifest.h"
#include "format/schedule.h"

struct recorded {
	char *directory;
	struct manifest manifest;
	struct schedule schedule;
	struct bytes log;
	bool has_log;       /* without one a replay makes the syscalls again */
	bool cut;           /* the recording has no end … */
	uint64_t cut_point; /* … and is complete only up to this point */
};

/*
 * Reads everything that a replay needs, and checks that the program is the one that was recorded. If a file is cut or
 * damaged, what comes before is usable, and one line of warning says so. Free it in any case.
 */
bool recorded_read(struct recorded *r, const char *directory, struct error *e);
void recorded_free(struct recorded *r);

/* Fills the board of a process that will replay it. */
bool recorded_prepare(const struct recorded *r, struct process *p, struct error *e);
/* The standard input of the replay: a new descriptor, or 0 for the tool's own. -1: there is none. */
int recorded_input(const struct recorded *r, struct error *e);
struct launch recorded_launch(const struct recorded *r, int in, int out, int err);

#endif
