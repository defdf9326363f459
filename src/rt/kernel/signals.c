/*
 * The kernel's handlers only note that a signal came; who gets it, and when, is decided at scheduling points, so that a
 * signal is an event like any other.  Faults are the exception: they belong to the instruction that made them.
 *
 * A signal that nobody handles and whose default is to end the process ends it at once, wherever the program is: there
 * is nothing to order.
 */
#include "rt/core/op.h"
#include "rt/kernel/signals.h"
#include "rt/kernel/above.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/arena.h"
#include "rt/shadow/cells.h"
#include "rt/ending/ending.h"
#include "rt/kernel/fd_set.h"
#include "rt/kernel/bad_pointers.h"
#include "rt/fibers/fiber.h"
#include "rt/memory/memory_check.h"
#include "rt/order/happens_before.h"
#include "rt/fibers/sched.h"
#include "rt/core/text.h"
#include "rt/memory/wild_pointer.h"

#define SIGNALS 64
#define BIT(n)  (1ul << ((n) - 1))

#define SIGNALS_END 0x656e64 /* a code that nobody else sends */

struct kernel_action {
	void (*handler)(int, siginfo_t *, void *);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

#define KERNEL_RESTORER 0x04000000

void arch_restorer(void);

static struct {
	struct kernel_action action[SIGNALS + 1]; /* as the program set them */
	uint64_t pending;                         /* for the process */
	uint64_t outside;                         /* that have come and are not let in yet */
	siginfo_t outside_info[SIGNALS + 1];
	siginfo_t info[SIGNALS + 1];
	struct held_signal *free;
	struct fdset signal_fds;
	bool restart;         /* the handlers of the last interruption all asked for SA_RESTART */
	volatile bool enough; /* was recorded; told at the next point */
	char altstack[65536] __attribute__((aligned(64)));
} state;

static const uint64_t faults = BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP);
static const uint64_t ignored_by_default = BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGCONT);
/* stopping and continuing stay the kernel's business, as do the two that cannot be caught */
static const uint64_t left_alone =
        BIT(SIGKILL) | BIT(SIGSTOP) | BIT(SIGTSTP) | BIT(SIGTTIN) | BIT(SIGTTOU) | BIT(SIGSYS) | BIT(SIGCONT);

static void set_kernel(int signal, void (*handler)(int, siginfo_t *, void *), uint64_t flags)
{
	struct kernel_action a = {handler, flags | SA_SIGINFO | KERNEL_RESTORER, arch_restorer, 0};

	raw4(SYS_rt_sigaction, signal, &a, NULL, 8);
}

void signals_install(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	set_kernel(signal, handler, SA_NODEFER | (uint64_t)flags);
}

void signals_die_of(int signal)
{
	uint64_t none = 0;
	struct kernel_action a = {.handler = (void *)SIG_DFL, .flags = KERNEL_RESTORER, .restorer = arch_restorer};

	raw4(SYS_rt_sigaction, signal, &a, NULL, 8);
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
	raw3(SYS_tgkill, raw0(SYS_getpid), raw0(SYS_gettid), signal);
	raw1(SYS_exit_group, 128 + signal);
	__builtin_unreachable();
}

static bool is_default(int signal) { return (void *)state.action[signal].handler == (void *)SIG_DFL; }
static bool is_ignored(int signal)
{
	return (void *)state.action[signal].handler == (void *)SIG_IGN ||
	       (is_default(signal) && (ignored_by_default & BIT(signal)));
}

bool signals_kills(int signal)
{
	bool blocked = true;

	for (uint32_t i = 0; i < omen.nlive; i++)
		blocked &= (omen.live[i]->mask & BIT(signal)) != 0;
	return is_default(signal) && !is_ignored(signal) && !blocked;
}

