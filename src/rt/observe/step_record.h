/*
 * Steps: an execution in which every operation that others can notice is a point of its own, and what happens between
 * two points is written down (abi/steps.h), so that the tool can go through all interleavings.
 */
#ifndef OMEN_STEP_RECORD_H
#define OMEN_STEP_RECORD_H

#include "rt/core/rt.h"

/* Before executions are made: what does the program call? */
void steps_look_at_program(void);
/* The execution leaves its recording, and config.every asks for it: from the first thread on. */
void steps_depart(void);
/* The running fiber has made another one. */
void steps_made(const struct fiber *f);

/* ---- what the running fiber does; nothing where mode_is(STEPS) is not set ---- */

void steps_add(enum step_kind kind, uint64_t a, uint64_t b);
/* The next write is of what stands there: to others it is a read, unless it releases. */
void steps_unchanged(bool yes, bool releases);
void steps_enables(const struct fiber *f);
void steps_joined(const void *thread);
/* Something may happen in another way, and no step says so. */
void steps_unclear(const char *why);

/* An operation on a synchronisation object that it may have to wait for. */
enum steps_how { STEPS_WAITS, STEPS_TRIES };
void steps_taking(enum steps_how how, enum object_kind kind, const void *object);
/* It was made, or (not ok) refused. */
void steps_took(enum steps_how how, enum object_kind kind, const void *object, bool ok);
/* The step under way begins with, or within, a call of the C library that may print. */
void steps_called(bool yes);
bool steps_is_call(void);
/* The step under way begins with a call of a stream. */
void steps_streams(void);
/* The running fiber does nothing any more but print why the program ends, in several steps, and end it. */
void steps_fails(void);
/* An object of which only the order of operations is known. */
void steps_used(enum object_kind kind, const void *object);

#define STEP(call)                                                                                                     \
	do {                                                                                                           \
		if (unlikely(mode_is(STEPS)))                                                                          \
			steps_##call;                                                                                  \
	} while (0)

void steps_access(uint64_t address, uint64_t size, uint32_t flags, uint64_t site);

/* The running fiber comes to the end of a loop's body. */
void steps_loop(uint64_t site, uint64_t registers, uint64_t size, uint64_t sp);

/* All that can run only repeat themselves, or would wait. */
bool steps_are_stuck(void);

/* ---- for the strategy ---- */

struct fiber *steps_choose(void);
uint32_t steps_pick(uint32_t n);

#endif
