/*
 * The kernel boundary.  In: every syscall of the program.  Out: what a kernel with one processor would answer, whose
 * only outside is the real one.  world/syscalls.h says which function answers which call; a call without one goes
 * through unchanged.
 *
 * Other rooms use the functions about time, waiting and processes; the functions that take a struct call are for the
 * table.
 */
#ifndef OMEN_KERNEL_H
#define OMEN_KERNEL_H

#include <time.h>
#include <ucontext.h>

#include "rt/core/rt.h"

struct rusage;
struct sysinfo;

struct call {
	long nr;
	long arg[6];
	ucontext_t *context; /* of the trap; NULL: an interposed function calls */
	uint64_t where;
	long result; /* what it will return, if that is known at its point: for state_hash.c */
};

/* trap.c */
void kernel_arm(void); /* from now on syscalls trap; ends the process with a message if the kernel cannot do that */
long kernel_call(struct call *call);       /* answers one syscall */
long kernel_pass(const struct call *call); /* asks the world */

/* time.c */
void kernel_fire_timers(void); /* ends the waits and timers that are due */
void kernel_time_start(void);
int64_t kernel_world_clock(void); /* CLOCK_MONOTONIC of the world */
bool kernel_time_is_real(void);
void kernel_sync_clock(void); /* without the tool: sets the clock to the real one */
int64_t kernel_deadline(int clock, const struct timespec *t, bool absolute);
void kernel_clock(int clock, struct timespec *t);
/* The running fiber has run for so long. */
static inline void kernel_spend(int64_t ns)
{
	omen.clock += ns;
	omen.cpu += ns;
	if (omen.current)
		omen.current->cpu += ns;
}
int64_t kernel_monotonic_reading(void); /* what CLOCK_MONOTONIC shows to the program */
/*
 * From now on clocks, CPU times and ids show other values, so that the tool sees what depends on them.  1: clocks are
 * ahead; 2, 3: and go faster, by a little and by much; 4: both by so little that no time limit is reached by it.
 */
void kernel_shift_clock(uint32_t how);
/* What this process has used, and the state of the machine: virtual values, as the real ones differ each time. */
void kernel_fill_rusage(int who, struct rusage *r);
void kernel_fill_sysinfo(struct sysinfo *s);
bool kernel_timers_armed(void);
bool kernel_timer_kills(int64_t until); /* a timer that is due by then ends the process: its signal has no handler */
void kernel_disarm_timers(void);        /* in a forked child: the timers are the parent's */
void kernel_time_forget_fd(int fd);     /* the descriptor was closed: a timer that it belongs to is gone */
long kernel_clock_gettime(struct call *);
long kernel_gettimeofday(struct call *);
long kernel_time(struct call *);
long kernel_times(struct call *);
long kernel_nanosleep(struct call *);
long kernel_clock_nanosleep(struct call *);
long kernel_setitimer(struct call *);
long kernel_getitimer(struct call *);
long kernel_alarm(struct call *);
long kernel_timer_create(struct call *);
long kernel_timer_settime(struct call *);
long kernel_timer_gettime(struct call *);
long kernel_timer_getoverrun(struct call *);
long kernel_timer_delete(struct call *);
long kernel_timerfd_create(struct call *);
long kernel_timerfd_settime(struct call *);
long kernel_timerfd_gettime(struct call *);

/* idle.c */
void kernel_poll(
        int64_t timeout);     /* ends the waits of fibers whose descriptors are ready; timeout in ns, -1: for ever */
bool kernel_is_alone(void);   /* an exploration or a replay: nobody outside sends a signal */
void kernel_look_again(void); /* looks at children, and at futexes that other processes can change */
void kernel_idle(void);       /* nobody can run: waits for time or the world, or reports the deadlock */

/* io.c */
long kernel_read(struct call *);
long kernel_write(struct call *);
long kernel_accept(struct call *);
long kernel_connect(struct call *);
long kernel_shutdown(struct call *);
long kernel_recv(struct call *);
long kernel_send(struct call *);
long kernel_transfer(struct call *);
long kernel_visible(struct call *); /* passes it on; other fibers may notice what it does, so it is a point */

/* poll_calls.c */
long kernel_ppoll(struct call *);
long kernel_select(struct call *);
long kernel_epoll(struct call *);

/* fd_calls.c */
long kernel_open(struct call *);
long kernel_close(struct call *);
long kernel_flock(struct call *);
long kernel_fcntl(struct call *);
long kernel_stat(struct call *);
long kernel_ioctl(struct call *);
long kernel_lseek(struct call *);
long kernel_getrandom(struct call *);

/* processors.c */
long kernel_setaffinity(struct call *);
long kernel_getaffinity(struct call *);
void kernel_pin(uint64_t n);        /* stays on the n-th of the processors allowed; the program does not notice */
void kernel_leave_processors(void); /* in a forked child: back to the processors that the parent had */
bool kernel_is_own_tid(long tid);   /* is it 0, our process or one of its threads? */

/* process.c */
long kernel_clone(struct call *);
long kernel_fork(struct call *);
long kernel_execve(struct call *);
long kernel_exit(struct call *);
long kernel_exit_group(struct call *);
long kernel_wait(struct call *);
long kernel_getpid(struct call *);
long kernel_gettid(struct call *);
long kernel_getppid(struct call *);
long kernel_set_tid_address(struct call *);
long kernel_set_robust_list(struct call *);
long kernel_get_robust_list(struct call *);
long kernel_rseq(struct call *);
long kernel_getcpu(struct call *);
long kernel_own_pid(struct call *);
long kernel_own_group(struct call *);
long kernel_prctl(struct call *);
long kernel_arch_prctl(struct call *);
long kernel_refuse(struct call *);
long kernel_yield(struct call *);
long kernel_map(struct call *);
long kernel_madvise(struct call *);
long kernel_shmat(struct call *);
bool kernel_is_shared_memory(const void *addr);
bool kernel_shares_memory(void); /* does this process share memory with others? */

/* futex.c */
long kernel_futex(struct call *);
void kernel_exit_robust(struct fiber *f);

#endif
