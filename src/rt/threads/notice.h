/* What is wrong although nothing has come of it in this execution (board_notice). Only where races are looked for. */
#ifndef OMEN_NOTICE_H
#define OMEN_NOTICE_H

#include "rt/kernel/above.h"
#include "rt/ending/above.h"
#include "rt/core/rt.h"
#include "abi/board.h"

/* A new one, to be filled in; NULL: it is known, there is no room, or nobody looks for races. */
struct board_notice *notice_new(enum notice_kind kind, uint64_t key);

/* The running fiber does what a handler of signals must not do. `direct`: itself, if no library is in between. */
void notice_unsafe_call(const char *what, bool direct);
static inline void notice_call(const char *what, bool direct)
{
	if (unlikely(omen.handling))
		notice_unsafe_call(what, direct);
}

/* The program ends: which threads have ended, and nobody waited for them? */
void notice_created(uint64_t thread);
void notice_joined(uint64_t thread); /* or detached */

#endif
