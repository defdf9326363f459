/*
 * Fibers: the threads of the program, all on one kernel thread.  In: clones, ends and stacks of threads.  Out: the
 * tables of live and runnable fibers in struct omen.  For the scheduler, rt/kernel (clone, fork, exit), rt/threads and
 * modules that need the stacks of threads.
 */
#ifndef OMEN_FIBER_H
#define OMEN_FIBER_H

#include <ucontext.h>

#include "rt/ending/above.h"
#include "rt/core/rt.h"

/* Makes the running thread the first fiber. */
void fiber_adopt_main(void);

/*
 * Makes a new runnable fiber.  It continues after the clone syscall trapped in `at`, with result 0, on the stack that
 * ends at `stack` and with TLS base `tls`.  NULL: there are too many fibers.
 */
struct fiber *fiber_new(const ucontext_t *at, void *stack, uint64_t tls);

/* Writes the registers and the address of `at` below `stack`, for arch_start; returns the first stack pointer. */
void *fiber_lay_registers(const ucontext_t *at, void *stack);

/* Puts `f` among the runnable fibers; takes it out because it is blocked or done. */
void fiber_runnable(struct fiber *f);
void fiber_not_runnable(struct fiber *f, int state);

/* Takes `f` out of the live and runnable fibers.  If `f` is running, the caller must then switch away for good. */
void fiber_end(struct fiber *f);

/* New ids follow the last live fiber's, as if the ended fibers had never existed. */
void fiber_forget_ended(void);

/* In the child of a fork: ends all fibers except the running one. */
void fiber_keep_only_current(void);

struct range {
	uint64_t low, high;
};
/* Notes the stack of a new fiber. */
void fiber_set_stack(struct fiber *f, uint64_t low, uint64_t high);

/*
 * The memory that glibc has mapped for stacks and not yet unmapped.  The contents of an ended thread's stack are dead.
 * Stacks that the program allocates itself are not included: the program may use that memory for something else.
 */
void fiber_stack_mapped(uint64_t low, uint64_t high);
void fiber_forget_stacks(uint64_t low, uint64_t high);
uint32_t fiber_stacks(const struct range **out);

#endif
