/* Calls about signals: actions, masks, waiting, sending. */
#include "rt/kernel/signal_state.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/fibers/fiber.h"
#include "rt/fibers/sched.h"
#include "rt/kernel/fd_set.h"
#include "rt/order/happens_before.h"

static struct fdset signal_fds;

/* ---- actions and masks ---- */

long signals_action(struct call *c)
{
	int s = (int)c->arg[0];
	const struct kernel_action *new = (const void *)c->arg[1];
	struct kernel_action *old = (void *)c->arg[2];

	if (s < 1 || s > SIGNALS || (new && (s == SIGKILL || s == SIGSTOP)) || c->arg[3] != 8)
		return -EINVAL;
	struct kernel_action before = signals.action[s];
	if (new) {
		order_release_too(
		        &signals.action[s]); /* whoever handles the signal knows what was done before this call */
		signals.action[s] = *new;
		bool ignore = (void *)new->handler == (void *)SIG_IGN;
		if (s == SIGTSTP || s == SIGTTIN || s == SIGTTOU || s == SIGCONT) {
			if (ignore || (void *)new->handler == (void *)SIG_DFL)
				raw4(SYS_rt_sigaction, s, new, NULL, 8);
			else
				signals_set_kernel(s, signals_on_async, SA_RESTART);
		} else if (!(LEFT_ALONE & BIT(s)) && !(FAULTS & BIT(s))) {
			struct kernel_action k = {
			        .handler = (void *)SIG_IGN, .flags = KERNEL_RESTORER, .restorer = arch_restorer};
			if (ignore)
				raw4(SYS_rt_sigaction, s, &k, NULL, 8);
			else if (s == SIGCHLD)
				signals_set_kernel(s, signals_on_async,
				                   SA_RESTART | (new->flags &(SA_NOCLDSTOP | SA_NOCLDWAIT)));
			else
				signals_set_kernel(s, signals_on_async, SA_RESTART);
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
		if (signals.pending)
			omen.signal_arrived = true;
		if (!(omen.off & OFF_ENDED) && (omen.signal_arrived || f->pending))
			signals_deliver();
	}
	return 0;
}

long signals_pending(struct call *c)
{
	*(uint64_t *)c->arg[0] = (omen.current->pending | signals.pending) & omen.current->mask;
	return 0;
}

/* ---- waiting ---- */

static long wait_for_any(struct call *c, uint64_t mask)
{
	struct fiber *f = omen.current;
	uint64_t before = f->mask;

	f->mask = mask;
	if (omen.signal_arrived || signals.pending)
		signals_distribute();
	if (!signals_interrupt(f)) {
		f->wait = (struct wait){.kind = WAIT_SIGNAL, .deadline = NEVER};
		sched_block(c->where);
	}
	siginfo_t info;
	/* the handlers run with the temporary mask; after that the old one comes back */
	while (signals_take(f, ~f->mask, &info))
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
	int64_t deadline = timeout ? kernel_deadline(CLOCK_MONOTONIC, timeout, false) : NEVER;

	sched_point(POINT_SYNC, c->where);
	for (;;) {
		for (int s = 1; s <= SIGNALS; s++) /* what the process keeps because every fiber blocks it */
			if ((signals.pending & BIT(s)) && (set & BIT(s))) {
				signals.pending &= ~BIT(s);
				signals_hold(f, s, &signals.info[s]);
			}
		if (signals_take(f, set, &info)) {
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

/* ---- sending ---- */

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

/* A signal for a thread of this process. */
static long send_to_thread(struct call *c, uint32_t tid, int signal, const siginfo_t *info)
{
	struct fiber *f = fiber_by_tid(tid);

	if (signal < 0 || signal > SIGNALS)
		return -EINVAL;
	if (!f)
		return -ESRCH;
	if (signal && (LEFT_ALONE & BIT(signal)) && signal != SIGSYS && signals_is_default(signal))
		return raw2(SYS_kill, raw0(SYS_getpid), signal);
	if (signal) {
		if (f == omen.current && (FAULTS & BIT(signal)) && signals_is_default(signal) &&
		    !(f->mask & BIT(signal)))
			signals_die_by_default(signal);
		order_release_too(&signals.action[signal]);
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
		return kernel_pass(c);
	return send_to_thread(c, (uint32_t)c->arg[1], (int)c->arg[2], &info);
}

long signals_tgqueueinfo(struct call *c)
{
	if (!is_our_pid((int)c->arg[0]))
		return kernel_pass(c);
	return send_to_thread(c, (uint32_t)c->arg[1], (int)c->arg[2], (const siginfo_t *)c->arg[3]);
}

static long send_to_self(struct call *c, int signal, const siginfo_t *info)
{
	if (signal < 0 || signal > SIGNALS)
		return -EINVAL;
	if (!signal)
		return 0;
	order_release_too(&signals.action[signal]);
	order_release_too(ORDER_OTHERS); /* a signalfd may get it */
	order_release_too(ORDER_ANY);
	if (signal == SIGKILL || signal == SIGSTOP || (omen.kernel_mask & BIT(signal)) || (LEFT_ALONE & BIT(signal)))
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
	if (is_our_pid(-(int)c->arg[0])) /* our own group, by the virtual id */
		real.arg[0] = -raw0(SYS_getpid);
	long r = kernel_pass(&real);
	signals_admit(ADMIT_SENT);
	if (omen.signal_arrived)
		signals_deliver();
	return r;
}

long signals_queueinfo(struct call *c)
{
	if (is_our_pid((int)c->arg[0]))
		return send_to_self(c, (int)c->arg[1], (const siginfo_t *)c->arg[2]);
	return kernel_pass(c);
}

/* A signalfd reads from the kernel: so such signals are blocked and sent for real. */
long signals_fd(struct call *c)
{
	omen.kernel_mask |= *(const uint64_t *)c->arg[1];
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.kernel_mask, NULL, 8);
	long fd = kernel_pass(c);
	fdset_put(&signal_fds, fd, true);
	return fd;
}

void signals_after_read(int fd, void *buffer, long size)
{
	struct signalfd_siginfo *info = buffer;

	if (!fdset_has(&signal_fds, fd))
		return;
	for (; size >= (long)sizeof(*info); size -= (long)sizeof(*info), info++)
		if (info->ssi_pid == (uint32_t)raw0(SYS_getpid))
			info->ssi_pid = omen.pid;
}

void signals_forget_fd(int fd) { fdset_put(&signal_fds, fd, false); }
