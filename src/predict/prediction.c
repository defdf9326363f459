#include "predict/prediction.h"

#include "predict/seconds.h"
#include "predict/tiers.h"

void prediction_run(struct prediction *p, enum tier last, const struct maximal_options *options)
{
	for (enum tier k = 0; k <= last; k++) {
		double start = seconds_now();
		switch (k) {
		case TIER_HAPPENS_BEFORE:
			predict_happens_before(p->trace, &p->pairs);
			break;
		case TIER_SYNC_PRESERVING:
			predict_sync_preserving(p->trace, &p->pairs);
			break;
		case TIER_MAXIMAL:
			predict_maximal(p->trace, &p->pairs, options, &p->maximal);
			break;
		case TIER_COUNT:
			break;
		}
		p->seconds[k] = seconds_now() - start;
		p->tier = k;
	}
}

void prediction_free(struct prediction *p)
{
	maximal_result_free(&p->maximal);
	pairs_free(&p->pairs);
}
