/*
 * The log for prediction (abi/prediction_log.h): what threads do to each other.  In: operations, and
 * config.predict_mode. Out: the words that threads share, or the events on them, on the board.  For rt/start, which
 * calls prediction_start().
 */
#ifndef OMEN_PREDICTION_RECORD_H
#define OMEN_PREDICTION_RECORD_H

#include "rt/core/op.h"

/* The execution begins. */
void prediction_start(void);

extern const struct observer prediction_observer;

#endif
