/* Stacks of fibers, without the frames of the runtime.  Every room of the runtime may ask for them. */
#ifndef OMEN_STACK_H
#define OMEN_STACK_H

#include "rt/core/rt.h"

/* The place from which the program called the runtime. */
uint64_t ending_caller(void);

/* The running fiber's stack, in the middle of an execution. */
void ending_stack(struct board_stack *s);

/*
 * Where the return addresses of a stack lie, from one frame outwards.  If a fiber is in the same frame again and the
 * same addresses stand there, it has the same stack, so the stack need not be taken again.
 */
struct ending_trail {
	uint64_t frame;
	uint64_t hash; /* of the addresses */
	uint32_t lost; /* the addresses cannot be found: signal frames, stacks that the program made */
	uint32_t n;
	uint32_t at[72]; /* places of the addresses, in bytes from the frame */
};

/* The same as ending_stack, with its trail; `frame` is a caller's __builtin_frame_address. */
void ending_stack_with_trail(struct board_stack *s, struct ending_trail *t, const void *frame);
/* Is the running fiber's stack the one of this trail? */
bool ending_is_on_trail(const struct ending_trail *t, const void *frame);

/* For fiber_switch(): this fiber was resumed only to take its own stack. */
void ending_dump_stack(void);

/* The same as ending_stack() in a signal handler or after the end of the execution: it does not guard the unwinder's
 * lock. */
void ending_unwind(struct board_stack *s);

/* The stack of another fiber, which must have started: it is resumed to take its own stack. */
void ending_stack_of(struct fiber *f, struct board_stack *s);

#endif
