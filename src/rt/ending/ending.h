/* How an execution ends: what is written on the board, and the stacks with it. */
#ifndef OMEN_ENDING_H
#define OMEN_ENDING_H

#include <stdarg.h>

#include "rt/core/rt.h"

/* The execution fails here: stacks of all fibers, message, end of the process. */
void ending_fail(enum ending ending, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* The same, of the running fiber's code where `at` was taken (ending_stack), not of where it is now. */
void ending_fail_at(const struct board_stack *at, enum ending ending, const char *format, ...)
        __attribute__((noreturn, format(printf, 3, 4)));

/* The recorded part ends here; `at_work`: somebody could have gone on. */
void ending_ended(bool at_work) __attribute__((noreturn));
/* A replay is where its recording was cut. */
void ending_cut(void) __attribute__((noreturn));

/* A fatal signal, caught or raised; `address` is the fault's. */
void ending_crash(int signal, const char *what, uint64_t address) __attribute__((noreturn));

/* What abort() is about: the next SIGABRT is reported as this ending with this message. */
void ending_explain_abort(enum ending ending, const char *message);

/* Nobody can run and nothing can come. */
void ending_deadlock(void) __attribute__((noreturn));

/* Is the file of this path part of the system, not the program's own code? */
bool ending_is_library(const char *path);

/* Is there a cycle of locks that wait for each other? */
bool ending_has_cycle(void);

/* The program exits with `status`. */
void ending_exit(int status);

/* Where the program has called the runtime from. */
uint64_t ending_caller(void);

/* "mutex", "condition" */
const char *ending_object_name(enum object_kind kind);

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

#endif
