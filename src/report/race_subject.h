/* What a race is about: the variable or the block that both accesses touch. */
#ifndef OMEN_RACE_SUBJECT_H
#define OMEN_RACE_SUBJECT_H

#include "report/race_list.h"

struct subject {
	char name[192];   /* "config.limits[3].max", "it->refcount"; empty: it has none */
	char global[192]; /* the name if it is that of a global or static variable: what suppressions match */
	char what[512];   /* "a global of 4 bytes, declared at counter.c:5"; empty: unknown */
};

void race_subject(const struct race *r, struct subject *out);
/* The name of the lock at an address; false if it has none. */
bool lock_name(const struct board_result *r, uint64_t address, char *out, size_t size);

#endif
