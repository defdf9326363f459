/*
 * Decides whether the outputs of an instance contain clocks, CPU times or ids, and removes what comes from them.
 *
 * In: a plan and the trial that it made. Out: the trial's plain form. Called by instance.c and instance_output.c.
 */
#ifndef OMEN_OTHER_CLOCKS_H
#define OMEN_OTHER_CLOCKS_H

#include "classify/instance.h"

/*
 * Gives the trial of this plan its plain form if outputs of this instance depend on clocks. The first call decides
 * whether they do. False: the process is lost.
 */
bool clocks_ask(struct instance *x, const struct board_plan *plan, struct trial *t);
/* The same for trials that are compared with those; it decides nothing. */
bool clocks_hide(struct instance *x, const struct board_plan *plan, struct trial *t);

#endif
