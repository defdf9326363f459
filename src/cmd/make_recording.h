/*
 * Makes a recording: one execution of the user's program with the user's own input and output, kept in the evidence
 * directory.
 *
 * In:  the options and the program; or a recording to resume.
 * Out: the recording with its races, failures and notices, explained and ready to be reported.
 * Called by record, triage and predict.
 */
#ifndef OMEN_MAKE_RECORDING_H
#define OMEN_MAKE_RECORDING_H

#include <signal.h>

#include "cmd/evidence_dir.h"
#include "cmd/race_evidence.h"
#include "run/recording_files.h"

struct recording {
	const struct options *options;
	struct manifest manifest;
	struct input input;
	struct suppressions suppressions;
	struct races races;
	struct notices notices;
	struct evidence evidence; /* the recording grows in its stage */
	struct recording_files files;
	/* Of a resumed recording: where it was, and its log; else NULL. */
	char *resumed_from, *log;
	bool replayable, file_failure_reported;
	struct process *process;
	struct failure *failure;  /* how the execution ended, well or not; NULL: it did not begin */
	struct failures failures; /* `failure` if it ended badly, and other failures that were seen */
	struct report report;
	void (*judge)(struct recording *);
	/* When the recorded part ended, as classifier_now() counts; the budget starts there. */
	double recorded_at;
};

/* Ctrl-C after the program ended. */
extern volatile sig_atomic_t recording_interrupted;

/*
 * Runs the program, explains its races, calls `judge` (or not, if NULL), and fills `report`. Returns EXIT_NOTHING, or
 * the exit status of an error that was printed. Free the recording in any case.
 */
int recording_make(struct recording *x, const struct options *o, char **argv, void (*judge)(struct recording *));
/* The same for the recording that is in the options' directory: replays it instead. */
int recording_resume(struct recording *x, const struct options *o, void (*judge)(struct recording *));
/* The exit status of what was found. */
int recording_status(const struct recording *x);
/* Writes the evidence where the options say. False: that failed, and an error was printed. */
bool recording_keep(struct recording *x);
void recording_free(struct recording *x);

#endif
