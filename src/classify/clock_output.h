/*
 * Removes from an output what comes from clocks and ids.
 *
 * In: a trial, and the same execution made again with other clocks. Out: the trial's plain form. Called by
 * other_clocks.c.
 */
#ifndef OMEN_CLOCK_OUTPUT_H
#define OMEN_CLOCK_OUTPUT_H

#include "classify/trial.h"

/* Gives the trial its plain form; `again`: n executions of the same plan with other clocks. */
void clock_output_hide(struct trial *t, const struct trial *again, size_t n);

#endif
