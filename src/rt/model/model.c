#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/kernel/kernel.h"
#include "rt/model/parts.h"
#include "rt/kernel/signals.h"
#include "rt/core/text.h"

#define END_LOOKS  256      /* points between two looks whether the recorded part is over */
#define END_GRACE  10000000 /* ns */
#define END_POINTS 5000000

struct model model;

/* ---- answers that need no more ---- */

static long done(const struct ask *a)
{
	(void)a;
	return 0;
}

/* It only looks, or only concerns this process. */
static long for_real(const struct ask *a)
{
	const long *arg = a->arg;

	return a->entry ? 0 : raw_syscall(a->nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

static long answer_usage(const struct ask *a)
{
	if (!a->entry)
		env_usage((int)a->arg[0], (void *)a->arg[1]);
	return 0;
}

static long answer_machine(const struct ask *a)
{
	long r = for_real(a);

	if (!a->entry && !r)
		env_machine((void *)a->arg[0]);
	return r;
}

static long refuse(const struct ask *a)
{
	if (!a->entry)
		model_invents("a call is refused");
	return -ENOSYS;
}

static long answer_clock(const struct ask *a)
{
	struct timespec *t = (void *)a->arg[1];

	if (a->entry) {
		if (a->arg[0] == CLOCK_MONOTONIC)
			model.now = t->tv_sec * 1000000000 + t->tv_nsec;
		return 0;
	}
	t->tv_sec = model.now / 1000000000;
	t->tv_nsec = model.now % 1000000000;
	return 0;
}

static long answer_wait(const struct ask *a)
{
	if (a->entry)
		return 0;
	if (omen.children)
		model_unknown("it waits for a process that it made");
	return -ECHILD;
}

static long no_process(const struct ask *a)
{
	(void)a;
	model_unknown("it makes a process");
}

static long no_message(const struct ask *a)
{
	if (a->entry)
		model.lost = true;
	else
		model_unknown("it uses recvmmsg or sendmmsg");
	return 0;
}

/* ---- the table ---- */

#define NR_MAX 512

typedef long (*answer)(const struct ask *);

/* clang-format off */
static const answer answers[NR_MAX] = {
	[SYS_read] = answer_read, [SYS_pread64] = answer_read, [SYS_readv] = answer_read, [SYS_preadv] = answer_read,
	[SYS_write] = answer_write, [SYS_pwrite64] = answer_write, [SYS_writev] = answer_write, [SYS_pwritev] = answer_write,
	[SYS_recvfrom] = answer_receive, [SYS_recvmsg] = answer_receive,
	[SYS_sendto] = answer_send, [SYS_sendmsg] = answer_send,
	[SYS_recvmmsg] = no_message, [SYS_sendmmsg] = no_message,
	[SYS_sendfile] = answer_copy, [SYS_splice] = answer_copy, [SYS_copy_file_range] = answer_copy,
	[SYS_pipe] = answer_pipe, [SYS_pipe2] = answer_pipe, [SYS_socketpair] = answer_socketpair,
	[SYS_socket] = answer_socket, [SYS_bind] = answer_bind, [SYS_listen] = answer_listen,
	[SYS_accept] = answer_accept, [SYS_accept4] = answer_accept, [SYS_connect] = answer_connect,
	[SYS_shutdown] = answer_shutdown, [SYS_getsockname] = answer_name, [SYS_getpeername] = answer_name,
	[SYS_getsockopt] = answer_getsockopt, [SYS_setsockopt] = answer_setsockopt,
	[SYS_eventfd] = answer_counter, [SYS_eventfd2] = answer_counter,
	[SYS_signalfd] = answer_stream, [SYS_signalfd4] = answer_stream, [SYS_inotify_init1] = answer_stream,
	[SYS_inotify_add_watch] = done, [SYS_inotify_rm_watch] = done,
	[SYS_epoll_create] = answer_watcher, [SYS_epoll_create1] = answer_watcher,
	[SYS_epoll_ctl] = answer_watch, [SYS_epoll_wait] = answer_watched,
	[SYS_poll] = answer_poll, [SYS_ppoll] = answer_poll,
	[SYS_dup] = answer_dup, [SYS_dup2] = answer_dup, [SYS_dup3] = answer_dup,
	[SYS_close] = answer_close, [SYS_close_range] = answer_close_range,
	[SYS_fcntl] = answer_fcntl, [SYS_ioctl] = answer_ioctl, [SYS_flock] = answer_flock,

	[SYS_open] = answer_open, [SYS_openat] = answer_open, [SYS_creat] = answer_open, [SYS_memfd_create] = answer_memfd,
	[SYS_lseek] = answer_seek, [SYS_ftruncate] = answer_truncate, [SYS_truncate] = answer_truncate,
	[SYS_fallocate] = answer_allocate,
	[SYS_fstat] = answer_stat, [SYS_stat] = answer_stat, [SYS_lstat] = answer_stat, [SYS_newfstatat] = answer_stat,
	[SYS_statx] = answer_stat, [SYS_access] = answer_access, [SYS_faccessat] = answer_access,
	[SYS_faccessat2] = answer_access, [SYS_readlink] = answer_readlink, [SYS_readlinkat] = answer_readlink,
	[SYS_getdents64] = answer_list, [SYS_getcwd] = answer_here, [SYS_chdir] = answer_here, [SYS_fchdir] = answer_here,
	[SYS_unlink] = answer_change, [SYS_unlinkat] = answer_change, [SYS_rmdir] = answer_change,
	[SYS_mkdir] = answer_change, [SYS_mkdirat] = answer_change, [SYS_symlink] = answer_change,
	[SYS_symlinkat] = answer_change, [SYS_link] = answer_change, [SYS_linkat] = answer_change,
	[SYS_rename] = answer_change, [SYS_renameat] = answer_change, [SYS_renameat2] = answer_change,
	[SYS_chmod] = answer_mode, [SYS_fchmod] = answer_mode, [SYS_fchmodat] = answer_mode,
	[SYS_chown] = answer_mode, [SYS_lchown] = answer_mode, [SYS_fchown] = answer_mode, [SYS_fchownat] = answer_mode,
	[SYS_utimensat] = answer_mode,
	[SYS_fsync] = answer_sync, [SYS_fdatasync] = answer_sync, [SYS_sync] = done, [SYS_syncfs] = done, [SYS_fadvise64] = done,
	[SYS_sync_file_range] = done, [SYS_readahead] = done, [SYS_msync] = done,

	[SYS_mmap] = answer_map, [SYS_munmap] = answer_unmap, [SYS_mremap] = answer_unmap,
	[SYS_mprotect] = answer_protect, [SYS_brk] = for_real, [SYS_madvise] = for_real, [SYS_mlock] = for_real,
	[SYS_munlock] = for_real, [SYS_mincore] = for_real, [SYS_membarrier] = for_real, [SYS_pkey_alloc] = for_real,
	[SYS_pkey_free] = for_real, [SYS_pkey_mprotect] = answer_protect, [SYS_arch_prctl] = for_real, [SYS_prctl] = for_real,
	[SYS_sigaltstack] = for_real, [SYS_rt_sigaction] = for_real, [SYS_rt_sigprocmask] = for_real,
	[SYS_get_robust_list] = for_real, [SYS_set_robust_list] = for_real, [SYS_getcpu] = for_real,
	[SYS_uname] = for_real, [SYS_sysinfo] = answer_machine, [SYS_getrusage] = answer_usage, [SYS_getrlimit] = for_real,
	[SYS_setrlimit] = for_real, [SYS_prlimit64] = for_real, [SYS_statfs] = for_real, [SYS_umask] = answer_umask,
	[SYS_getuid] = for_real, [SYS_geteuid] = for_real, [SYS_getgid] = for_real, [SYS_getegid] = for_real,
	[SYS_getpid] = for_real, [SYS_getppid] = for_real, [SYS_getpgrp] = for_real, [SYS_getpgid] = for_real, [SYS_getsid] = for_real,
	[SYS_getgroups] = for_real, [SYS_getresuid] = for_real, [SYS_getresgid] = for_real,
	[SYS_sched_getaffinity] = for_real, [SYS_getpriority] = for_real, [SYS_clock_getres] = for_real,
	[SYS_capget] = for_real, [SYS_times] = for_real,
	[SYS_clock_gettime] = answer_clock,
	[SYS_setsid] = done, [SYS_setpgid] = done, [SYS_setpriority] = done, [SYS_setuid] = done, [SYS_setgid] = done,
	[SYS_setgroups] = done, [SYS_kill] = done, [SYS_ioprio_set] = done, [SYS_sched_setaffinity] = done,
	[SYS_clone] = no_process, [SYS_wait4] = answer_wait, [SYS_waitid] = answer_wait,
};
/* clang-format on */

static answer answer_of(long nr) { return nr >= 0 && nr < NR_MAX && answers[nr] ? answers[nr] : refuse; }

/* ---- the way in ---- */

/* As long as the recording is followed it answers: what the model does not know matters from the departure on. */
static struct {
	void *back[5];
	bool following, failed;
	char why[200];
} follow;

void model_unknown(const char *format, ...)
{
	static char what[200];
	va_list args;

	va_start(args, format);
	text_vformat(what, sizeof(what), format, args);
	va_end(args);
	if (follow.following) {
		follow.failed = true;
		text_format(follow.why, sizeof(follow.why), "%s", what);
		__builtin_longjmp(follow.back, 1);
	}
	ending_fail(ENDING_UNKNOWN, "the recording does not tell how this execution goes on: %s", what);
}

void model_invents(const char *what)
{
	struct board *b = omen.board;

	if (!b->invented++)
		text_format(b->invention, sizeof(b->invention), "%s", what);
}

/* Calls it, unless the model has lost its way already, or until it does. */
static void __attribute__((noinline)) go_along(void (*f)(const struct ask *), const struct ask *a)
{
	if (follow.failed || __builtin_setjmp(follow.back))
		follow.failed = true;
	else {
		follow.following = true;
		f(a);
	}
	follow.following = false;
}

static void start(const struct ask *a)
{
	(void)a;
	places_start_umask();
	arrivals_gather();
	descriptors_start();
}

void model_start(void) { go_along(start, NULL); }

/* Nothing changes, and what it told is in the program's memory already. */
static bool only_asks(long nr, const long arg[6])
{
	return nr == SYS_readlink || nr == SYS_readlinkat || nr == SYS_getcwd || nr == SYS_access ||
	       nr == SYS_faccessat || nr == SYS_faccessat2 ||
	       (nr == SYS_fcntl && (arg[1] == F_GETLK || arg[1] == F_OFD_GETLK));
}

/* A call that has failed may have changed something too. */
static bool leaves_traces(long nr)
{
	switch (nr) {
	case SYS_read:
	case SYS_readv:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_write:
	case SYS_writev:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_shutdown:
	case SYS_flock:
		return true;
	default:
		return false;
	}
}

static void follow_call(const struct ask *a)
{
	const struct world_entry *e = a->entry;

	if (e->kind == WORLD_SIGNAL)
		arrivals_signalled();
	else if (a->nr == SYS_clone)
		descriptors_expose();
	else if (only_asks(a->nr, a->arg))
		return;
	else if (e->result >= 0 || (a->nr == SYS_connect && e->result == -EINPROGRESS) || a->nr == SYS_mmap ||
	         leaves_traces(a->nr))
		answer_of(a->nr)(a);
	model.broken_pipe = false;
}

void model_follow(long nr, const long arg[6], const struct world_entry *e)
{
	go_along(follow_call, &(struct ask){.nr = nr, .arg = arg, .entry = e});
}

void model_own_files(void) { descriptors_own_files(); }

/* When to look whether it is due. */
static uint64_t signal_point(const struct arrival *a) { return arrival_is_end(a) ? omen.points + END_LOOKS : a->gate; }

void model_depart(void)
{
	const struct arrival *next = arrivals_signal();

	model.departed = true;
	model.departed_points = omen.points + omen.unseen;
	model.departed_at = omen.clock - omen.jumped;
	if (follow.failed)
		model_unknown("%s", follow.why);
	descriptors_arrive();
	omen.signal_point = next ? signal_point(next) : UINT64_MAX;
}

long model_call(long nr, const long arg[6])
{
	struct ask a = {.nr = nr, .arg = arg};

	return answer_of(nr)(&a);
}

int model_output(int fd)
{
	const struct open *o = follow.failed ? NULL : descriptor(fd);

	if (!o)
		return fd == 1 || fd == 2 ? fd : -1;
	return o->kind == KIND_OUTPUT ? (int)o->real : -1;
}

/*
 * Signals come at their points; but where every access is a point, that says nothing of where the recorded part ended.
 * There the time does, which a point takes more of then: so what has come is worked off first, if that ends at all.
 * Who only computes has shown what it does before that, and would take far longer than it took in the recording.
 */
static bool is_due(const struct arrival *a, const siginfo_t *info)
{
	int64_t end, now = omen.clock - omen.jumped, begin = model.departed_at;

	if (!signals_is_end(info, &end))
		return omen.points >= a->gate;
	omen.signal_point = omen.points + END_LOOKS;
	end += (end - begin) / 8 + END_GRACE;
	if (arrivals_are_over())
		return now >= end || omen.points + omen.unseen - model.departed_points >= END_POINTS;
	return now - begin >= 4 * (end - begin);
}

bool model_signal(uint32_t place, siginfo_t *info)
{
	struct arrival *a = arrivals_signal();

	if (place == ADMIT_SENT) {
		if (!model.broken_pipe)
			return false;
		model.broken_pipe = false;
		memset(info, 0, sizeof(*info));
		info->si_signo = SIGPIPE;
		return true;
	}
	while (a && a->entry->flags == ADMIT_SENT) {
		arrivals_signalled();
		a = arrivals_signal();
	}
	if (!a || a->entry->bytes != sizeof(*info))
		return false;
	memcpy(info, a->entry + 1, sizeof(*info));
	if (!(a->released || is_due(a, info)))
		return false;
	arrivals_signalled();
	a = arrivals_signal();
	omen.signal_point = a ? signal_point(a) : UINT64_MAX;
	return true;
}
