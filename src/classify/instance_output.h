/*
 * Does the order of the two accesses decide what is printed? For one instance: compares outputs of both orders, and
 * finds out what depends on the schedule anyway.
 *
 * In: an instance with its trials. Out: whether an output is known, and a feature of it that the order decides. These
 * functions make more trials, the samples. Called by instance.c.
 */
#ifndef OMEN_INSTANCE_OUTPUT_H
#define OMEN_INSTANCE_OUTPUT_H

#include "classify/instance.h"

/*
 * Nanoseconds that a thread can be held while all other threads only sleep. A program that waits with a limit would
 * show what happens on a machine that stops a thread for that long.
 */
#define INSTANCE_STANDSTILL_MOST 5000000000u

/* A trial with the recorded order prints the same. */
bool instance_output_is_known(const struct instance *x, const struct trial *t);

/* The same output, except for the order of lines where that order varies anyway. */
bool instance_output_same_but_line_order(const struct trial *p, const struct trial *t, const bool vary[PARTS]);

/* A trial with the recorded order prints the same, except for what varies there anyway. */
bool instance_output_varies_so(const struct instance *x, const struct trial *t);

/* The trial can be compared: it followed its plan to its own end, and neither a peer nor a clock disturbed it. */
bool instance_output_is_usable(const struct trial *t);

/*
 * The output of a trial with the other order has a feature that does not depend on the schedule. `ok` becomes false if
 * the process is lost.
 */
bool instance_output_find_feature(struct instance *x, const struct trial *t, struct feature *what, bool *ok);

/* The recorded execution has another value of this feature, so it and the trial show the difference. */
bool instance_output_shows(const struct instance *x, const struct trial *t, const struct feature *what);

/* The difference is also new compared with schedules that switch anywhere. */
bool instance_output_is_new(const struct instance *x, const struct trial *t);

#endif
