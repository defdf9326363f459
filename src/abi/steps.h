/*
 * The steps of an execution: what the threads did between two points, as far as others can notice.  Where
 * board_config.every asks for it, every such operation is a point of its own, and the steps stand where events stand
 * otherwise.  Two steps that do not conflict can change places without anybody noticing (docs/design.md, "All
 * interleavings").
 */
#ifndef OMEN_STEPS_H
#define OMEN_STEPS_H

#include <stdbool.h>
#include <stdint.h>

enum step_kind {
	STEP_RUN = 1, /* a step of the fiber begins; a: who could have run, b: who would only have waited, as bits */
	STEP_READ,    /* of memory: a: address, b: size */
	STEP_WRITE,   /* also: any operation on a synchronisation object that has no kind of its own */
	STEP_REWRITE, /* a write of what stands there already: to others as good as a read */
	STEP_FREE,    /* of memory: as a write of all of it */
	STEP_LOCK,    /* a: a mutex, b: its size; it runs only when the mutex is free */
	STEP_TRYLOCK, /* the same for one that would have gone on, or waited elsewhere, if the mutex were not free */
	STEP_TRIED,   /* the mutex was not free */
	STEP_UNLOCK,
	STEP_TAKE, /* of a semaphore; it runs only when there is something to take */
	STEP_POST,
	STEP_FUTEX,        /* a: the word, b: its size; waits or wakes */
	STEP_JOIN,         /* a: the fiber, which has ended */
	STEP_ENABLES,      /* a: a fiber, which can run from now on */
	STEP_CHOICE,       /* a: number of possibilities, b: the one taken */
	STEP_PENDING_LOCK, /* the next step of the fiber will be this; a, b: as there */
	STEP_PENDING_TAKE,
	/* behind the last step */
	STEP_STUCK,     /* all only wait: what follows is no step any more */
	STEP_REDUNDANT, /* whatever follows has been seen */
};

struct step_note {
	uint32_t kind, fiber;
	uint64_t a, b;
	uint64_t site; /* of an access to memory, where it is known, of a free where it is called; or 0 */
};

/* Places that are no memory: the world, with the streams of the C library; the numbers of threads. */
#define STEP_OUTSIDE (1ul << 63)
#define STEP_THREADS (1ul << 63 | 64)

#define STEPS_MOST    (1u << 18)
#define STEP_FIBERS   64
#define STEP_CHOICES  4096
#define SLEEPER_STEPS 8

/* A fiber whose next step has been seen from here: it need not run before a step that conflicts with that. */
struct board_sleeper {
	uint32_t fiber, count;
	struct step_note steps[SLEEPER_STEPS];
};

/* Which execution: the choices to make, fibers and possibilities, then who sleeps. */
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

/* An access of the program to memory whose place is known; and whether it writes there. */
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

/* An access of the program that the machine does not make at once: longer than a word, or across two lines. */
static inline bool step_is_wide(const struct step_note *s)
{
	return step_is_memory(s) && s->kind != STEP_FREE && (s->b > 8 || s->a % 64 + s->b > 64);
}

#endif
