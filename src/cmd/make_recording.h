/* One execution of the user's program with the user's own input and output, kept in the evidence directory. */
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
	struct evidence evidence; /* its stage is where the recording grows */
	struct recording_files files;
	char *earlier, *log; /* of one that is gone on with: where it was, and its log; or NULL */
	bool has_something, told;
	struct process *process;
	struct failure *failure;  /* how it ended, well or not; NULL: it did not begin */
	struct failures failures; /* if not well, that one; and what else was seen to fail */
	struct report report;
	void (*judge)(struct recording *);
	double since; /* when the recorded part was over, of classifier_now(): the budget counts from there */
};

/* Ctrl-C since the program ended. */
extern volatile sig_atomic_t recording_interrupted;

/*
 * Makes it: the program has run, its races are explained (and then judged, by whom it is given, or NULL), and what
 * there is to tell stands in `report`. Returns the exit status of what went wrong, which was told, or EXIT_NOTHING. To
 * be freed in any case.
 */
int recording_make(struct recording *x, const struct options *o, char **argv, void (*judge)(struct recording *));
/* The same with the recording that is in the options' directory, which is replayed instead. */
int recording_resume(struct recording *x, const struct options *o, void (*judge)(struct recording *));
/* The exit status of what was found. */
int recording_status(const struct recording *x);
/* Puts all of it where the options say. False: that failed, and was told. */
bool recording_keep(struct recording *x);
void recording_free(struct recording *x);

#endif
