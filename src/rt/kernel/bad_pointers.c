#include "rt/kernel/bad_pointers.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "rt/core/text.h"
#include "rt/memory/wild_pointer.h"

/* ---- into the runtime's own memory ---- */

#define NR_MAX 512
#define A(n)   (1u << (n))

/* Which arguments are pointers: of the calls that programs make, those that read or write there. */
/* clang-format off */
static const uint8_t pointers[NR_MAX] = {
	[SYS_read] = A(1), [SYS_write] = A(1), [SYS_pread64] = A(1), [SYS_pwrite64] = A(1),
	[SYS_readv] = A(1), [SYS_writev] = A(1), [SYS_preadv] = A(1), [SYS_pwritev] = A(1), [SYS_preadv2] = A(1), [SYS_pwritev2] = A(1),
	[SYS_open] = A(0), [SYS_openat] = A(1), [SYS_openat2] = A(1) | A(2), [SYS_creat] = A(0),
	[SYS_stat] = A(0) | A(1), [SYS_lstat] = A(0) | A(1), [SYS_fstat] = A(1), [SYS_newfstatat] = A(1) | A(2), [SYS_statx] = A(1) | A(4),
	[SYS_statfs] = A(0) | A(1), [SYS_fstatfs] = A(1), [SYS_access] = A(0), [SYS_faccessat] = A(1), [SYS_faccessat2] = A(1),
	[SYS_getdents64] = A(1), [SYS_getcwd] = A(0), [SYS_chdir] = A(0), [SYS_mkdir] = A(0), [SYS_mkdirat] = A(1), [SYS_rmdir] = A(0),
	[SYS_unlink] = A(0), [SYS_unlinkat] = A(1), [SYS_rename] = A(0) | A(1), [SYS_renameat] = A(1) | A(3), [SYS_renameat2] = A(1) | A(3),
	[SYS_link] = A(0) | A(1), [SYS_symlink] = A(0) | A(1), [SYS_readlink] = A(0) | A(1), [SYS_readlinkat] = A(1) | A(2),
	[SYS_chmod] = A(0), [SYS_chown] = A(0), [SYS_truncate] = A(0), [SYS_utimensat] = A(1) | A(2), [SYS_ioctl] = A(2),
	[SYS_pipe] = A(0), [SYS_pipe2] = A(0), [SYS_poll] = A(0), [SYS_ppoll] = A(0) | A(2) | A(3),
	[SYS_select] = A(1) | A(2) | A(3) | A(4), [SYS_pselect6] = A(1) | A(2) | A(3) | A(4) | A(5),
	[SYS_epoll_ctl] = A(3), [SYS_epoll_wait] = A(1), [SYS_epoll_pwait] = A(1) | A(4), [SYS_epoll_pwait2] = A(1) | A(3) | A(4),
	[SYS_sendfile] = A(2), [SYS_splice] = A(1) | A(3), [SYS_copy_file_range] = A(1) | A(3),
	[SYS_recvfrom] = A(1) | A(4) | A(5), [SYS_sendto] = A(1) | A(4), [SYS_recvmsg] = A(1), [SYS_sendmsg] = A(1),
	[SYS_recvmmsg] = A(1) | A(4), [SYS_sendmmsg] = A(1), [SYS_accept] = A(1) | A(2), [SYS_accept4] = A(1) | A(2),
	[SYS_bind] = A(1), [SYS_connect] = A(1), [SYS_getsockname] = A(1) | A(2), [SYS_getpeername] = A(1) | A(2),
	[SYS_setsockopt] = A(3), [SYS_getsockopt] = A(3) | A(4), [SYS_socketpair] = A(3), [SYS_getrandom] = A(0),
	[SYS_clock_gettime] = A(1), [SYS_clock_getres] = A(1), [SYS_gettimeofday] = A(0) | A(1), [SYS_time] = A(0), [SYS_times] = A(0),
	[SYS_nanosleep] = A(0) | A(1), [SYS_clock_nanosleep] = A(2) | A(3), [SYS_setitimer] = A(1) | A(2), [SYS_getitimer] = A(1),
	[SYS_timer_create] = A(1) | A(2), [SYS_timer_settime] = A(2) | A(3), [SYS_timer_gettime] = A(1),
	[SYS_timerfd_settime] = A(2) | A(3), [SYS_timerfd_gettime] = A(1),
	[SYS_futex] = A(0), [SYS_wait4] = A(1) | A(3), [SYS_waitid] = A(2) | A(4), [SYS_execve] = A(0) | A(1) | A(2),
	[SYS_uname] = A(0), [SYS_sysinfo] = A(0), [SYS_getrusage] = A(1), [SYS_getrlimit] = A(1), [SYS_setrlimit] = A(1),
	[SYS_prlimit64] = A(2) | A(3), [SYS_sched_setaffinity] = A(2), [SYS_sched_getaffinity] = A(2),
	[SYS_rt_sigaction] = A(1) | A(2), [SYS_rt_sigprocmask] = A(1) | A(2), [SYS_rt_sigpending] = A(0), [SYS_rt_sigsuspend] = A(0),
	[SYS_rt_sigtimedwait] = A(0) | A(1) | A(2), [SYS_sigaltstack] = A(0) | A(1), [SYS_signalfd4] = A(1),
	[SYS_shmctl] = A(2), [SYS_memfd_create] = A(0), [SYS_mincore] = A(2),
};
/* clang-format on */

