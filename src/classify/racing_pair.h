/* The two accesses of a race in an execution, and whether their order could not be if regions around them had a lock.
 */
#ifndef OMEN_RACING_PAIR_H
#define OMEN_RACING_PAIR_H

#include "classify/race_tally.h"

/* Finds them among the moments of the verdict, and notes whether they cut a region. */
void evidence_find_pair(const struct finding *f, struct verdict *v);

/* Would the other order of this instance of a race cut a region, if all else were as in its primary? */
bool instance_cuts(const struct execution *primary, const struct board_instance *at);

#endif
