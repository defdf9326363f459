/* Fibers: the threads of the program, all on one kernel thread. */
#ifndef OMEN_FIBER_H
#define OMEN_FIBER_H

#include <ucontext.h>

#include "rt/ending/above.h"
#include "rt/core/rt.h"

/* The thread that is running becomes the first fiber. */
void fiber_adopt_main(void);

/*
 * A new runnable fiber, which will go on after the clone syscall trapped in `at`, with result 0, on the stack that ends
 * at `stack` and with TLS base `tls`. NULL when there are too many.
 */
struct fiber *fiber_new(const ucontext_t *at, void *stack, uint64_t tls);

/* Lays the registers of `at` and its address below `stack`, for arch_start; returns the stack pointer to start with. */
void *fiber_lay_registers(const ucontext_t *at, void *stack);

/* `f` can run from now on; it cannot, for it is blocked or done. */
void fiber_runnable(struct fiber *f);
void fiber_not_runnable(struct fiber *f, int state);

/* Takes `f` out of the live and runnable fibers; the caller then switches away for good. */
void fiber_end(struct fiber *f);

/* Numbering begins anew, as if the fibers that have ended had never been. */
void fiber_forget_ended(void);

/* In the child of a fork: the running fiber is the only one left. */
void fiber_keep_only_current(void);

/* The stack of a new fiber. */
struct range {
	uint64_t low, high;
};
void fiber_set_stack(struct fiber *f, uint64_t low, uint64_t high);

/*
 * The memory glibc has mapped for stacks, as far as it still is: what is on the stack of an ended thread is nobody's.
 * Stacks that the program brings itself are not among it; it may use them for something else.
 */
void fiber_stack_mapped(uint64_t low, uint64_t high);
void fiber_forget_stacks(uint64_t low, uint64_t high);
uint32_t fiber_stacks(const struct range **out);

#endif
