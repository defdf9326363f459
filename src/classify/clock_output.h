/* What of an output comes from clocks and ids, and the output without it. */
#ifndef OMEN_CLOCK_OUTPUT_H
#define OMEN_CLOCK_OUTPUT_H

#include "classify/execution_result.h"

/* Gives the trial its plain form: `again` are executions of the same plan with other clocks, `n` of them. */
void trial_hide(struct trial *t, const struct trial *again, size_t n);

#endif
