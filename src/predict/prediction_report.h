/*
 * What was predicted, as text and as JSON.
 *
 * In:  a prediction that prediction_run() has finished.
 * Out: its report.
 * Called by omen predict.
 */
#ifndef OMEN_PREDICTION_REPORT_H
#define OMEN_PREDICTION_REPORT_H

#include <stdio.h>

#include "predict/prediction.h"

/* One line for each race, and a summary. */
void prediction_text(FILE *out, const struct prediction *p);
void prediction_json(FILE *out, const struct prediction *p);

#endif
