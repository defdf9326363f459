/* What threads do to each other, written down for prediction: abi/prediction_log.h. */
#ifndef OMEN_PREDICTION_RECORD_H
#define OMEN_PREDICTION_RECORD_H

#include "rt/core/rt.h"

/* The execution begins. */
void history_start(void);

/*
 * The running fiber comes to an operation that can be the end of a turn; the point of it follows.  Operations are
 * counted alike in all executions, whether anybody waits for one or not.
 */
static inline void history_op(void)
{
	if (likely(!omen.counting) || omen.current->uncounted || omen.off & OFF_INSIDE)
		return;
	if (++omen.current->ops >= omen.current->ops_until)
		omen.interest = 0;
}

/* A plain access, or a free, is about to be made. */
void history_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);
/* The same, of one that is not written down: what confined loads have read may be in it. */
void history_overlook(const struct omen_site *site);
/* Memory begins a new life. */
void history_born(uint64_t address, uint64_t size);

/* An atomic operation is about to be made; and has been. */
void history_look(const void *address, uint64_t size);
/* (and is a compare and swap) */
void history_compares(void);
void history_atomic(enum predict_event_kind kind, const void *address, uint64_t size, const struct omen_site *site);

/* Code that is not instrumented is about to store this. */
void history_will_store(const void *address, uint64_t size, uint64_t value);

/* What the running fiber does comes behind all that another has done so far. */
void history_after(const struct fiber *f);

/* Anything else, of the running fiber. */
void history_add(enum predict_event_kind kind, const void *object, uint64_t value, uint32_t flags);

#define HISTORY(what, ...)                                                                                             \
	do {                                                                                                           \
		if (unlikely(omen.history))                                                                            \
			history_##what(__VA_ARGS__);                                                                   \
	} while (0)

#endif
