/* Threads and processes: making fibers and real children, ending, ids, and the memory that is mapped. */
#include "rt/core/undo.h"
#include "rt/core/op.h"
#include "rt/kernel/kernel.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/wait.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/shadow/cells.h"
#include "rt/ending/ending.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/fd_kind.h"
#include "rt/kernel/signals.h"
#include "rt/kernel/above.h"
#include "rt/fibers/fiber.h"
#include "rt/memory/memory_check.h"
#include "rt/fibers/endless_loop.h"
#include "rt/fibers/sched.h"
#include "rt/shadow/race_check.h"
#include "rt/core/text.h"

long arch_clone_into(long flags, void *sp, int *ptid, int *ctid, long tls);

static struct {
	struct range shared[256]; /* mappings that other processes may write to */
	uint32_t nshared;
} state;

/* ---- clone ---- */

struct clone_request {
	uint64_t flags;
	int *parent_tid, *child_tid;
	uint64_t stack_low, stack_high; /* low 0: not known */
	uint64_t tls;
};

static struct clone_request request_of(const struct call *c)
{
	if (c->nr == SYS_clone3) {
		const struct clone_args *a = (const void *)c->arg[0];
		return (struct clone_request){a->flags | a->exit_signal,
		                              (int *)a->parent_tid,
		                              (int *)a->child_tid,
		                              a->stack,
		                              a->stack ? a->stack + a->stack_size : 0,
		                              a->tls};
	}
	return (struct clone_request){(uint64_t)c->arg[0], (int *)c->arg[2],   (int *)c->arg[3], 0,
	                              (uint64_t)c->arg[1], (uint64_t)c->arg[4]};
}

/*
 * glibc gives new threads the stacks of ended ones, with their thread-local variables at the end.  What the old
 * thread did there is forgotten.
 */
static void clear_old_stack(const struct clone_request *r)
{
	uint64_t high = r->flags & CLONE_SETTLS && r->tls >= r->stack_high ? r->tls + omen.tcb_size : r->stack_high;
	uint64_t low_page = (r->stack_low + 4095) & ~4095ul, high_page = high & ~4095ul;

	shadow_clear(r->stack_low, low_page - r->stack_low);
	if (low_page < high_page)
		shadow_unmapped(low_page, high_page);
	shadow_clear(high_page, high - high_page);
}

static long make_fiber(struct call *c, const struct clone_request *r)
{
	struct fiber *f =
	        fiber_new(c->context, (void *)r->stack_high, r->flags & CLONE_SETTLS ? r->tls : omen.current->fs);

	if (!f)
		return -EAGAIN;
	fiber_set_stack(f, r->stack_low, r->stack_high);
	stack_check_begins(r->stack_low, r->stack_high);
	if (r->stack_low && omen.fibers_ended)
		clear_old_stack(r);
	f->mask = omen.current->mask;
	f->processors = omen.current->processors;
	if (r->flags & CLONE_PARENT_SETTID)
		*r->parent_tid = (int)f->tid;
	if (r->flags & CLONE_CHILD_SETTID)
		*r->child_tid = (int)f->tid;
	if (r->flags & CLONE_CHILD_CLEARTID)
		f->clear_tid = r->child_tid;
	mode_threads_changed();
	OP(CREATED, .fiber = f);
	/*
	 * No point is made here, as glibc is in the middle of pthread_create; the interposer of pthread_create makes
	 * one.  So the creator's own code after the clone can run later than the new fiber.
	 */
	return f->tid;
}

/* In our process reading the cycle counter faults (init.c).  A program that we start must be able to read it. */
static void set_tsc_faults(bool yes)
{
	if (omen.board)
		raw2(SYS_prctl, PR_SET_TSC, yes ? PR_TSC_SIGSEGV : PR_TSC_ENABLE);
}

/* vfork and posix_spawn: a child in our memory, which will exec or exit while we wait. */
static long make_vfork_child(struct call *c, const struct clone_request *r)
{
	uint64_t stack = r->stack_high ? r->stack_high : (uint64_t)c->context->uc_mcontext.gregs[REG_RSP] - 256;
	void *sp = fiber_lay_registers(c->context, (void *)(stack & ~15ul));

	omen.off |= OFF_VFORK;
	local_fds_exposed();
	omen.progress++;
	undo_impossible("it has made a process");
	set_tsc_faults(false);
	long pid;
	if (!world_replay_process(&pid)) {
		pid = arch_clone_into((long)r->flags, sp, r->parent_tid, r->child_tid, (long)r->tls);
		world_record_process(pid);
	}
	omen.children += pid > 0;
	set_tsc_faults(true);
	omen.off &= ~(uint32_t)OFF_VFORK;
	return pid;
}

