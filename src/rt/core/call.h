/* One syscall of the program: rt/kernel makes it, and the rooms that answer it read it. */
#ifndef OMEN_CALL_H
#define OMEN_CALL_H

#include <stdint.h>
#include <ucontext.h>

struct call {
	long nr;
	long arg[6];
	ucontext_t *context; /* of the trap; NULL if an interposed function made the call */
	uint64_t where;      /* place of the call, as in struct schedule_entry */
	long result; /* what it will return, if this is known at its scheduling point: for fibers/state_hash.c */
};

#endif