static const char *signal_name(int signal)
{
	static const char *const names[] = {
	        [SIGHUP] = "SIGHUP",
	        [SIGINT] = "SIGINT",
	        [SIGQUIT] = "SIGQUIT",
	        [SIGILL] = "illegal instruction",
	        [SIGTRAP] = "trap",
	        [SIGABRT] = "abort",
	        [SIGBUS] = "bus error",
	        [SIGFPE] = "arithmetic error",
	        [SIGSEGV] = "segmentation fault",
	        [SIGPIPE] = "SIGPIPE",
	        [SIGALRM] = "SIGALRM",
	        [SIGTERM] = "SIGTERM",
	        [SIGUSR1] = "SIGUSR1",
	        [SIGUSR2] = "SIGUSR2",
	        [SIGSYS] = "bad system call",
	};
	if (signal > 0 && (size_t)signal < sizeof(names) / sizeof(*names) && names[signal])
		return names[signal];
	return "a signal";
}

static void __attribute__((noreturn)) die_by_default(int signal)
{
	char what[80];

	text_format(what, sizeof(what), "killed by signal %d (%s)", signal, signal_name(signal));
	ending_crash(signal, what, 0);
}

/* ---- arrival from outside ---- */

static void end_soon(void)
{
	state.enough = true;
	omen.knocking = 1;
}

static void on_async(int signal, siginfo_t *info, void *context)
{
	(void)context;
	if (signal == TIMEOUT_SIGNAL && omen.board && info->si_pid == (pid_t)raw0(SYS_getppid)) {
		if (!omen.board->end_asked)
			ending_fail(ENDING_TIMEOUT, "still running after %lu ms", omen.board->config.timeout_ms);
		end_soon();
		return;
	}
	if (signal == SIGPIPE && world_is_replayed())
		return; /* it comes from showing output again; the recorded one is in the log */
	/* a recording wants to know when: at the next point, unless it does not come and the signal does again */
	bool deadly = !(omen.off & OFF_BEFORE) && is_default(signal) && !is_ignored(signal) &&
	              !(omen.current->mask & BIT(signal));
	if (deadly && signal == SIGINT && omen.board && omen.board->config.interruptible) {
		end_soon();
		return;
	}
	if (deadly && (!world_is_recorded() || state.outside & BIT(signal)))
		die_by_default(signal);
	state.outside_info[signal] = *info;
	__atomic_fetch_or(&state.outside, BIT(signal), __ATOMIC_RELAXED);
	omen.knocking = 1;
}

/*
 * The end of the recorded part stands in the log like a signal, so that a replay ends there; and with the time, as an
 * execution that leaves the recording is to end at about the same one.
 */
static void end_here(enum admission place)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = TIMEOUT_SIGNAL;
	info.si_code = SIGNALS_END;
	info.si_value.sival_ptr = (void *)omen.clock;
	world_signal(place, &info);
	ending_ended(place != ADMIT_IDLE);
}

bool signals_is_end(const siginfo_t *info, int64_t *clock)
{
	*clock = (int64_t)info->si_value.sival_ptr;
	return info->si_signo == TIMEOUT_SIGNAL && info->si_code == SIGNALS_END;
}

static void let_in(const siginfo_t *info)
{
	state.info[info->si_signo] = *info;
	state.pending |= BIT(info->si_signo);
	omen.signal_arrived = true;
}

/* A handler may run at any time; what follows from it does so only here, so that a recording can say when. */
void signals_admit(enum admission place)
{
	siginfo_t info;

	while (world_signal_again(place, &info)) {
		if (signals_is_end(&info, &(int64_t){0}))
			ending_ended(place != ADMIT_IDLE);
		let_in(&info);
	}
	if (!omen.knocking || world_is_replayed())
		return;
	omen.knocking = 0;
	uint64_t came = __atomic_exchange_n(&state.outside, 0, __ATOMIC_RELAXED);
	for (int s = 1; came; s++, came >>= 1) {
		if (!(came & 1))
			continue;
		info = state.outside_info[s];
		info.si_signo = s;
		world_signal(place, &info);
		let_in(&info);
	}
	if (state.enough && place != ADMIT_SENT)
		end_here(place);
}

/* ---- posting ---- */

static struct held_signal *held_new(void)
{
	struct held_signal *h = state.free;