static long make_forked_child(struct call *c, const struct clone_request *r)
{
	uint64_t all = ~0ul;

	(void)c;
	omen.progress++;
	undo_impossible("it has made a process");
	local_fds_exposed();
	/* the child must know that it is one before a signal reaches it */
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8);
	long pid;
	if (!world_replay_process(&pid)) {
		pid = raw5(SYS_clone, r->flags & ~(uint64_t)(CLONE_VM | CLONE_VFORK), 0, r->parent_tid, r->child_tid,
		           0);
		if (pid)
			world_record_process(pid);
		if (pid > 0 && world_is_recorded() && kernel_shares_memory())
			omen.board->shares = 1;
	}
	if (pid == 0) {
		mode_set(REWINDS, false);
		set_tsc_faults(false);
		if (r->stack_high && c->context) /* the copy continues on another stack */
			c->context->uc_mcontext.gregs[REG_RSP] = (greg_t)r->stack_high;
		omen_in_fork_child();
	}
	omen.children = pid ? omen.children + (pid > 0) : 0;
	raw4(SYS_rt_sigprocmask, SIG_SETMASK, &omen.kernel_mask, NULL, 8);
	return pid;
}

long kernel_clone(struct call *c)
{
	struct clone_request r = request_of(c);

	if (!c->context)
		return -ENOSYS;
	if (r.flags & CLONE_THREAD)
		return make_fiber(c, &r);
	OP(UNCLEAR, .object = "there are processes");
	if (r.flags & CLONE_VM)
		return make_vfork_child(c, &r);
	return make_forked_child(c, &r);
}

/* vfork may behave as fork: the child runs in a copy, which only costs time. */
long kernel_fork(struct call *c)
{
	struct clone_request r = {.flags = SIGCHLD};

	return make_forked_child(c, &r);
}

long kernel_execve(struct call *c)
{
	omen.progress++;
	signals_before_exec();
	set_tsc_faults(false);
	long r = kernel_pass(c);
	set_tsc_faults(true);
	signals_after_exec();
	return r;
}

/* ---- ends ---- */

long kernel_exit(struct call *c)
{
	struct fiber *f = omen.current;

	(void)c;
	if (omen.nlive == 1) {
		ending_exit((int)c->arg[0] & 0xff);
		execution_over();
		raw1(SYS_exit_group, c->arg[0]);
	}
	sched_point(POINT_SYNC, c->where);
	kernel_exit_robust(f);
	if (f->clear_tid) {
		*f->clear_tid = 0;
		sched_wake(f->clear_tid, UINT32_MAX, ~0u);
	}
	stack_check_ends(f);
	fiber_end(f);
	mode_threads_changed();
	sched_leave();
}

/* The other fibers run until the very end: exit handlers and destructors may have destroyed what they use. */
long kernel_exit_group(struct call *c)
{
	if (omen.nlive > 1)
		sched_leaves(c->where);
	ending_exit((int)c->arg[0] & 0xff);
	execution_over();
	raw1(SYS_exit_group, c->arg[0]);
	__builtin_unreachable();
}

/* Counts one child less if this wait4 or waitid has reaped one. */
static void count_reaped(const struct call *c, const int *status, const siginfo_t *info)
{
	bool gone = c->nr == SYS_wait4
	                    ? WIFEXITED(*status) || WIFSIGNALED(*status)
	                    : info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;

	if (gone && omen.children && !(c->nr == SYS_waitid && (c->arg[3] & WNOWAIT)))
		omen.children--, fd_kind_forget_all();
}

