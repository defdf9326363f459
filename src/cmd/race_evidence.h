/*
 * Takes the races and failures of a session into its report and its evidence.
 *
 * In:  the races, failures, suppressions and the recording of a session.
 * Out: the report, complete with ids and evidence; the evidence in the stage.
 * Called by explore and make_recording.c.
 */
#ifndef OMEN_RACE_EVIDENCE_H
#define OMEN_RACE_EVIDENCE_H

#include "cmd/evidence_dir.h"
#include "cmd/options.h"
#include "report/findings.h"
#include "report/suppressions.h"

/* Loads the suppressions that the options and TSAN_OPTIONS name. False: wrong use. */
bool race_evidence_suppressions(struct suppressions *s, const struct options *o, struct error *e);
/* Decides ids, order, suppressed races and where the evidence goes, and puts all of it into the report. */
void race_evidence_settle(struct races *all, const struct suppressions *s, const char *data, struct report *r);
/* Decides where the evidence of failures goes, for those that have no place yet. */
void race_evidence_name_failures(struct report *r);
/*
 * Writes the failures and races of the report to the stage, each as an execution that can be replayed. It writes races
 * until this time (seconds_now(); 0: no limit).
 */
bool race_evidence_keep(const struct evidence *v, const struct manifest *m, const struct input *input,
                        const struct report *r, double until, struct error *e);
/* The evidence could not be written: removes it from the report. */
void race_evidence_forget(struct report *r);
/* Writes report.json to the stage. */
bool race_evidence_write_json(const struct evidence *v, const struct report *r, struct error *e);

#endif