	if (!h)
		return arena_alloc(sizeof(*h));
	state.free = h->next;
	return h;
}

static void hold(struct fiber *f, int signal, const siginfo_t *info)
{
	struct held_signal *h, **at = &f->signals;

	/* a standard signal that is already pending is lost, a real-time one queues */
	if (signal < 32 && (f->pending & BIT(signal)))
		return;
	h = held_new();
	h->info = *info;
	h->info.si_signo = signal;
	h->next = NULL;
	while (*at)
		at = &(*at)->next;
	*at = h;
	f->pending |= BIT(signal);
}

static bool waits_for_signal(const struct fiber *f, int signal)
{
	return f->state == FIBER_BLOCKED && f->wait.kind == WAIT_SIGNAL && f->wait.key &&
	       (*(const uint64_t *)f->wait.key & BIT(signal));
}

bool signals_interrupt(const struct fiber *f)
{
	uint64_t due = f->pending & ~f->mask;

	if (f->wait.kind == WAIT_SIGNAL && f->wait.key)
		due |= f->pending & *(const uint64_t *)f->wait.key;
	for (int s = 1; due && s <= SIGNALS; s++)
		if ((due & BIT(s)) && (!is_ignored(s) || waits_for_signal(f, s)))
			return true;
	return false;
}

static void nudge(struct fiber *f)
{
	if (f->state == FIBER_BLOCKED && !f->wait.uninterruptible && signals_interrupt(f))
		sched_unblock(f, WAIT_INTERRUPTED);
}

/* Who takes a signal to the process: one that waits for it, else the first that does not block it. */
static struct fiber *taker(int signal)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (waits_for_signal(omen.live[i], signal))
			return omen.live[i];
	if (!(omen.current->mask & BIT(signal)) && omen.current->state != FIBER_DONE)
		return omen.current;
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (!(omen.live[i]->mask & BIT(signal)))
			return omen.live[i];
	return NULL;
}

void signals_post(struct fiber *f, int signal, const siginfo_t *info)
{
	if (!f)
		f = taker(signal);
	if (!f) { /* everybody blocks it: the process keeps it */
		state.info[signal] = *info;
		state.pending |= BIT(signal);
		omen.signal_arrived = true;
		return;
	}
	if (is_ignored(signal) && !waits_for_signal(f, signal))
		return;
	hold(f, signal, info);
	nudge(f);
}

/* Hands what came for the process to fibers that can take it. */
static void distribute(void)
{
	uint64_t came = state.pending, kept = 0;

	state.pending = 0;
	omen.signal_arrived = false;
	for (int s = 1; came && s <= SIGNALS; s++) {
		if (!(came & BIT(s)))
			continue;
		came &= ~BIT(s);
		if (s == SIGCHLD)
			for (uint32_t i = 0; i < omen.nlive; i++)
				if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind == WAIT_CHILD)
					sched_unblock(omen.live[i], WAIT_WOKEN);
		struct fiber *f = taker(s);
		if (f)
			signals_post(f, s, &state.info[s]);
		else if (!is_ignored(s))
			kept |= BIT(s);
	}
	state.pending |= kept;
}

void signals_take_in(void)
{
	signals_admit(ADMIT_IDLE);
	if (omen.signal_arrived)
		distribute();
}

bool signals_expected(void)
{
	for (int s = 1; s <= SIGNALS; s++) {
		bool own = s == SIGABRT || s == 32 || s == 33; /* the last two are glibc's: cancellation, setuid */
		if (!((faults | left_alone) & BIT(s)) && !own && (s != SIGCHLD || omen.children) && !is_default(s) &&
		    !is_ignored(s))
			return true;
	}
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind == WAIT_SIGNAL)
			return true;
	return false;
}

/* ---- delivery ---- */

