/*
 * omen triage --as-optimised: triages the same program as the compiler optimises it, and compares the races.
 *
 * In:  a finished recording, and the other program.
 * Out: for each race of the recording, what it is in the other program.
 * Called by omen triage.
 */
#ifndef OMEN_COMPARE_OPTIMISED_H
#define OMEN_COMPARE_OPTIMISED_H

#include "cmd/make_recording.h"

/* Notes where the standard input begins, if it can be read twice. Call it before the program runs. */
void optimised_note_input(void);
/* Triages the other program with the same options and arguments, and stores the comparison in the report. */
bool optimised_compare(struct recording *x, char **argv, struct optimised_program *p, struct error *e);

#endif
