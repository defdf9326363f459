/* The races that a session found, on their way into its report and its evidence. */
#ifndef OMEN_RACE_EVIDENCE_H
#define OMEN_RACE_EVIDENCE_H

#include "cmd/evidence_dir.h"
#include "cmd/options.h"
#include "report/findings.h"
#include "report/suppressions.h"

/* The suppressions that the options and TSAN_OPTIONS name. False is wrong use. */
bool found_suppressions(struct suppressions *s, const struct options *o, struct error *e);
/* Settles ids, order, what is suppressed and where the evidence goes, and puts it all into the report. */
void found_settle(struct races *all, const struct suppressions *s, const char *data, struct report *r);
/* Says where the evidence of failures goes: those that have no place yet. */
void found_name_failures(struct report *r);
/* Writes the failures and races of the report to the stage, each as an execution that can be replayed: races until that
 * time (seconds_now(); 0: all). */
bool found_keep(const struct evidence *v, const struct manifest *m, const struct input *input, const struct report *r,
                double until, struct error *e);
/* The evidence could not be written: nothing is said of it. */
void found_forget_evidence(struct report *r);
/* Writes the report's JSON to the stage. */
bool found_summary(const struct evidence *v, const struct report *r, struct error *e);

#endif
