/*
 * The steps of an execution: what the threads did between two points, as far as other threads can notice.  If
 * board_config.every_operation is set, every such operation is a point of its own, and the steps take the memory of the
 * timeline's events.  Two steps that do not conflict can be swapped without any effect (docs/design.md, "All
 * interleavings").
 *
 * In: a board_guide, the choices to make.  Out: the notes of the steps.  The runtime writes them
 * (rt/observe/step_record.h); the tool reads them to go through all interleavings.
 */
#ifndef OMEN_STEPS_H
#define OMEN_STEPS_H

#include <stdbool.h>
#include <stdint.h>

enum step_kind {
	STEP_RUN = 1, /* a step of the fiber begins; a: which fibers could run, b: which of them would only wait; as
	                 bits */
	STEP_READ,    /* of memory; a: address, b: size */
	STEP_WRITE,   /* the same; also any operation on a synchronisation object that has no kind of its own */
	STEP_REWRITE, /* a write of the value that stands there already: for other threads the same as a read */
	STEP_FREE,    /* of memory: the same as a write of all of it */
	STEP_LOCK,    /* a: a mutex, b: its size; it runs only when the mutex is free */
	STEP_TRYLOCK, /* the same for a lock operation that, if the mutex were not free, would fail or wait elsewhere */
	STEP_TRIED,   /* an attempt at a mutex that was not free */
	STEP_UNLOCK,
	STEP_TAKE, /* of a semaphore; it runs only when the count is not 0 */
	STEP_POST,
	STEP_FUTEX,        /* waits or wakes; a: the word, b: its size */
	STEP_JOIN,         /* a: the fiber, which has ended */
	STEP_ENABLES,      /* a: a fiber that can run from now on */
	STEP_CHOICE,       /* a: number of possibilities, b: the one chosen */
	STEP_PENDING_LOCK, /* the fiber's next step will be STEP_LOCK or STEP_TAKE; a, b: as there */
	STEP_PENDING_TAKE,
	/* after the last step: */
	STEP_STUCK,     /* all fibers only wait: what follows is not a step */
	STEP_REDUNDANT, /* everything that can follow has been executed already */
};

struct step_note {
	uint32_t kind, fiber;
	uint64_t a, b;
	uint64_t site; /* of an access to memory, if it is known; of a free: of its call; otherwise 0 */
};

/* Addresses for what is not memory: the world with the streams of the C library; the numbers of threads. */
#define STEP_OUTSIDE (1ul << 63)
#define STEP_THREADS (1ul << 63 | 64)

#define STEPS_MOST    (1u << 18)
#define STEP_FIBERS   64
#define STEP_CHOICES  4096
#define SLEEPER_STEPS 8

/* A fiber whose next step has been executed from here already: it need not run before another step conflicts with that
 * one. */
struct board_sleeper {
	uint32_t fiber, count;
	struct step_note steps[SLEEPER_STEPS];
};

/* Which execution to make: the choices (fibers and possibilities), then the fibers that sleep. */
struct board_guide {
	uint32_t nchoices, nsleepers;
	uint32_t choice[STEP_CHOICES];
	struct board_sleeper sleeper[STEP_FIBERS];
};

static inline bool step_is_access(const struct step_note *s) { return s->kind >= STEP_READ && s->kind <= STEP_FUTEX; }
static inline bool step_only_looks(const struct step_note *s)
{
	return s->kind == STEP_READ || s->kind == STEP_REWRITE || s->kind == STEP_TRIED;
}

/* Is it an access of the program to memory, with a known place?  Does that access write? */
static inline bool step_is_memory(const struct step_note *s)
{
	return s->site && s->kind >= STEP_READ && s->kind <= STEP_FREE;
}
static inline bool step_writes(const struct step_note *s) { return s->kind != STEP_READ; }

static inline bool step_conflicts(const struct step_note *x, const struct step_note *y)
{
	if (!step_is_access(x) || !step_is_access(y) || (step_only_looks(x) && step_only_looks(y)))
		return false;
	if (x->kind == STEP_POST && y->kind == STEP_POST)
		return false;
	return x->a < y->a + y->b && y->a < x->a + x->b;
}

/* Is it an access that the machine does not make at once: longer than a word, or across two cache lines? */
static inline bool step_is_wide(const struct step_note *s)
{
	return step_is_memory(s) && s->kind != STEP_FREE && (s->b > 8 || s->a % 64 + s->b > 64);
}

#endif
