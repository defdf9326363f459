/*
 * The kernel boundary: every syscall of the program, as a kernel with one processor and no outside but the real one
 * would answer it.  A syscall that is not in the table of trap.c goes through unchanged.
 */
#ifndef OMEN_KERNEL_H
#define OMEN_KERNEL_H

#include <time.h>

#include "rt/fibers/above.h"
#include "rt/core/call.h"
#include "rt/core/rt.h"

struct rusage;
struct sysinfo;

/* trap.c */
void env_arm(void);                     /* from now on syscalls trap; message and exit where the kernel cannot */
long env_call(struct call *call);       /* answers one syscall */
long env_pass(const struct call *call); /* does it for real */

void env_time_start(void);
int64_t env_real_clock(void); /* CLOCK_MONOTONIC outside */
bool env_time_is_real(void);
int64_t env_deadline(int clock, const struct timespec *t, bool absolute);
void env_clock(int clock, struct timespec *t);
int64_t env_reading(void); /* what CLOCK_MONOTONIC shows to the program */
/*
 * From now on that is something else, and so are CPU times and ids: to see what depends on them.  1: clocks are ahead;
 * 2, 3: and go faster, by a little and by much; 4: so little of both that no limit is reached by it.
 */
void env_shift_clock(uint32_t how);
/* What this process has used, and the machine, as far as that is not for the kernel to say: it never says the same. */
void env_usage(int who, struct rusage *r);
void env_machine(struct sysinfo *s);
void env_disarm_timers(void);    /* in a forked child: timers are the parent's */
void env_time_forget_fd(int fd); /* a descriptor was closed: the timer behind it, if any, is gone */
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
void env_pin(uint64_t n);        /* stay on the n-th of the processors allowed; the program is not to notice */
void env_leave_processors(void); /* in the child of a fork: back to the processors that the parent found */
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

/* futex.c */
long env_futex(struct call *);
void env_exit_robust(struct fiber *f);

#endif