long kernel_wait(struct call *c)
{
	int flag = c->nr == SYS_wait4 ? 2 : 3, status = 0;
	bool block = !(c->arg[flag] & WNOHANG);
	siginfo_t info = {0};
	struct call poll = *c;

	/* the caller may not ask for the status, but it is needed here */
	poll.arg[flag] |= WNOHANG;
	poll.arg[c->nr == SYS_wait4 ? 1 : 2] = c->nr == SYS_wait4 ? (long)&status : (long)&info;
	sched_point(POINT_SYNC, c->where);
	for (;;) {
		long r = kernel_pass(&poll);
		bool none = r == 0 && (c->nr == SYS_wait4 || !info.si_pid);
		if (!none && r >= 0) {
			count_reaped(c, &status, &info);
			if (c->nr == SYS_wait4 && c->arg[1])
				*(int *)c->arg[1] = status;
		}
		if (c->nr == SYS_waitid && c->arg[2] && r == 0)
			*(siginfo_t *)c->arg[2] = info;
		if (!none || !block)
			return r;
		omen.current->wait = (struct wait){.kind = WAIT_CHILD, .deadline = NEVER};
		if (sched_block(c->where) == WAIT_INTERRUPTED && !signals_restart())
			return -EINTR;
	}
}

/* ---- identity ---- */

long kernel_getpid(struct call *c)
{
	(void)c;
	return omen.pid;
}
long kernel_gettid(struct call *c)
{
	(void)c;
	return omen.current->tid;
}
long kernel_getppid(struct call *c)
{
	(void)c;
	return omen.board ? 1 : raw0(SYS_getppid);
}

long kernel_set_tid_address(struct call *c)
{
	omen.current->clear_tid = (int *)c->arg[0];
	return omen.current->tid;
}

long kernel_set_robust_list(struct call *c)
{
	omen.current->robust_list = (void *)c->arg[0];
	return 0;
}

long kernel_get_robust_list(struct call *c)
{
	struct fiber *f = c->arg[0] ? fiber_by_tid((uint32_t)c->arg[0]) : omen.current;

	if (!f)
		return -ESRCH;
	*(void **)c->arg[1] = f->robust_list;
	*(size_t *)c->arg[2] = sizeof(struct robust_list_head);
	return 0;
}

/* Restartable sequences name the processor that the thread runs on, which is not shown to the program. */
long kernel_rseq(struct call *c)
{
	(void)c;
	return -ENOSYS;
}

long kernel_getcpu(struct call *c)
{
	if (c->arg[0])
		*(unsigned *)c->arg[0] = 0;
	if (c->arg[1])
		*(unsigned *)c->arg[1] = 0;
	return 0;
}

/*
 * Replaces our own process id, as the kernel knows it, by the virtual one.  In a replay the kernel's is the recorded
 * one.
 */
static long to_virtual_pid(long pid)
{
	return pid > 0 && pid == world_call(SYS_getpid, (const long[6]){0}) ? (long)omen.pid : pid;
}

long kernel_own_group(struct call *c) { return to_virtual_pid(kernel_pass(c)); }

/* Syscalls whose first argument names a process or thread: for one of ours the kernel gets 0. */
long kernel_own_pid(struct call *c)
{
	struct call own = *c;

	if (kernel_is_own_tid(c->arg[0]))
		own.arg[0] = 0;
	long r = kernel_pass(&own);
	if (r == -ESRCH || (c->nr != SYS_getpgid && c->nr != SYS_getsid))
		return r;
	return to_virtual_pid(r);
}

long kernel_prctl(struct call *c)
{
	struct fiber *f = omen.current;

	if (c->arg[0] == 59 /* PR_SET_SYSCALL_USER_DISPATCH */)
		return -EPERM;
	/* each thread has its own name; only the main thread's name is the process's too */
	if (c->arg[0] == PR_SET_NAME) {
		text_format(f->name, sizeof(f->name), "%s", (const char *)c->arg[1]);
		OP(NAMED, .fiber = f, .object = f->name);
		if (f->id)
			return 0;
	}
	if (c->arg[0] == PR_GET_NAME && f->name[0]) {
		memcpy((void *)c->arg[1], f->name, sizeof(f->name));
		return 0;
	}
	return kernel_pass(c);
}

/* Instrumented code finds the cells by %gs. */
long kernel_arch_prctl(struct call *c) { return c->arg[0] == ARCH_SET_GS ? -EPERM : kernel_pass(c); }

long kernel_refuse(struct call *c)
{
	(void)c;
	return -ENOSYS;
}

long kernel_yield(struct call *c)
{
	sched_point(POINT_YIELD, c->where);
	return 0;
}

/* ---- memory ---- */

