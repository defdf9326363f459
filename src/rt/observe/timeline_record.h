/* The event stream of an execution (abi/timeline_events.h): off unless the board asks for it, which only replays do. */
#ifndef OMEN_TIMELINE_RECORD_H
#define OMEN_TIMELINE_RECORD_H

#include "rt/core/rt.h"

/* The execution begins. */
void events_start(void);

/* It leaves its recording. */
void events_depart(void);

/* Each adds one event of the running fiber; those that return something return its number, from 1 on, or 0. */
void events_add_run(void);
void events_add_creating(void); /* where: the clone below it cannot tell */
void events_add_create(const struct fiber *f);
void events_add_end(void);
void events_add_join(const void *thread);
void events_add_name(const struct fiber *f, const char *name); /* of any fiber */
void events_add_wait(void);
void events_add_resume(enum wait_result result);
void events_add_wake(const struct fiber *f);
void events_add_give(enum event_give what, const void *object); /* it is about to */
void events_add_lock(const void *lock, bool writes);
void events_add_unlock(const void *lock);
uint64_t events_add_release(const void *key, bool by_atomic);
void events_add_acquire(uint64_t release, bool by_atomic);
void events_add_signal(int signal);
uint64_t events_add_access(const struct board_access *a);
/*
 * An access to watched bytes is about to be made; of a write, the value is added when it has been. Of those from before
 * the execution leaves its recording the last ones are kept.
 */
void events_touch(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site);

/* At most this test stands where nothing is written down: EVENT(run), EVENT(lock, m, false). */
#define EVENT(what, ...)                                                                                               \
	do {                                                                                                           \
		if (unlikely(mode_is(TIMELINE)))                                                                       \
			events_add_##what(__VA_ARGS__);                                                                \
	} while (0)
#define EVENT_NUMBER(what, ...) (unlikely(mode_is(TIMELINE)) ? events_add_##what(__VA_ARGS__) : 0)

#endif
