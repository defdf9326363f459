/*
 * Signals.  The kernel's handlers only note that a signal came (signal_arrival.c).  Who gets it, and when, is decided
 * at scheduling points.  Faults are the exception: they belong to the instruction that caused them (signal_faults.c).
 *
 * A signal without a handler whose default ends the process ends it at once, wherever the program is: there is
 * nothing to order.
 */
#include "rt/kernel/signal_state.h"

#include <errno.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/arena.h"
#include "rt/core/op.h"
#include "rt/core/text.h"
#include "rt/ending/ending.h"
#include "rt/fibers/fiber.h"
#include "rt/fibers/sched.h"
#include "rt/kernel/above.h"
#include "rt/order/happens_before.h"

struct signals signals;

static struct {
	struct held_signal *free;
	bool restart; /* all handlers of the last interruption asked for SA_RESTART */
	char altstack[65536] __attribute__((aligned(64)));
} state;

/* ---- actions ---- */

void signals_set_kernel(int signal, void (*handler)(int, siginfo_t *, void *), uint64_t flags)
{
	struct kernel_action a = {handler, flags | SA_SIGINFO | KERNEL_RESTORER, arch_restorer, 0};

	raw4(SYS_rt_sigaction, signal, &a, NULL, 8);
}

void signals_install(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	signals_set_kernel(signal, handler, SA_NODEFER | (uint64_t)flags);
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

bool signals_kills(int signal)
{
	bool blocked = true;

	for (uint32_t i = 0; i < omen.nlive; i++)
		blocked &= (omen.live[i]->mask & BIT(signal)) != 0;
	return signals_is_default(signal) && !signals_is_ignored(signal) && !blocked;
}

const char *signals_name(int signal)
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

void signals_die_by_default(int signal)
{
	char what[80];

	text_format(what, sizeof(what), "killed by signal %d (%s)", signal, signals_name(signal));
	ending_crash(signal, what, 0);
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

void signals_hold(struct fiber *f, int signal, const siginfo_t *info)
{
	struct held_signal *h, **at = &f->signals;

	/* a standard signal that is already pending is lost, a real-time signal queues */
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
		if ((due & BIT(s)) && (!signals_is_ignored(s) || waits_for_signal(f, s)))
			return true;
	return false;
}

static void interrupt_wait(struct fiber *f)
{
	if (f->state == FIBER_BLOCKED && !f->wait.uninterruptible && signals_interrupt(f))
		sched_unblock(f, WAIT_INTERRUPTED);
}

/*
 * Who takes a signal for the process: a fiber that waits for it, else the running one, else the first that does not
 * block it.
 */
static struct fiber *fiber_to_take(int signal)
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
		f = fiber_to_take(signal);
	if (!f) { /* every fiber blocks it: the process keeps it */
		signals.info[signal] = *info;
		signals.pending |= BIT(signal);
		omen.signal_arrived = true;
		return;
	}
	if (signals_is_ignored(signal) && !waits_for_signal(f, signal))
		return;
	signals_hold(f, signal, info);
	interrupt_wait(f);
}

void signals_distribute(void)
{
	uint64_t came = signals.pending, kept = 0;

	signals.pending = 0;
	omen.signal_arrived = false;
	for (int s = 1; came && s <= SIGNALS; s++) {
		if (!(came & BIT(s)))
			continue;
		came &= ~BIT(s);
		if (s == SIGCHLD)
			for (uint32_t i = 0; i < omen.nlive; i++)
				if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind == WAIT_CHILD)
					sched_unblock(omen.live[i], WAIT_WOKEN);
		struct fiber *f = fiber_to_take(s);
		if (f)
			signals_post(f, s, &signals.info[s]);
		else if (!signals_is_ignored(s))
			kept |= BIT(s);
	}
	signals.pending |= kept;
}

void signals_take_in(void)
{
	signals_admit(ADMIT_IDLE);
	if (omen.signal_arrived)
		signals_distribute();
}

bool signals_expected(void)
{
	for (int s = 1; s <= SIGNALS; s++) {
		bool own = s == SIGABRT || s == 32 || s == 33; /* glibc uses 32 and 33: cancellation, setuid */
		if (!((FAULTS | LEFT_ALONE) & BIT(s)) && !own && (s != SIGCHLD || omen.children) &&
		    !signals_is_default(s) && !signals_is_ignored(s))
			return true;
	}
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind == WAIT_SIGNAL)
			return true;
	return false;
}

/* ---- delivery ---- */

/* The lowest number first; of one number the oldest. */
bool signals_take(struct fiber *f, uint64_t among, siginfo_t *out)
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
	order_acquire(&signals.action[out->si_signo]);
	if (out->si_code == SI_TIMER || out->si_signo == SIGALRM)
		order_acquire(ORDER_TIMERS);
	return true;
}

__attribute__((noinline)) void signals_run_handler(siginfo_t *info)
{
	struct fiber *f = omen.current;
	int signal = info->si_signo;
	struct kernel_action a = signals.action[signal];
	uint64_t before = f->mask;
	enum object_kind object_kind = f->object_kind;
	ucontext_t context;

	if (signals_is_ignored(signal))
		return;
	if (signals_is_default(signal))
		signals_die_by_default(signal);
	if (!(a.flags & SA_RESTART))
		state.restart = false;
	if (a.flags & SA_RESETHAND)
		signals.action[signal].handler = (void *)SIG_DFL;
	memset(&context, 0, sizeof(context));
	memcpy(&context.uc_sigmask, &before, sizeof(before));
	f->mask |= a.mask | (a.flags & SA_NODEFER ? 0 : BIT(signal));
	struct attempt *attempt = f->attempt;
	f->object_kind = OBJECT_NONE; /* the handler may leave with longjmp */
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
	memcpy(&f->mask, &context.uc_sigmask, sizeof(f->mask)); /* a handler may change the mask that is restored */
}

void signals_deliver(void)
{
	struct fiber *f = omen.current;
	siginfo_t info;

	if (omen.signal_arrived)
		signals_distribute();
	while (signals_take(f, ~f->mask, &info))
		signals_run_handler(&info);
}

void signals_forget_pending(void)
{
	signals.pending = 0;
	signals_forget_arrived();
	omen.signal_arrived = false;
	omen.current->pending = 0;
	omen.current->signals = NULL;
}

uint64_t signals_waiting(void) { return signals.pending; }

bool signals_unblocked(void)
{
	if (omen.signal_arrived || signals.pending)
		signals_distribute();
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

/* ---- taking over the process, and giving it back ---- */

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
		signals.action[s] = was;
		if ((LEFT_ALONE & BIT(s)) || (void *)was.handler == (void *)SIG_IGN)
			continue;
		if (FAULTS & BIT(s))
			signals_set_kernel(s, signals_fault, SA_NODEFER | SA_ONSTACK);
		else
			signals_set_kernel(s, signals_on_async, SA_RESTART);
	}
}

void signals_before_exec(void) { raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.current->mask, NULL, 8); }
void signals_after_exec(void) { raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.kernel_mask, NULL, 8); }
