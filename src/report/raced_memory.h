/*
 * The memory that both accesses of a race touch: its name and what it is.
 *
 * In: a race.  Out: texts for reports and suppressions.  Callers: reports, predict, the comparison with an optimised
 * program.
 */
#ifndef OMEN_RACED_MEMORY_H
#define OMEN_RACED_MEMORY_H

#include "report/race_list.h"

struct raced_memory {
	char name[192];   /* "config.limits[3].max", "it->refcount"; empty: it has none */
	char global[192]; /* the name of a global or static variable, which suppressions match; empty: it is none */
	char what[512];   /* "a global of 4 bytes, declared at counter.c:5"; empty: unknown */
};

void raced_memory_of(const struct race *r, struct raced_memory *out);

#endif
