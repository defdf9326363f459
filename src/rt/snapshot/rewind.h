/*
 * An execution is over: the process goes back to where it began, without a fork.  The server keeps a copy of its
 * memory.  A child that has made an execution puts back the pages that were written, undoes what core/undo.h lists, and
 * begins the next execution.  What cannot be undone ends the child: then the server forks another.
 *
 * In: the server's call before its first fork, and the end of each execution.  Out: a second return from
 * rewind_mark().  For snapshot.c only.
 */
#ifndef OMEN_REWIND_H
#define OMEN_REWIND_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/* What server and children know of the executions: in memory that both share. */
struct rewind_shared {
	void *place[5];  /* where executions begin: of rewind_mark() */
	bool is_ready;   /* there is a copy of the memory */
	uint64_t number; /* of the execution that is under way */
	uint64_t began;  /* when, in ms */
	uint64_t late;   /* the number of an execution, plus 1, whose time is up */
	bool is_over;    /* it is over, the process was rewound, and the next one has not begun */
	char child_said; /* what the tool has answered to a child that then ended; 0: nothing */
};

/* In the server.  False: this kernel cannot do it. */
bool rewind_start(void);
/* In the server: executions are forks until there is a copy of the memory. */
void rewind_not_yet(void);
struct rewind_shared *rewind_shared(void);
/* 0; not 0 in a child that was rewound.  The caller must not return in the server. */
#define rewind_mark() __builtin_setjmp(rewind_shared()->place)
/* Keeps a copy of all memory: call it right after rewind_mark() has returned 0.  False: there is too much. */
bool rewind_save(void);
/* An execution begins: in a child that was rewound, and in one that was forked. */
void rewind_begin(void);
void rewind_forked(void);

#endif
