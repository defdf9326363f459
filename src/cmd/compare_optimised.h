/* omen triage --as-optimised: the same of the program as the compiler makes it, and what differs. */
#ifndef OMEN_COMPARE_OPTIMISED_H
#define OMEN_COMPARE_OPTIMISED_H

#include "cmd/make_recording.h"

/* Before the program runs: where its input begins, if that can be read twice. */
void optimised_look_at_input(void);
/* Triages the other program with the same options and arguments; tells of each race what it is there. */
bool optimised_compare(struct recording *x, char **argv, struct optimised_program *p, struct error *e);

#endif
