/*
 * Syscall User Dispatch: the kernel turns every syscall outside of libomen's own text into a SIGSYS.  The handler
 * answers the call, and may switch fibers while it does: the signal frame stays on the fiber's stack.  A trap costs 2
 * µs.
 */
#include "rt/core/op.h"
#include "rt/fibers/above.h"
#include "rt/kernel/kernel.h"

#include <errno.h>
#include <sys/prctl.h>

#include "abi/syscall_names.h"
#include "rt/core/arch/x86_64/raw.h"
#include "rt/memory/memory_check.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/bad_pointers.h"
#include "rt/kernel/signals.h"
#include "rt/kernel/undo_calls.h"
#include "rt/kernel/untrapped.h"
#include "rt/kernel/above.h"
#include "rt/fibers/sched.h"
#include "rt/core/text.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON           1
#endif
#define SYS_USER_DISPATCH_CODE 2 /* si_code */

typedef long (*answer)(struct call *);

/* What others may notice of a call, and so of the step that it is part of (observe/step_record.h). */
enum step { STEP_OF_ITS_OWN, STEP_NONE, STEP_UNCLEAR };

/* clang-format off */
static const struct row {
	answer answer;
	uint8_t step;
} rows[SYSCALLS_MAX] = {
#define CALL(name, ...)  [SYS_##name] = {__VA_ARGS__},
#define KERNEL(function) .answer = function,
#define NO_STEP          .step = STEP_NONE,
#define UNCLEAR_STEP     .step = STEP_UNCLEAR,
#include "rt/kernel/syscalls.h"
};
/* clang-format on */

static const struct row *row_of(long nr)
{
	static const struct row passed_on;

	return nr >= 0 && nr < SYSCALLS_MAX ? &rows[nr] : &passed_on;
}

long kernel_pass(const struct call *c)
{
	omen.progress++;
	return world_call(c->nr, c->arg);
}

/*
 * Notes what others may notice of the call, and makes a point before it.  Some calls are noted where they are
 * answered.
 */
static COLD void note_step(const struct call *c)
{
	switch (row_of(c->nr)->step) {
	case STEP_NONE:
		return;
	case STEP_UNCLEAR:
		OP(UNCLEAR, .object = "there are processes or signals");
		return;
	default:
		sched_point(POINT_SYNC, c->where);
		OP(OUTSIDE, .value = 1);
	}
}

static COLD long answer_step(struct call *c, answer a)
{
	uint64_t within = OP(IN_CALL);

	note_step(c);
	long r = a ? bad_pointers_try(c, a) : kernel_pass(c);
	OP(CALL, .value = within);
	return r;
}

long kernel_call(struct call *c)
{
	answer a = row_of(c->nr)->answer;
	long error;

	invariants_point();
	if (unlikely(bad_pointers_refuse(c, &error)))
		return error;
	long r;
	if (unlikely(mode_is(STEPS))) {
		r = answer_step(c, a);
	} else {
		OP(SYSCALL, .object = c);
		r = a ? bad_pointers_try(c, a) : kernel_pass(c);
		OP(SYSCALL_OVER, .object = c, .value = (uint64_t)r);
	}
	if (mode_is(REWINDS))
		undo_note_call(c, r);
	return r;
}

static void on_syscall(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	greg_t *regs = uc->uc_mcontext.gregs;

	if (info->si_code != SYS_USER_DISPATCH_CODE) {
		signals_fault(signal, info, context);
		return;
	}
	struct call call = {
	        .nr = info->si_syscall,
	        .arg = {regs[REG_RDI], regs[REG_RSI], regs[REG_RDX], regs[REG_R10], regs[REG_R8], regs[REG_R9]},
	        .context = uc,
	        .where = (uint64_t)regs[REG_RIP] * 2 + 1,
	};
	untrapped_learn(call.nr, call.where);
	struct entry outer = current_fiber->entry;
	current_fiber->entry = (struct entry){.call = &call, .where = call.where};
	regs[REG_RAX] = kernel_call(&call);
	current_fiber->entry = outer;
	/*
	 * the frame restores the mask of the moment of the trap, but masks are virtual: the kernel's mask is set by
	 * the runtime
	 */
	__builtin_memcpy(&uc->uc_sigmask, &omen.kernel_mask, sizeof(omen.kernel_mask));
}

void kernel_arm(void)
{
	static volatile char selector = 1; /* block: no syscall outside of our text goes through */

	static bool installed; /* a fork inherits the handler, but not the dispatch */
	if (!installed)
		signals_install(SIGSYS, on_syscall, 0);
	installed = true;
	long r = raw5(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, omen.text_low,
	              omen.text_high - omen.text_low, &selector);
	if (r == -EINVAL)
		text_die("this kernel has no Syscall User Dispatch (Linux 5.11 and later, x86-64); programs built with "
		         "omen cc "
		         "cannot run here");
	if (r < 0)
		text_die("cannot switch on Syscall User Dispatch (error %ld)", -r);
}
