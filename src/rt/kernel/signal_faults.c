/* Faults of the program: its own handler runs, or the execution ends with a report of the crash. */
#include "rt/kernel/signal_state.h"

#include <string.h>

#include "rt/core/text.h"
#include "rt/ending/ending.h"
#include "rt/fibers/sched.h"
#include "rt/kernel/bad_pointers.h"
#include "rt/memory/memory_check.h"
#include "rt/memory/wild_pointer.h"
#include "rt/shadow/cells.h"

/* Reserved words in the legacy area say how much follows it. */
size_t signals_vectors_size(const ucontext_t *uc)
{
	const uint32_t *fp = (const uint32_t *)uc->uc_mcontext.fpregs;

	if (!fp)
		return 0;
	return fp[464 / 4] == 0x46505853 ? fp[468 / 4] : 512;
}

/*
 * Copies the kernel's frame from the runtime's stack to the fiber's, where the program's handler can run and leave
 * with longjmp.
 */
static void redirect(int signal, siginfo_t *info, ucontext_t *uc)
{
	const struct kernel_action *a = &signals.action[signal];
	stack_t *alt = &omen.current->altstack;
	uint64_t sp = (uint64_t)uc->uc_mcontext.gregs[REG_RSP] - 128;
	size_t fp_size = signals_vectors_size(uc);
	const void *fp = uc->uc_mcontext.fpregs;

	if ((a->flags & SA_ONSTACK) && alt->ss_size && !(alt->ss_flags & SS_DISABLE))
		sp = (uint64_t)alt->ss_sp + alt->ss_size;
	sp = (sp - fp_size) & ~63ul;
	void *fp_copy = (void *)sp;
	siginfo_t *info_copy = (void *)((sp - sizeof(siginfo_t)) & ~15ul);
	ucontext_t *copy = (void *)(((uint64_t)info_copy - sizeof(ucontext_t)) & ~15ul);
	if (fp)
		memcpy(fp_copy, fp, fp_size);
	*info_copy = *info;
	memcpy(copy, uc, sizeof(*copy));
	copy->uc_mcontext.fpregs = fp ? fp_copy : NULL;
	uint64_t *ret = (uint64_t *)copy - 1;
	*ret = (uint64_t)arch_restorer;
	omen.current->attempt = NULL;
	greg_t *regs = uc->uc_mcontext.gregs;
	regs[REG_RSP] = (greg_t)ret;
	regs[REG_RIP] = (greg_t)a->handler;
	regs[REG_RDI] = signal;
	regs[REG_RSI] = (greg_t)info_copy;
	regs[REG_RDX] = (greg_t)copy;
	regs[REG_RAX] = 0;
	regs[REG_EFL] &= ~0x400;
}

/* rdtsc faults (PR_SET_TSC), so that the cycle counter is virtual too. */
static bool emulate_tsc(ucontext_t *uc)
{
	greg_t *regs = uc->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)regs[REG_RIP];
	uint64_t low = (uint64_t)kernel_monotonic_reading() * 2;

	if (code[0] == 0x0f && code[1] == 0x31) {
		regs[REG_RIP] += 2;
	} else if (code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9) {
		regs[REG_RIP] += 3;
		regs[REG_RCX] = 0;
	} else {
		return false;
	}
	sched_spend(1000);
	omen.progress++;
	regs[REG_RAX] = (greg_t)(low & 0xffffffff);
	regs[REG_RDX] = (greg_t)(low >> 32);
	return true;
}

void signals_fault(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	uint64_t pc = (uint64_t)uc->uc_mcontext.gregs[REG_RIP];
	char what[160];

	if (wild_fault(uc))
		return;
	if ((omen.off & OFF_BEFORE))
		signals_die_of(signal);
	if (info->si_code <= 0) { /* kill has sent it: it is a signal like any other */
		signals_on_async(signal, info, context);
		return;
	}
	if (signal == SIGSEGV && info->si_code == SI_KERNEL && emulate_tsc(uc))
		return;
	if (signal == SIGSEGV &&
	    (memory_fault((uint64_t)info->si_addr) || cells_fault((const uint8_t *)pc, (uint64_t)info->si_addr)))
		return;
	if (signal == SIGSEGV && bad_pointers_fault((uint64_t)info->si_addr, uc))
		return;
	bool ours = pc >= omen.text_low && pc < omen.text_high;
	uint64_t meant = ours && signal == SIGSEGV ? wild_meant((uint64_t)info->si_addr) : 0;
	if (meant) {
		info->si_addr = (void *)meant;
		ours = false;
	}
	if (!signals_is_default(signal) && !signals_is_ignored(signal)) {
		redirect(signal, info, uc);
		return;
	}
	text_format(what, sizeof(what), "%s%s at address %p",
	            ours ? "in Omen's runtime, on the program's behalf: " : "", signals_name(signal), info->si_addr);
	if (signal == SIGFPE || signal == SIGILL || signal == SIGTRAP)
		text_format(what, sizeof(what), "%s%s", signals_name(signal),
		            signal == SIGFPE && info->si_code == FPE_INTDIV ? ": division by zero" : "");
	ending_crash(signal, what, (uint64_t)info->si_addr);
}