/* The lowest number first; of the same number, the oldest. */
static bool take(struct fiber *f, uint64_t among, siginfo_t *out)
{
	struct held_signal **best = NULL;

	for (struct held_signal **at = &f->signals; *at; at = &(*at)->next)
		if ((among & BIT((*at)->info.si_signo)) && (!best || (*at)->info.si_signo < (*best)->info.si_signo))
			best = at;
	if (!best)
		return false;
	struct held_signal *h = *best;
	*out = h->info;
	*best = h->next;
	h->next = state.free;
	state.free = h;
	f->pending = 0;
	for (h = f->signals; h; h = h->next)
		f->pending |= BIT(h->info.si_signo);
	order_acquire(&state.action[out->si_signo]);
	if (out->si_code == SI_TIMER || out->si_signo == SIGALRM)
		order_acquire(ORDER_TIMERS);
	return true;
}

__attribute__((noinline)) void signals_run_handler(siginfo_t *info)
{
	struct fiber *f = omen.current;
	int signal = info->si_signo;
	struct kernel_action a = state.action[signal];
	uint64_t before = f->mask;
	enum object_kind object_kind = f->object_kind;
	ucontext_t context;

	if (is_ignored(signal))
		return;
	if (is_default(signal))
		die_by_default(signal);
	if (!(a.flags & SA_RESTART))
		state.restart = false;
	if (a.flags & SA_RESETHAND)
		state.action[signal].handler = (void *)SIG_DFL;
	memset(&context, 0, sizeof(context));
	memcpy(&context.uc_sigmask, &before, sizeof(before));
	f->mask |= a.mask | (a.flags & SA_NODEFER ? 0 : BIT(signal));
	struct attempt *attempt = f->attempt;
	f->object_kind = OBJECT_NONE; /* the handler may never come back */
	f->attempt = NULL;
	OP(SIGNAL, .value = (uint64_t)signal);
	uint32_t handling = f->handling;
	int error = errno;
	omen.handling += !handling;
	f->handling = (uint32_t)signal;
	a.handler(signal, info, &context);
	if (unlikely(errno != error))
		notice_errno(signal, (const void *)a.handler);
	omen.handling -= f->handling && !handling;
	f->handling = handling;
	f->attempt = attempt;
	f->object_kind = object_kind;
	memcpy(&f->mask, &context.uc_sigmask, sizeof(f->mask)); /* a handler may change what is restored */
}

void signals_deliver(void)
{
	struct fiber *f = omen.current;
	siginfo_t info;

	if (omen.signal_arrived)
		distribute();
	while (take(f, ~f->mask, &info))
		signals_run_handler(&info);
}

void signals_forget_pending(void)
{
	state.pending = state.outside = 0;
	omen.knocking = 0;
	omen.signal_arrived = false;
	omen.current->pending = 0;
	omen.current->signals = NULL;
}

uint64_t signals_waiting(void) { return state.pending; }

bool signals_unblocked(void)
{
	if (omen.signal_arrived || state.pending)
		distribute();
	bool handled = signals_interrupt(omen.current);
	signals_deliver();
	return handled;
}

bool signals_restart(void)
{
	state.restart = true;
	signals_deliver();
	return state.restart;
}

/* ---- faults ---- */

/* The legacy area's reserved words say how much follows it. */
size_t signals_vectors_size(const ucontext_t *uc)
{
	const uint32_t *fp = (const uint32_t *)uc->uc_mcontext.fpregs;

	if (!fp)
		return 0;
	return fp[464 / 4] == 0x46505853 ? fp[468 / 4] : 512;
}

/* Moves the kernel's frame from our stack to the fiber's, where the program's own handler can run and leave by longjmp.
 */