static void forget_shared(uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < state.nshared;)
		if (state.shared[i].low < high && low < state.shared[i].high)
			state.shared[i] = state.shared[--state.nshared];
		else
			i++;
}

static void add_shared(uint64_t low, uint64_t high)
{
	if (state.nshared == sizeof(state.shared) / sizeof(*state.shared)) {
		/* the table is full: one range that is too large is better than one that is forgotten */
		struct range *last = &state.shared[state.nshared - 1];
		last->low = low < last->low ? low : last->low;
		last->high = high > last->high ? high : last->high;
		return;
	}
	state.shared[state.nshared++] = (struct range){low, high};
}

/* The kernel maps and unmaps whole pages. */
static uint64_t whole_pages(long length) { return ((uint64_t)length + 4095) & ~4095ul; }

long kernel_map(struct call *c)
{
	OP(UNMAPS); /* the values written there cannot be read after the call */
	long r = kernel_pass(c);
	uint64_t length = whole_pages(c->arg[1]);

	loop_forget();
	if (r < 0 && r > -4096)
		return r;
	if (c->nr == SYS_munmap || c->nr == SYS_mremap) {
		forget_shared((uint64_t)c->arg[0], (uint64_t)c->arg[0] + length);
		shadow_unmapped((uint64_t)c->arg[0], (uint64_t)c->arg[0] + length);
		memory_unmapped((uint64_t)c->arg[0], (uint64_t)c->arg[0] + length);
		fiber_forget_stacks((uint64_t)c->arg[0], (uint64_t)c->arg[0] + length);
		stack_check_unmapped((uint64_t)c->arg[0], (uint64_t)c->arg[0] + length);
	}
	if (c->nr == SYS_mremap) {
		cells_mapped((uint64_t)r, (uint64_t)r + whole_pages(c->arg[2]));
		shadow_unmapped((uint64_t)r, (uint64_t)r + whole_pages(c->arg[2]));
		memory_unmapped((uint64_t)r, (uint64_t)r + whole_pages(c->arg[2]));
	}
	if (c->nr == SYS_brk)
		memory_break((uint64_t)r);
	if (c->nr != SYS_mmap)
		return r;
	cells_mapped((uint64_t)r, (uint64_t)r + length);
	memory_unmapped((uint64_t)r, (uint64_t)r + length);
	forget_shared((uint64_t)r, (uint64_t)r + length);
	fiber_forget_stacks((uint64_t)r, (uint64_t)r + length);
	stack_check_unmapped((uint64_t)r, (uint64_t)r + length);
	if (c->arg[3] & MAP_STACK &&
	    c->arg[2] == PROT_NONE) /* the C library maps stacks in this way; the guard page stays inaccessible */
		stack_check_mapped((uint64_t)r, (uint64_t)r + length);
	if (c->arg[3] & MAP_STACK)
		fiber_stack_mapped((uint64_t)r, (uint64_t)r + length);
	if ((c->arg[3] & MAP_SHARED) && (c->arg[2] & PROT_WRITE))
		add_shared((uint64_t)r, (uint64_t)r + length);
	return r;
}

long kernel_shmat(struct call *c)
{
	struct shmid_ds info = {0};
	long at = kernel_pass(c);

	if ((at > 0 || at < -4095) && world3(SYS_shmctl, c->arg[0], IPC_STAT, &info) >= 0) {
		add_shared((uint64_t)at, (uint64_t)at + info.shm_segsz);
		cells_mapped((uint64_t)at, (uint64_t)at + info.shm_segsz);
		shadow_unmapped((uint64_t)at, ((uint64_t)at + info.shm_segsz + 4095) & ~4095ul);
	}
	return at;
}

bool kernel_keeps_pages(const struct call *c)
{
	const struct fiber *f = omen.current;
	uint64_t low = (uint64_t)c->arg[0], high = low + (uint64_t)c->arg[1];

	return c->arg[2] == MADV_DONTNEED && omen.board && low >= f->stack_low && high <= f->stack_high;
}

long kernel_madvise(struct call *c) { return kernel_keeps_pages(c) ? 0 : kernel_pass(c); }

bool kernel_is_shared_memory(const void *addr)
{
	for (uint32_t i = 0; i < state.nshared; i++)
		if ((uint64_t)addr >= state.shared[i].low && (uint64_t)addr < state.shared[i].high)
			return true;
	return false;
}

bool kernel_shares_memory(void) { return state.nshared; }
