/*
 * Bad pointers in syscalls.  In: a call before and while it is answered.  Out: the call fails with an error; the
 * runtime does not crash.  The kernel room and the handler of faults call it.
 */
#ifndef OMEN_BAD_POINTERS_H
#define OMEN_BAD_POINTERS_H

#include <ucontext.h>

#include "rt/kernel/kernel.h"

/*
 * True: the call fails with *error and nothing else is to be done.  A pointer into the runtime's own memory gets the
 * error for memory that is not there; a fixed mapping over it ends the process with a message.
 */
bool bad_pointers_refuse(const struct call *c, long *error);

/* Lets `answer` answer the call; -EFAULT if it faults at a pointer that the call was given. */
long bad_pointers_try(struct call *c, long (*answer)(struct call *));

/* True: the fault at this address happened in bad_pointers_try(), and the context now continues there. */
bool bad_pointers_fault(uint64_t address, ucontext_t *uc);

#endif
