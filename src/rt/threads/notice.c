#include "rt/threads/notice.h"

#include <errno.h>
#include <string.h>
#include <unwind.h>

#include "rt/ending/ending.h"
#include "rt/kernel/signals.h"
#include "rt/fibers/fiber.h"
#include "rt/threads/sync_object.h"
#include "rt/core/pool.h"
#include "rt/fibers/sched.h"
#include "rt/core/text.h"

#define THREADS 1024 /* threads that are neither joined nor detached yet; with this many, no leak is reported */

/* A thread that the program has created and neither joined nor detached. */
struct made {
	uint64_t thread;
	uint32_t fiber;
	struct board_stack *created;
};

static struct {
	struct made made[THREADS];
	uint32_t nmade;
} state;

static bool is_known(const struct board *b, enum notice_kind kind, uint64_t key)
{
	for (uint32_t i = 0; i < b->nnotices; i++)
		if (b->notices[i].kind == kind && b->notices[i].key == key)
			return true;
	return false;
}

struct board_notice *notice_new(enum notice_kind kind, uint64_t key)
{
	struct board *b = omen.board;

	if (!mode_is(NOTICE) || omen.off || !omen.current || b->nnotices == BOARD_NOTICES || is_known(b, kind, key))
		return NULL;
	struct board_notice *n = &b->notices[b->nnotices++];
	n->kind = kind;
	n->key = key;
	n->seed = b->result.seed;
	n->nstacks = 0;
	n->message[0] = 0;
	b->new_notices = 1;
	return n;
}

/* ---- handlers of signals ---- */

/* The place in the program's own code.  If a library is between the place and the call, only the function counts. */
static uint64_t key_of(const struct board_stack *s, bool direct)
{
	for (uint32_t i = 0; i < s->depth; i++)
		if (object_counts(where_code((const void *)s->pc[i])))
			return direct && !i ? s->pc[i] : (uint64_t)_Unwind_FindEnclosingFunction((void *)s->pc[i]);
	return s->depth ? s->pc[0] : 1;
}

static _Unwind_Reason_Code look_for_handler(struct _Unwind_Context *context, void *found)
{
	if (_Unwind_GetRegionStart(context) != (uint64_t)signals_run_handler)
		return _URC_NO_REASON;
	*(bool *)found = true;
	return _URC_END_OF_STACK;
}

/* fiber.handling alone does not say it: a longjmp or an exception leaves a handler without a return. */
static bool is_handling(struct fiber *f)
{
	bool found = false;

	omen.off |= OFF_INSIDE; /* the unwinder has a lock */
	_Unwind_Backtrace(look_for_handler, &found);
	omen.off &= ~(uint32_t)OFF_INSIDE;
	if (!found) {
		f->handling = 0;
		omen.handling--;
	}
	return found;
}

void notice_unsafe_call(const char *what, bool direct)
{
	struct board_stack s;

	if (!omen.current || !omen.current->handling || !mode_is(NOTICE) || omen.off || !is_handling(omen.current))
		return;
	ending_stack(&s);
	struct board_notice *n = notice_new(NOTICE_SIGNAL_UNSAFE, key_of(&s, direct));
	if (!n)
		return;
	text_format(n->message, sizeof(n->message), "%s is used in a handler of signal %u, which is not safe", what,
	            omen.current->handling);
	n->stack[n->nstacks++] = s;
}

void notice_errno(int signal, const void *handler)
{
	struct board_notice *n = notice_new(NOTICE_SIGNAL_ERRNO, (uint64_t)handler);

	if (!n)
		return;
	text_format(n->message, sizeof(n->message), "the handler of signal %d changes errno, and does not put it back",
	            signal);
	n->stack[0] = (struct board_stack){.fiber = omen.current->id, .depth = 1, .pc = {(uint64_t)handler + 1}};
	n->nstacks = 1;
}

/* ---- threads that are neither joined nor detached ---- */

void notice_created(uint64_t thread)
{
	if (!mode_is(NOTICE) || omen.off || !omen.current || state.nmade == THREADS)
		return;
	struct made *m = &state.made[state.nmade++];
	*m = (struct made){.thread = thread, .fiber = omen.next_id - 1, .created = pool_alloc(sizeof(*m->created))};
	ending_stack(m->created);
}

void notice_joined(uint64_t thread)
{
	for (uint32_t i = 0; i < state.nmade; i++)
		if (state.made[i].thread == thread) {
			pool_free(state.made[i].created, sizeof(*state.made[i].created));
			state.made[i] = state.made[--state.nmade];
			return;
		}
}

static bool has_ended(const struct made *m)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->fs == m->thread)
			return false;
	return true;
}

void notice_leaks(void)
{
	for (uint32_t i = 0; i < state.nmade && state.nmade < THREADS; i++) {
		const struct made *m = &state.made[i];
		struct board_notice *n = has_ended(m) ? notice_new(NOTICE_THREAD_LEAK, key_of(m->created, true)) : NULL;
		if (!n)
			continue;
		text_format(n->message, sizeof(n->message), "T%u has ended, and nobody has joined or detached it",
		            m->fiber);
		n->stack[n->nstacks++] = *m->created;
	}
}
