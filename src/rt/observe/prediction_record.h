/* What threads do to each other, written down for prediction: abi/prediction_log.h. */
#ifndef OMEN_PREDICTION_RECORD_H
#define OMEN_PREDICTION_RECORD_H

#include "rt/core/op.h"

/* The execution begins. */
void prediction_start(void);

extern const struct observer prediction_observer;

#endif