/* A page of the runtime's that the program takes for its own, or would give back. */
static bool refuse_mapping(const struct call *c, long *error)
{
	uint64_t low = (uint64_t)c->arg[0], high = low + (uint64_t)c->arg[1];

	if (high <= low || !(wild_maybe(low) || wild_maybe(high - 1) || high - low > 1ul << 30) ||
	    !wild_covers(low, high))
		return false;
	switch (c->nr) {
	case SYS_mmap:
		if ((c->arg[3] & MAP_FIXED_NOREPLACE) != MAP_FIXED_NOREPLACE && c->arg[3] & MAP_FIXED)
			text_die("the program maps memory at 0x%lx, where Omen has its own", low);
		return false;
	case SYS_munmap:
		*error = 0; /* as of memory that is not there */
		return true;
	case SYS_mremap:
		*error = -EFAULT;
		return true;
	default:
		*error = -ENOMEM;
		return true;
	}
}

bool pointers_refuse(const struct call *c, long *error)
{
	uint32_t which = c->nr >= 0 && c->nr < NR_MAX ? pointers[c->nr] : 0;

	if (c->nr == SYS_mmap || c->nr == SYS_munmap || c->nr == SYS_mremap || c->nr == SYS_mprotect ||
	    c->nr == SYS_madvise || c->nr == SYS_msync || c->nr == SYS_mlock)
		return refuse_mapping(c, error);
	for (; which; which &= which - 1) {
		uint64_t p = (uint64_t)c->arg[__builtin_ctz(which)];
		if (!wild_maybe(p) || !wild_covers(p, p + 1))
			continue;
		*error = -EFAULT;
		return true;
	}
	return false;
}

/* ---- to nowhere ---- */

#define NEAR 4096 /* how far from the pointer itself an access to what it points to can be */

struct attempt {
	const struct call *call;
	void *place[5]; /* what __builtin_setjmp keeps: frame, code, stack */
};

/* One that stands in memory itself. */
static bool has_wild_vector(const struct call *c)
{
	const struct iovec *v = (const struct iovec *)c->arg[1];

	if (c->nr != SYS_readv && c->nr != SYS_writev && c->nr != SYS_preadv && c->nr != SYS_pwritev)
		return false;
	for (long i = 0; i < c->arg[2] && i < IOV_MAX; i++)
		if (v[i].iov_len && wild_maybe((uint64_t)v[i].iov_base) &&
		    wild_covers((uint64_t)v[i].iov_base, (uint64_t)v[i].iov_base + 1))
			return true;
	return false;
}

__attribute__((noinline)) long pointers_try(struct call *c, long (*answer)(struct call *))
{
	struct fiber *f = omen.current;
	struct attempt *outer = f->attempt, own = {.call = c};

	f->attempt = &own;
	long r = __builtin_setjmp(own.place) || has_wild_vector(c) ? -EFAULT : answer(c);
	f->attempt = outer;
	return r;
}

bool pointers_fault(uint64_t address, ucontext_t *uc)
{
	const struct attempt *a = omen.current ? omen.current->attempt : NULL;
	greg_t *regs = uc->uc_mcontext.gregs;
	uint64_t pc = (uint64_t)regs[REG_RIP];

	if (pc - omen.text_low >= omen.text_high - omen.text_low &&
	    pc - omen.libc_low >= omen.libc_high - omen.libc_low)
		return false; /* the program's own code, in a handler */
	for (int i = 0; a && i < 6; i++) {
		if (address - (uint64_t)a->call->arg[i] >= NEAR)
			continue;
		regs[REG_RBP] = (greg_t)a->place[0];
		regs[REG_RIP] = (greg_t)a->place[1];
		regs[REG_RSP] = (greg_t)a->place[2];
		return true;
	}
	return false;
}
