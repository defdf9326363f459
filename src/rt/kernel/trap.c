/*
 * Syscall User Dispatch: the kernel turns every syscall outside libomen's own text into a SIGSYS, whose handler answers
 * it and may switch fibers while it does: the signal frame stays on the fiber's stack. 2 µs a trap.
 */
#include "rt/fibers/above.h"
#include "rt/core/op.h"
#include "rt/kernel/kernel.h"

#include <errno.h>
#include <sys/prctl.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/memory/memory_check.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/bad_pointers.h"
#include "rt/kernel/signals.h"
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

#define NR_MAX 512

/* clang-format off */
static const answer answers[NR_MAX] = {
        [SYS_read] = env_read, [SYS_readv] = env_read, [SYS_pread64] = env_read, [SYS_preadv] = env_read,
        [SYS_write] = env_write, [SYS_writev] = env_write, [SYS_pwrite64] = env_write, [SYS_pwritev] = env_write,
        [SYS_sendfile] = env_transfer, [SYS_splice] = env_transfer, [SYS_copy_file_range] = env_visible,
        [SYS_recvfrom] = env_recv, [SYS_recvmsg] = env_recv, [SYS_recvmmsg] = env_recv,
        [SYS_sendto] = env_send, [SYS_sendmsg] = inside_sendmsg, [SYS_sendmmsg] = inside_sendmsg,
        [SYS_accept] = env_accept, [SYS_accept4] = env_accept, [SYS_connect] = env_connect,
        [SYS_shutdown] = env_shutdown, [SYS_pipe] = inside_pair, [SYS_pipe2] = inside_pair, [SYS_socketpair] = inside_pair,
        [SYS_eventfd] = inside_one, [SYS_eventfd2] = inside_one,
        [SYS_epoll_create] = inside_one, [SYS_epoll_create1] = inside_one,
        [SYS_close_range] = inside_close_range, [SYS_dup] = inside_dup, [SYS_dup2] = inside_dup, [SYS_dup3] = inside_dup,
        [SYS_poll] = env_ppoll, [SYS_ppoll] = env_ppoll, [SYS_select] = env_select, [SYS_pselect6] = env_select,
        [SYS_epoll_wait] = env_epoll, [SYS_epoll_pwait] = env_epoll, [SYS_epoll_pwait2] = env_epoll,
        [SYS_epoll_ctl] = inside_watch,
        [SYS_flock] = env_flock, [SYS_fcntl] = inside_fcntl,
        [SYS_open] = env_open, [SYS_openat] = env_open, [SYS_close] = env_close,
        [SYS_fstat] = env_stat, [SYS_newfstatat] = env_stat, [SYS_ioctl] = env_ioctl, [SYS_lseek] = env_lseek,
        [SYS_getrandom] = env_getrandom,

        [SYS_clock_gettime] = env_clock_gettime, [SYS_gettimeofday] = env_gettimeofday, [SYS_time] = env_time,
        [SYS_times] = env_times,
        [SYS_nanosleep] = env_nanosleep, [SYS_clock_nanosleep] = env_clock_nanosleep,
        [SYS_setitimer] = env_setitimer, [SYS_getitimer] = env_getitimer, [SYS_alarm] = env_alarm,
        [SYS_timer_create] = env_timer_create, [SYS_timer_settime] = env_timer_settime,
        [SYS_timer_gettime] = env_timer_gettime, [SYS_timer_getoverrun] = env_timer_getoverrun,
        [SYS_timer_delete] = env_timer_delete,
        [SYS_timerfd_create] = env_timerfd_create, [SYS_timerfd_settime] = env_timerfd_settime,
        [SYS_timerfd_gettime] = env_timerfd_gettime,

        [SYS_futex] = env_futex, [SYS_sched_yield] = env_yield,
        [SYS_clone] = env_clone, [SYS_clone3] = env_clone, [SYS_fork] = env_fork, [SYS_vfork] = env_fork,
        [SYS_execve] = env_execve, [SYS_execveat] = env_execve,
        [SYS_exit] = env_exit, [SYS_exit_group] = env_exit_group, [SYS_wait4] = env_wait, [SYS_waitid] = env_wait,
        [SYS_getpid] = env_getpid, [SYS_gettid] = env_gettid, [SYS_getppid] = env_getppid,
        [SYS_set_tid_address] = env_set_tid_address, [SYS_set_robust_list] = env_robust_list,
        [SYS_get_robust_list] = env_get_robust_list, [SYS_rseq] = env_rseq, [SYS_getcpu] = env_getcpu,
        [SYS_sched_setaffinity] = env_setaffinity, [SYS_sched_getaffinity] = env_getaffinity,
        [SYS_sched_setscheduler] = env_own_pid, [SYS_sched_getscheduler] = env_own_pid,
        [SYS_sched_setparam] = env_own_pid, [SYS_sched_getparam] = env_own_pid,
        [SYS_sched_setattr] = env_own_pid, [SYS_sched_getattr] = env_own_pid,
        [SYS_getpgid] = env_own_pid, [SYS_setpgid] = env_own_pid, [SYS_getsid] = env_own_pid,
        [SYS_setsid] = env_own_group, [SYS_getpgrp] = env_own_group,
        [SYS_prlimit64] = env_own_pid,
        [SYS_prctl] = env_prctl, [SYS_arch_prctl] = env_arch_prctl, [SYS_io_uring_setup] = env_refuse,
        [SYS_futex_waitv] = env_refuse,
        [SYS_madvise] = env_madvise, [SYS_shmat] = env_shmat, [SYS_mmap] = env_map, [SYS_munmap] = env_map, [SYS_mremap] = env_map, [SYS_brk] = env_map,

        [SYS_rt_sigaction] = signals_action, [SYS_rt_sigprocmask] = signals_mask,
        [SYS_rt_sigpending] = signals_pending, [SYS_rt_sigsuspend] = signals_suspend, [SYS_pause] = signals_pause,
        [SYS_rt_sigtimedwait] = signals_timedwait, [SYS_sigaltstack] = signals_altstack,
        [SYS_kill] = signals_kill, [SYS_tkill] = signals_tkill, [SYS_tgkill] = signals_tgkill,
        [SYS_rt_sigqueueinfo] = signals_queueinfo, [SYS_rt_tgsigqueueinfo] = signals_tgqueueinfo,
        [SYS_signalfd] = signals_fd, [SYS_signalfd4] = signals_fd,
};
/* clang-format on */