static void redirect(int signal, siginfo_t *info, ucontext_t *uc)
{
	const struct kernel_action *a = &state.action[signal];
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

/* rdtsc is made to fault (PR_SET_TSC), so that the cycle counter is virtual too. */
static bool emulate_tsc(ucontext_t *uc)
{
	greg_t *regs = uc->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)regs[REG_RIP];
	uint64_t low = (uint64_t)env_reading() * 2;

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
	if (info->si_code <= 0) { /* sent, not made: like any other signal */
		on_async(signal, info, context);
		return;
	}
	if (signal == SIGSEGV && info->si_code == SI_KERNEL && emulate_tsc(uc))
		return;
	if (signal == SIGSEGV &&
	    (guard_fault((uint64_t)info->si_addr) || cells_fault((const uint8_t *)pc, (uint64_t)info->si_addr)))
		return;
	if (signal == SIGSEGV && pointers_fault((uint64_t)info->si_addr, uc))
		return;
	bool ours = pc >= omen.text_low && pc < omen.text_high;
	uint64_t meant = ours && signal == SIGSEGV ? wild_meant((uint64_t)info->si_addr) : 0;
	if (meant) {
		info->si_addr = (void *)meant;
		ours = false;
	}
	if (!is_default(signal) && !is_ignored(signal)) {
		redirect(signal, info, uc);
		return;
	}
	text_format(what, sizeof(what), "%s%s at address %p",
	            ours ? "in Omen's runtime, on the program's behalf: " : "", signal_name(signal), info->si_addr);
	if (signal == SIGFPE || signal == SIGILL || signal == SIGTRAP)
		text_format(what, sizeof(what), "%s%s", signal_name(signal),
		            signal == SIGFPE && info->si_code == FPE_INTDIV ? ": division by zero" : "");
	ending_crash(signal, what, (uint64_t)info->si_addr);
}

void signals_start(void)
{
	stack_t alt = {.ss_sp = state.altstack, .ss_size = sizeof(state.altstack)};
	struct kernel_action was = {0};
	sigset_t set;
	uint64_t none = 0;

	raw2(SYS_sigaltstack, &alt, NULL);
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &none, &set, 8);
	memcpy(&omen.current->mask, &set, 8);
	for (int s = 1; s <= SIGNALS; s++) {
		raw4(SYS_rt_sigaction, s, NULL, &was, 8);
		state.action[s] = was;
		if ((left_alone & BIT(s)) || (void *)was.handler == (void *)SIG_IGN)
			continue;
		if (faults & BIT(s))
			set_kernel(s, signals_fault, SA_NODEFER | SA_ONSTACK);
		else
			set_kernel(s, on_async, SA_RESTART);
	}
}

void signals_before_exec(void) { raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.current->mask, NULL, 8); }
void signals_after_exec(void) { raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.kernel_mask, NULL, 8); }

/* ---- the syscalls ---- */

long signals_action(struct call *c)
{
	int s = (int)c->arg[0];
	const struct kernel_action *new = (const void *)c->arg[1];
	struct kernel_action *old = (void *)c->arg[2];

	if (s < 1 || s > SIGNALS || (new && (s == SIGKILL || s == SIGSTOP)) || c->arg[3] != 8)
		return -EINVAL;
	struct kernel_action before = state.action[s];
	if (new) {
		order_release_too(&state.action[s]); /* whoever handles it knows what went before this */
		state.action[s] = *new;
		bool ignore = (void *)new->handler == (void *)SIG_IGN;
		if (s == SIGTSTP || s == SIGTTIN || s == SIGTTOU || s == SIGCONT) {
			if (ignore || (void *)new->handler == (void *)SIG_DFL)
				raw4(SYS_rt_sigaction, s, new, NULL, 8);
			else
				set_kernel(s, on_async, SA_RESTART);
		} else if (!(left_alone & BIT(s)) && !(faults & BIT(s))) {
			struct kernel_action k = {
			        .handler = (void *)SIG_IGN, .flags = KERNEL_RESTORER, .restorer = arch_restorer};
			if (ignore)
				raw4(SYS_rt_sigaction, s, &k, NULL, 8);
			else if (s == SIGCHLD)
				set_kernel(s, on_async, SA_RESTART | (new->flags &(SA_NOCLDSTOP | SA_NOCLDWAIT)));
			else
				set_kernel(s, on_async, SA_RESTART);
		}
	}
	if (old)
		*old = before;
	return 0;
}

