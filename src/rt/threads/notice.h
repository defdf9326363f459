/*
 * Notices: errors that had no effect in this execution (board_notice).  Only executions that look for races make them.
 * In: calls in signal handlers, threads, lock orders.  Out: rows of board.notices.  For this room, rt/libc and
 * rt/kernel.
 */
#ifndef OMEN_NOTICE_H
#define OMEN_NOTICE_H

#include "rt/kernel/above.h"
#include "rt/ending/above.h"
#include "rt/core/rt.h"
#include "abi/board.h"

/* A new notice, which the caller fills in.  NULL: it is known, there is no room, or the execution does not look for
 * races. */
struct board_notice *notice_new(enum notice_kind kind, uint64_t key);

/* The running fiber calls `what`, which a signal handler must not do.  `direct`: the program calls it itself unless a
 * library is in between. */
void notice_unsafe_call(const char *what, bool direct);
static inline void notice_call(const char *what, bool direct)
{
	if (unlikely(omen.handling))
		notice_unsafe_call(what, direct);
}

/* A thread was created; a thread was joined or detached.  notice_leaks() reports the difference. */
void notice_created(uint64_t thread);
void notice_joined(uint64_t thread);

#endif
