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
void env_arm(void); /* from now on syscalls trap; ends the process with a message if the kernel cannot do that */
long env_call(struct call *call);       /* answers one syscall */
long env_pass(const struct call *call); /* asks the world */

/* time.c */
void env_fire_timers(void); /* ends the waits and timers that are due */
void env_time_start(void);
int64_t env_real_clock(void); /* CLOCK_MONOTONIC of the world */
bool env_time_is_real(void);
void env_sync_clock(void); /* without the tool: sets the clock to the real one */
int64_t env_deadline(int clock, const struct timespec *t, bool absolute);
void env_clock(int clock, struct timespec *t);
/* The running fiber has run for so long. */
static inline void env_spend(int64_t ns)
{
	omen.clock += ns;
	omen.cpu += ns;
	if (omen.current)
		omen.current->cpu += ns;
}
int64_t env_reading(void); /* what CLOCK_MONOTONIC shows to the program */
/*
 * From now on clocks, CPU times and ids show other values, so that the tool sees what depends on them.  1: clocks are
 * ahead; 2, 3: and go faster, by a little and by much; 4: both by so little that no time limit is reached by it.
 */
void env_shift_clock(uint32_t how);
/* What this process has used, and the state of the machine: virtual values, as the real ones differ each time. */
void env_usage(int who, struct rusage *r);
void env_machine(struct sysinfo *s);
bool env_timers_armed(void);
bool env_timer_kills(int64_t until); /* a timer that is due by then ends the process: its signal has no handler */
void env_disarm_timers(void);        /* in a forked child: the timers are the parent's */
void env_time_forget_fd(int fd);     /* the descriptor was closed: a timer that it belongs to is gone */
long env_clock_gettime(struct call *);
long env_gettimeofday(struct call *);
long env_time(struct call *);
long env_times(struct call *);
long env_nanosleep(struct call *);
long env_clock_nanosleep(struct call *);
long env_setitimer(struct call *);
long env_getitimer(struct call *);
long env_alarm(struct call *);
long env_timer_create(struct call *);
long env_timer_settime(struct call *);
long env_timer_gettime(struct call *);
long env_timer_getoverrun(struct call *);
long env_timer_delete(struct call *);
long env_timerfd_create(struct call *);
long env_timerfd_settime(struct call *);
long env_timerfd_gettime(struct call *);

/* idle.c */
void env_poll(int64_t timeout); /* ends the waits of fibers whose descriptors are ready; timeout in ns, -1: for ever */
bool env_alone(void);           /* an exploration or a replay: nobody outside sends a signal */
void env_look_again(void);      /* looks at children, and at futexes that other processes can change */
void env_idle(void);            /* nobody can run: waits for time or the world, or reports the deadlock */
long env_read(struct call *);
long env_write(struct call *);
long env_accept(struct call *);
long env_connect(struct call *);
long env_shutdown(struct call *);
long env_recv(struct call *);
long env_send(struct call *);
long env_transfer(struct call *);
long env_ppoll(struct call *);
long env_select(struct call *);
long env_epoll(struct call *);
long env_flock(struct call *);
long env_fcntl(struct call *);
long env_open(struct call *);
long env_close(struct call *);
long env_stat(struct call *);
long env_ioctl(struct call *);
long env_lseek(struct call *);
long env_visible(struct call *);
long env_getrandom(struct call *);

/* process.c */
long env_clone(struct call *);
long env_fork(struct call *);
long env_execve(struct call *);
long env_exit(struct call *);
long env_exit_group(struct call *);
long env_wait(struct call *);
long env_getpid(struct call *);
long env_gettid(struct call *);
long env_getppid(struct call *);
long env_set_tid_address(struct call *);
long env_robust_list(struct call *);
long env_get_robust_list(struct call *);
long env_rseq(struct call *);
long env_getcpu(struct call *);
long env_setaffinity(struct call *);
long env_getaffinity(struct call *);
void env_pin(uint64_t n);        /* stays on the n-th of the processors allowed; the program does not notice */
void env_leave_processors(void); /* in a forked child: back to the processors that the parent had */
bool env_is_own(long tid);       /* is it 0, our process or one of its threads? */
long env_own_pid(struct call *);
long env_own_group(struct call *);
long env_prctl(struct call *);
long env_arch_prctl(struct call *);
long env_refuse(struct call *);
long env_yield(struct call *);
long env_map(struct call *);
long env_madvise(struct call *);
long env_shmat(struct call *);
bool env_is_shared(const void *addr);
bool env_shares(void); /* does this process share memory with others? */

/* futex.c */
long env_futex(struct call *);
void env_exit_robust(struct fiber *f);

#endif