long signals_mask(struct call *c)
{
	struct fiber *f = omen.current;
	const uint64_t *set = (const void *)c->arg[1];
	uint64_t *old = (void *)c->arg[2], before = f->mask;

	if (c->arg[3] != 8)
		return -EINVAL;
	if (set) {
		switch (c->arg[0]) {
		case SIG_BLOCK:
			f->mask |= *set;
			break;
		case SIG_UNBLOCK:
			f->mask &= ~*set;
			break;
		case SIG_SETMASK:
			f->mask = *set;
			break;
		default:
			return -EINVAL;
		}
		f->mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP));
	}
	if (old)
		*old = before;
	if (set && (before & ~f->mask)) {
		if (state.pending)
			omen.signal_arrived = true;
		if (!(omen.off & OFF_ENDED) && (omen.signal_arrived || f->pending))
			signals_deliver();
	}
	return 0;
}

long signals_pending(struct call *c)
{
	*(uint64_t *)c->arg[0] = (omen.current->pending | state.pending) & omen.current->mask;
	return 0;
}

static long wait_for_any(struct call *c, uint64_t mask)
{
	struct fiber *f = omen.current;
	uint64_t before = f->mask;

	f->mask = mask;
	if (omen.signal_arrived || state.pending)
		distribute();
	if (!signals_interrupt(f)) {
		f->wait = (struct wait){.kind = WAIT_SIGNAL, .deadline = NEVER};
		sched_block(c->where);
	}
	siginfo_t info;
	/* the handlers run with the temporary mask; only then does the old one come back */
	while (take(f, ~f->mask, &info))
		signals_run_handler(&info);
	f->mask = before;
	return -EINTR;
}

long signals_suspend(struct call *c) { return wait_for_any(c, *(const uint64_t *)c->arg[0]); }
long signals_pause(struct call *c) { return wait_for_any(c, omen.current->mask); }

long signals_timedwait(struct call *c)
{
	struct fiber *f = omen.current;
	uint64_t set = *(const uint64_t *)c->arg[0];
	siginfo_t info, *out = (void *)c->arg[1];
	const struct timespec *timeout = (const void *)c->arg[2];
	int64_t deadline = timeout ? env_deadline(CLOCK_MONOTONIC, timeout, false) : NEVER;

	sched_point(POINT_SYNC, c->where);
	for (;;) {
		for (int s = 1; s <= SIGNALS; s++) /* what the process keeps because all block it */
			if ((state.pending & BIT(s)) && (set & BIT(s))) {
				state.pending &= ~BIT(s);
				hold(f, s, &state.info[s]);
			}
		if (take(f, set, &info)) {
			if (out)
				*out = info;
			return info.si_signo;
		}
		if (timeout && !timeout->tv_sec && !timeout->tv_nsec)
			return -EAGAIN;
		f->wait = (struct wait){.kind = WAIT_SIGNAL, .key = &set, .deadline = deadline};
		enum wait_result r = sched_block(c->where);
		if (r == WAIT_TIMEOUT)
			return -EAGAIN;
		if (r == WAIT_INTERRUPTED && !(f->pending & set)) {
			signals_deliver();
			return -EINTR;
		}
	}
}

long signals_altstack(struct call *c)
{
	const stack_t *new = (const void *)c->arg[0];
	stack_t *old = (void *)c->arg[1], *have = &omen.current->altstack;

	if (old) {
		*old = *have;
		if (!have->ss_size)
			old->ss_flags = SS_DISABLE;
	}
	if (new) {
		if (!(new->ss_flags &SS_DISABLE) && new->ss_size < 2048)
			return -ENOMEM;
		*have = *new;
		if (new->ss_flags & SS_DISABLE)
			have->ss_size = 0;
	}
	return 0;
}

static siginfo_t sent_by_us(int signal, int code)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = signal;
	info.si_code = code;
	info.si_pid = (pid_t)omen.pid;
	info.si_uid = (uid_t)raw0(SYS_getuid);
	return info;
}