long env_pass(const struct call *c)
{
	omen.progress++;
	return world_call(c->nr, c->arg);
}

/* What others may notice of it, with a point of its own before it; other files know of the rest. */
static COLD void note_step(const struct call *c)
{
	switch (c->nr) {
	case SYS_futex:
	case SYS_mmap:
	case SYS_munmap:
	case SYS_mremap:
	case SYS_mprotect:
	case SYS_madvise:
	case SYS_brk:
	case SYS_clone:
	case SYS_clone3:
	case SYS_exit:
	case SYS_sched_yield:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_getpid:
	case SYS_gettid:
	case SYS_clock_gettime:
	case SYS_gettimeofday:
	case SYS_time:
	case SYS_set_robust_list:
	case SYS_rseq:
	case SYS_rt_sigprocmask:
		return;
	case SYS_fork:
	case SYS_vfork:
	case SYS_execve:
	case SYS_execveat:
	case SYS_wait4:
	case SYS_waitid:
	case SYS_times:
	case SYS_rt_sigaction:
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
	long r = a ? pointers_try(c, a) : env_pass(c);
	OP(CALL, .value = within);
	return r;
}

long env_call(struct call *c)
{
	answer a = c->nr >= 0 && c->nr < NR_MAX ? answers[c->nr] : NULL;

	long error;

	guard_point();
	if (unlikely(pointers_refuse(c, &error)))
		return error;
	if (unlikely(mode_is(STEPS)))
		return answer_step(c, a);
	OP(SYSCALL, .object = c);
	long r = a ? pointers_try(c, a) : env_pass(c);
	OP(SYSCALL_OVER, .object = c, .value = (uint64_t)r);
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
	regs[REG_RAX] = env_call(&call);
	current_fiber->entry = outer;
	/* the frame restores the mask it was made with; masks are virtual, the kernel's is ours to say */
	__builtin_memcpy(&uc->uc_sigmask, &omen.kernel_mask, sizeof(omen.kernel_mask));
}

void env_arm(void)
{
	static volatile char selector = 1; /* block: nothing outside our text goes through */

	static bool installed; /* a fork inherits the handler, not the dispatch */
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
