/* One syscall of the program, on its way to whoever answers it. */
#ifndef OMEN_CALL_H
#define OMEN_CALL_H

#include <stdint.h>
#include <ucontext.h>

struct call {
	long nr;
	long arg[6];
	ucontext_t *context; /* of the trap; NULL when an interposed function calls */
	uint64_t where;
	long result; /* what it will return, if that is known at its point: for fibers/state_hash.c */
};

#endif
