/*
 * How an execution ends.  In: the ending and its message.  Out: the result on the board, with the stacks of all fibers.
 * Every room of the runtime may end the execution.
 */
#ifndef OMEN_ENDING_H
#define OMEN_ENDING_H

#include <stdarg.h>

#include "rt/core/rt.h"
#include "rt/ending/stack.h"
#include "rt/ending/waits.h"

/* The execution fails here.  Writes the message and the stacks of all fibers, and ends the process. */
void ending_fail(enum ending ending, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* The same, but the running fiber failed where its stack `at` was taken (ending_stack), not where it is now. */
void ending_fail_at(const struct board_stack *at, enum ending ending, const char *format, ...)
        __attribute__((noreturn, format(printf, 3, 4)));

/* The recorded part ends here.  `at_work`: some fiber could run. */
void ending_ended(bool at_work) __attribute__((noreturn));
/* A replay has come to the point where its recording was cut. */
void ending_cut(void) __attribute__((noreturn));

/* A fatal signal, from a fault or raised by the program.  `address`: the address of the fault. */
void ending_crash(int signal, const char *what, uint64_t address) __attribute__((noreturn));

/* The program is about to abort: the next SIGABRT is reported as this ending with this message. */
void ending_explain_abort(enum ending ending, const char *message);

/* No fiber can run, and nothing from outside can come. */
void ending_deadlock(void) __attribute__((noreturn));

/* Is the file with this path a system library, not the program's own code? */
bool ending_is_library(const char *path);

/* The program exits with `status`. */
void ending_exit(int status);

#endif
