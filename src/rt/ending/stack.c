#include "rt/ending/stack.h"

#include <unwind.h>

#include "rt/core/pool.h"
#include "rt/ending/above.h"

static struct board_stack *wanted; /* ending_dump_stack() writes here */

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *arg)
{
	struct board_stack *s = arg;

	if (s->depth == sizeof(s->pc) / sizeof(*s->pc))
		return _URC_END_OF_STACK;
	int is_next; /* pc is executed next; otherwise pc is a return address, and the call before it is meant */
	uint64_t pc = _Unwind_GetIPInfo(context, &is_next);
	if (pc < omen.text_low || pc >= omen.text_high) {
		s->pc[s->depth] = pc - (!s->depth && !is_next);
		s->depth++;
	}
	return _URC_NO_REASON;
}

/* The trail is a hash of the return addresses; each lies at the end of the stack of the code to which it returns. */
static uint64_t trail_step(uint64_t hash, uint64_t pc) { return (hash ^ pc) * 0x9e3779b97f4a7c15u; }

static void add_to_trail(struct _Unwind_Context *context, struct ending_trail *t)
{
	uint64_t at = _Unwind_GetCFA(context) - 8, pc = _Unwind_GetIP(context);
	uint64_t last = t->n ? t->frame + t->at[t->n - 1] : t->frame;

	if (t->lost || at <= t->frame)
		return;
	t->lost = at <= last || at - t->frame > UINT32_MAX || t->n == sizeof(t->at) / sizeof(*t->at) ||
	          *(const uint64_t *)at != pc;
	if (t->lost)
		return;
	t->at[t->n++] = (uint32_t)(at - t->frame);
	t->hash = trail_step(t->hash, pc);
}

struct trailing {
	struct board_stack *stack;
	struct ending_trail *trail;
};

static _Unwind_Reason_Code add_frame_and_trail(struct _Unwind_Context *context, void *arg)
{
	struct trailing *both = arg;
	_Unwind_Reason_Code code = add_frame(context, both->stack);

	if (code == _URC_NO_REASON)
		add_to_trail(context, both->trail);
	return code;
}

void ending_dump_stack(void)
{
	_Unwind_Backtrace(add_frame, wanted);
	fiber_switch(omen.dumping);
}

static void take_stack(struct board_stack *s, _Unwind_Trace_Fn add, void *arg)
{
	s->fiber = omen.current->id;
	s->depth = 0;
	omen.off |= OFF_INSIDE; /* the unwinder has a lock */
	_Unwind_Backtrace(add, arg);
	omen.off &= ~(uint32_t)OFF_INSIDE;
}

void ending_stack(struct board_stack *s) { take_stack(s, add_frame, s); }

uint64_t ending_caller(void)
{
	struct board_stack *s = pool_alloc(sizeof(*s)); /* not on the stack, which may be small here */

	ending_stack(s);
	uint64_t pc = s->depth ? s->pc[0] : 0;
	pool_free(s, sizeof(*s));
	return pc;
}

void ending_stack_with_trail(struct board_stack *s, struct ending_trail *t, const void *frame)
{
	*t = (struct ending_trail){.frame = (uint64_t)frame};
	take_stack(s, add_frame_and_trail, &(struct trailing){s, t});
}

bool ending_is_on_trail(const struct ending_trail *t, const void *frame)
{
	uint64_t hash = 0;

	if (t->lost || !t->n || t->frame != (uint64_t)frame)
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		hash = trail_step(hash, *(const uint64_t *)(t->frame + t->at[i]));
	return hash == t->hash;
}

void ending_unwind(struct board_stack *s) { _Unwind_Backtrace(add_frame, s); }

void ending_stack_of(struct fiber *f, struct board_stack *s)
{
	wanted = s;
	omen.dumping = omen.current;
	fiber_switch(f);
	omen.dumping = NULL;
}
