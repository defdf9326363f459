/*
 * The kernel boundary.  In: every syscall of the program.  Out: what a kernel with one processor would answer, whose
 * only outside is the real one.  kernel/syscalls.h says which function answers which call; a call without one goes
 * through unchanged.
 *
 * Other rooms use the functions about time, waiting and processes; the functions that take a struct call are for the
 * table.
 */
#ifndef OMEN_KERNEL_H
#define OMEN_KERNEL_H

#include <time.h>

#include "rt/core/call.h"
#include "rt/core/rt.h"
#include "rt/fibers/above.h"

struct rusage;
struct sysinfo;

/* trap.c */
void kernel_arm(void); /* from now on syscalls trap; ends the process with a message if the kernel cannot do that */
long kernel_call(struct call *call);       /* answers one syscall */
long kernel_pass(const struct call *call); /* asks the world */

/* time.c; what fibers ask of it stands in fibers/above.h */
void kernel_time_start(void);
int64_t kernel_world_clock(void); /* CLOCK_MONOTONIC of the world */
bool kernel_time_is_real(void);
int64_t kernel_deadline(int clock, const struct timespec *t, bool absolute);
void kernel_clock(int clock, struct timespec *t);
int64_t kernel_monotonic_reading(void); /* what CLOCK_MONOTONIC shows to the program */
/*
 * From now on clocks, CPU times and ids show other values, so that the tool sees what depends on them.  1: clocks are
 * ahead; 2, 3: and go faster, by a little and by much; 4: both by so little that no time limit is reached by it.
 */
void kernel_shift_clock(uint32_t how);
/* What this process has used, and the state of the machine: virtual values, as the real ones differ each time. */
void kernel_fill_rusage(int who, struct rusage *r);
void kernel_fill_sysinfo(struct sysinfo *s);
void kernel_disarm_timers(void);    /* in a forked child: the timers are the parent's */
void kernel_time_forget_fd(int fd); /* the descriptor was closed: a timer that it belongs to is gone */
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
/*
 * glibc gives back the pages of a stack when its thread ends.  They are kept: the next thread will use them soon.
 */
bool kernel_keeps_pages(const struct call *);
long kernel_shmat(struct call *);
bool kernel_is_shared_memory(const void *addr);

/* futex.c */
long kernel_futex(struct call *);
void kernel_exit_robust(struct fiber *f);

#endif
