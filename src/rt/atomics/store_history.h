/*
 * The weak behaviours of C11's memory model: which store does an atomic load see? atomic.c calls it for each operation
 * while store_history_active().
 */
#ifndef OMEN_STORE_HISTORY_H
#define OMEN_STORE_HISTORY_H

#include "rt/order/above.h"
#include "rt/clock/above.h"
#include "rt/core/rt.h"

/* Are atomic operations to be done here?  A fiber that is alone sees what is in memory. */
static inline bool store_history_active(void) { return mode_is(WEAK) && mode_is(DETECT) && !omen.off; }

/* An atomic operation of the running fiber, on at most 16 bytes. */
struct store_history_access {
	void *address;
	uint32_t size;
	int order; /* C11's; of a compare-exchange, the order if it succeeds */
	bool done; /* done in memory already: it saw the value there, and there is no choice */
	const struct omen_site *site;
};

void store_history_load(const struct store_history_access *a, void *value);
void store_history_store(const struct store_history_access *a, const void *value);

/* An update, in two steps with nothing between them: the store that it sees, and the value that it makes. */
struct location;
struct location *store_history_update_from(const struct store_history_access *a, void *old);
void store_history_update_to(struct location *l, const struct store_history_access *a, const void *value);

/* *expected receives the value seen.  With `may_fail` it may fail for no reason. */
bool store_history_compare(const struct store_history_access *a, int failure, void *expected, const void *desired,
                           bool may_fail);

void store_history_fence(int order);

/* Only one fiber is left: decides for every location which store came last, and forgets the others. */
void store_history_settle(void);

#endif
