/*
 * The weak behaviours of C11's memory model: which store does an atomic load see? atomic.c calls it for each operation
 * while weak_active().
 */
#ifndef OMEN_STORE_HISTORY_H
#define OMEN_STORE_HISTORY_H

#include "rt/order/above.h"
#include "rt/clock/above.h"
#include "rt/core/rt.h"

/* Are atomic operations to be done here?  A fiber that is alone sees what is in memory. */
static inline bool weak_active(void) { return mode_is(WEAK) && mode_is(DETECT) && !omen.off; }

/* An atomic operation of the running fiber, on at most 16 bytes. */
struct weak_access {
	void *address;
	uint32_t size;
	int order; /* C11's; of a compare-exchange, the order if it succeeds */
	bool done; /* done in memory already: it saw the value there, and there is no choice */
	const struct omen_site *site;
};

void weak_load(const struct weak_access *a, void *value);
void weak_store(const struct weak_access *a, const void *value);

/* An update, in two steps with nothing between them: the store that it sees, and the value that it makes. */
struct location;
struct location *weak_update_from(const struct weak_access *a, void *old);
void weak_update_to(struct location *l, const struct weak_access *a, const void *value);

/* *expected receives the value seen.  With `may_fail` it may fail for no reason. */
bool weak_compare(const struct weak_access *a, int failure, void *expected, const void *desired, bool may_fail);

void weak_fence(int order);

/* Only one fiber is left: decides for every location which store came last, and forgets the others. */
void weak_settle(void);

#endif
