/* Bad pointers in syscalls: whatever the program gives the kernel, it gets an error for it, and no crash. */
#ifndef OMEN_BAD_POINTERS_H
#define OMEN_BAD_POINTERS_H

#include <ucontext.h>

#include "rt/kernel/kernel.h"

/*
 * Is there nothing to do but to answer with *error?  Of memory that is the runtime's own, what the kernel would say if
 * it were not there; a mapping into it is refused with a message.
 */
bool bad_pointers_refuse(const struct call *c, long *error);

/* Answers a call by a function of the runtime's; -EFAULT if that comes upon a bad pointer of the call's own. */
long bad_pointers_try(struct call *c, long (*answer)(struct call *));

/* A fault at this address was one of the above, and the context goes on from there. */
bool bad_pointers_fault(uint64_t address, ucontext_t *uc);

#endif
