/* Stacks of fibers, without the frames of the runtime. */
#ifndef OMEN_STACK_H
#define OMEN_STACK_H

#include "rt/core/rt.h"

/* Where the program has called the runtime from. */
uint64_t ending_caller(void);

/* The running fiber's stack, in the middle of an execution. */
void ending_stack(struct board_stack *s);

/*
 * Where the return addresses of a stack lie, from a frame on outwards: who stands in the same frame again, with the
 * same addresses there, has the same stack and need not take it.
 */
struct ending_trail {
	uint64_t frame;
	uint64_t hash; /* of the addresses */
	uint32_t lost; /* they are not to be found: signals, stacks the program made */
	uint32_t n;
	uint32_t at[72]; /* bytes from the frame on */
};

/* The same as ending_stack, with its trail; `frame` is a caller's __builtin_frame_address. */
void ending_stack_with_trail(struct board_stack *s, struct ending_trail *t, const void *frame);
bool ending_is_on_trail(const struct ending_trail *t, const void *frame);

/* For fiber_switch: this fiber was resumed only to say where it stands. */
void ending_dump_stack(void);

/* The same in a signal handler, or where the execution has ended: nothing is kept from the unwinder. */
void ending_unwind(struct board_stack *s);

/* The stack of another fiber, which has started: it is resumed to say where it stands. */
void ending_stack_of(struct fiber *f, struct board_stack *s);

#endif
