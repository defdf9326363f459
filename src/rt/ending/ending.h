/* How an execution ends: what is written on the board, and the stacks with it. */
#ifndef OMEN_ENDING_H
#define OMEN_ENDING_H

#include <stdarg.h>

#include "rt/core/rt.h"
#include "rt/ending/stack.h"
#include "rt/ending/waits.h"

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

/* The program exits with `status`. */
void ending_exit(int status);

#endif