/* A thread-directed signal: to a fiber of ours. */
static long send_to_thread(struct call *c, uint32_t tid, int signal, const siginfo_t *info)
{
	struct fiber *f = fiber_by_tid(tid);

	if (signal < 0 || signal > SIGNALS)
		return -EINVAL;
	if (!f)
		return -ESRCH;
	if (signal && (left_alone & BIT(signal)) && signal != SIGSYS && is_default(signal))
		return raw2(SYS_kill, raw0(SYS_getpid), signal);
	if (signal) {
		if (f == omen.current && (faults & BIT(signal)) && is_default(signal) && !(f->mask & BIT(signal)))
			die_by_default(signal);
		order_release_too(&state.action[signal]);
		signals_post(f, signal, info);
		if (f == omen.current && omen.current->pending)
			signals_deliver();
		sched_point(POINT_SYNC, c->where);
	}
	return 0;
}

long signals_tkill(struct call *c)
{
	siginfo_t info = sent_by_us((int)c->arg[1], SI_TKILL);

	return send_to_thread(c, (uint32_t)c->arg[0], (int)c->arg[1], &info);
}

long signals_tgkill(struct call *c)
{
	siginfo_t info = sent_by_us((int)c->arg[2], SI_TKILL);

	if (!is_our_pid((int)c->arg[0]))
		return env_pass(c);
	return send_to_thread(c, (uint32_t)c->arg[1], (int)c->arg[2], &info);
}

long signals_tgqueueinfo(struct call *c)
{
	if (!is_our_pid((int)c->arg[0]))
		return env_pass(c);
	return send_to_thread(c, (uint32_t)c->arg[1], (int)c->arg[2], (const siginfo_t *)c->arg[3]);
}

static long send_to_self(struct call *c, int signal, const siginfo_t *info)
{
	if (signal < 0 || signal > SIGNALS)
		return -EINVAL;
	if (!signal)
		return 0;
	order_release_too(&state.action[signal]);
	order_release_too(ORDER_OTHERS); /* a signalfd may get it */
	order_release_too(ORDER_ANY);
	if (signal == SIGKILL || signal == SIGSTOP || (omen.kernel_mask & BIT(signal)) || (left_alone & BIT(signal)))
		return raw2(SYS_kill, raw0(SYS_getpid), signal);
	signals_post(NULL, signal, info);
	if (omen.current->pending)
		signals_deliver();
	sched_point(POINT_SYNC, c->where);
	return 0;
}

long signals_kill(struct call *c)
{
	siginfo_t info = sent_by_us((int)c->arg[1], SI_USER);

	if (is_our_pid((int)c->arg[0]))
		return send_to_self(c, (int)c->arg[1], &info);
	struct call real = *c;
	if (is_our_pid(-(int)c->arg[0])) /* our own group, by the id we gave ourselves */
		real.arg[0] = -raw0(SYS_getpid);
	long r = env_pass(&real);
	signals_admit(ADMIT_SENT);
	if (omen.signal_arrived)
		signals_deliver();
	return r;
}

long signals_queueinfo(struct call *c)
{
	if (is_our_pid((int)c->arg[0]))
		return send_to_self(c, (int)c->arg[1], (const siginfo_t *)c->arg[2]);
	return env_pass(c);
}

/* What a signalfd is to read must stay with the kernel: such signals are blocked for real, and sent for real. */
long signals_fd(struct call *c)
{
	omen.kernel_mask |= *(const uint64_t *)c->arg[1];
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.kernel_mask, NULL, 8);
	long fd = env_pass(c);
	fdset_put(&state.signal_fds, fd, true);
	return fd;
}

void signals_after_read(int fd, void *buffer, long size)
{
	struct signalfd_siginfo *info = buffer;

	if (!fdset_has(&state.signal_fds, fd))
		return;
	for (; size >= (long)sizeof(*info); size -= (long)sizeof(*info), info++)
		if (info->ssi_pid == (uint32_t)raw0(SYS_getpid))
			info->ssi_pid = omen.pid;
}

void signals_forget_fd(int fd) { fdset_put(&state.signal_fds, fd, false); }
