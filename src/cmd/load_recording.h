/* An execution that was kept, read and ready to be run again. */
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
	bool has_log;       /* without one the world answers */
	bool cut;           /* the recording has no end ... */
	uint64_t cut_point; /* ... and is all there before this point only */
};

/*
 * Reads everything that a replay needs and checks that the program is still the one that was recorded. What is cut or
 * damaged is usable up to there, which is told in one line. To be freed in any case.
 */
bool recorded_read(struct recorded *r, const char *directory, struct error *e);
void recorded_free(struct recorded *r);

/* Fills the board of a process that is to replay it. */
bool recorded_prepare(const struct recorded *r, struct process *p, struct error *e);
/* The standard input for it: a new descriptor, or 0 where the tool's own must do. -1: there is none. */
int recorded_input(const struct recorded *r, struct error *e);
struct launch recorded_launch(const struct recorded *r, int in, int out, int err);

#endif
