/* Clocks, CPU times and ids: what of an output comes from them. */
#ifndef OMEN_OTHER_CLOCKS_H
#define OMEN_OTHER_CLOCKS_H

#include "classify/instance.h"

/*
 * Gives the trial, which this plan has made, its plain form if outputs of this instance depend on clocks; the first one
 * that is asked for decides whether they do.  False: the process is lost.
 */
bool clocks_ask(struct instance *x, const struct board_plan *plan, struct trial *t);
/* The same, for executions that are compared with those. */
bool clocks_hide(struct instance *x, const struct board_plan *plan, struct trial *t);

#endif
