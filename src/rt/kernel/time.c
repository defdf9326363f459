/*
 * Virtual time.  The clock is a number: it moves a little at every point and every reading, and jumps to the next
 * deadline when nobody can run.  CLOCK_REALTIME is the same clock, counted from a fixed date; CPU time is counted
 * with it.
 *
 * A program that was started without the tool has real time: nothing is repeated there, and clocks behave as they do
 * natively.
 */
#include "rt/core/op.h"
#include "rt/kernel/kernel.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/kernel/local_fds.h"
#include "rt/kernel/signals.h"
#include "rt/kernel/above.h"
#include "rt/fibers/fiber.h"
#include "rt/order/happens_before.h"
#include "rt/fibers/sched.h"
#include "rt/fibers/choose.h"

#define SECOND     1000000000l
#define EPOCH      (1700000000l * SECOND) /* CLOCK_REALTIME when the virtual clock is at 0 */
#define START      (1000 * SECOND)        /* the virtual clock at the start */
#define MAX_TIMERS 256

struct timer {
	bool used;
	int fd; /* of a timerfd, or -1 */
	int clock;
	uint32_t tid; /* of SIGEV_THREAD_ID, or 0 for the process */
	int signal;   /* 0: none */
	int64_t deadline, interval;
	int64_t overrun;
	union sigval value;
};

/* Timer 0 is the process's ITIMER_REAL. */
static struct {
	struct timer timers[MAX_TIMERS];
	int64_t epoch; /* CLOCK_REALTIME minus CLOCK_MONOTONIC */
	int64_t start; /* where CPU time begins */
	bool real;     /* started without the tool: time is real */
	int64_t shift; /* readings are later than the clock by this, */
	int64_t pace;  /* and each reading adds this to it */
} state;

static int64_t real_clock(int clock)
{
	struct timespec t = {0};

	world2(SYS_clock_gettime, clock, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

int64_t kernel_world_clock(void) { return real_clock(CLOCK_MONOTONIC); }

bool kernel_time_is_real(void) { return state.real; }

void kernel_sync_clock(void)
{
	if (state.real)
		omen.clock = real_clock(CLOCK_MONOTONIC);
}

void kernel_time_start(void)
{
	state.real = !omen.board;
	state.epoch = !state.real ? EPOCH : real_clock(CLOCK_REALTIME) - real_clock(CLOCK_MONOTONIC);
	omen.clock = START;
	kernel_sync_clock();
	state.start = omen.clock;
	omen.next_deadline = NEVER;
	state.timers[0] = (struct timer){.used = true, .fd = -1, .signal = SIGALRM, .deadline = NEVER};
	for (int i = 0; i < MAX_TIMERS; i++)
		state.timers[i].deadline = NEVER;
}

static bool is_realtime(int clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static int64_t nanoseconds(const struct timespec *t) { return t->tv_sec * SECOND + t->tv_nsec; }

static struct timespec as_timespec(int64_t ns) { return (struct timespec){ns / SECOND, ns % SECOND}; }

static int64_t add(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) || sum == NEVER ? NEVER - 1 : sum;
}

int64_t kernel_deadline(int clock, const struct timespec *t, bool absolute)
{
	OP(UNCLEAR, .object = "waits have a time limit");
	int64_t ns = t->tv_sec > INT64_MAX / SECOND - 1 ? NEVER - 1 : nanoseconds(t);

	if (!absolute)
		return add(omen.clock, ns);
	return (is_realtime(clock) ? ns - state.epoch : ns) - state.shift;
}

#define SHIFT (3723 * SECOND + 456789123) /* more than an hour, but not past midnight */
#define OTHER 20000                       /* process and thread ids get higher by this */

void kernel_shift_clock(uint32_t how)
{
	static const struct {
		int64_t shift, pace;
	} clocks[OTHER_CLOCKS + 1] = {{0, 0},
	                              {SHIFT, 0},
	                              {SHIFT + SECOND, 1234567},
	                              {SHIFT + 2 * SECOND, SECOND + 345678901},
	                              {3217654, 76543}};

	how = how <= OTHER_CLOCKS ? how : 0;
	state.shift = clocks[how].shift;
	state.pace = clocks[how].pace;
	omen.former_pid = omen.pid;
	omen.pid += OTHER;
	omen.tids += OTHER;
}

int64_t kernel_monotonic_reading(void)
{
	state.shift += state.pace;
	return omen.clock + state.shift;
}

/*
 * A clock of processor time stands still while its thread, or every thread, waits.  The clock of one thread or
 * process has its id in its number, as in the kernel: ~id << 3, plus 2 for a process or 6 for a thread.
 */
static bool is_processor_clock(int clock)
{
	return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

static int64_t processor_time(int clock)
{
	bool thread = clock == CLOCK_THREAD_CPUTIME_ID || (clock < 0 && clock & 4);
	uint32_t tid = clock < 0 ? ~(uint32_t)(clock >> 3) : 0;
	const struct fiber *f = thread && tid ? fiber_by_tid(tid) : omen.current;

	if (state.real) /* of all threads together: it is not counted for each */
		return real_clock(CLOCK_PROCESS_CPUTIME_ID);
	return thread && f ? f->cpu : omen.cpu;
}

void kernel_clock(int clock, struct timespec *t)
{
	int64_t now = kernel_monotonic_reading();

	if (is_processor_clock(clock))
		now += processor_time(clock) - omen.clock;
	*t = as_timespec(is_realtime(clock) ? now + state.epoch : now);
}

static struct timeval as_timeval(int64_t ns) { return (struct timeval){ns / SECOND, ns % SECOND / 1000}; }

void kernel_fill_rusage(int who, struct rusage *r)
{
	int64_t used = kernel_monotonic_reading() - omen.clock + processor_time(CLOCK_PROCESS_CPUTIME_ID),
	        other = state.shift / SECOND;

	memset(r, 0, sizeof(*r));
	if (who == RUSAGE_CHILDREN)
		return;
	r->ru_utime = as_timeval(used);
	r->ru_stime = as_timeval(used / 8);
	r->ru_maxrss = 8192 + other;
	r->ru_minflt = 1024 + other;
	r->ru_nvcsw = 8 + other;
	r->ru_nivcsw = 8 + other;
}

void kernel_fill_sysinfo(struct sysinfo *s)
{
	uint64_t other = (uint64_t)(state.shift / SECOND);

	s->uptime = kernel_monotonic_reading() / SECOND;
	for (int i = 0; i < 3; i++)
		s->loads[i] = (1ul << SI_LOAD_SHIFT) + other;
	s->freeram = s->totalram / 2 + other;
	s->sharedram = s->bufferram = s->totalram / 8 + other;
	s->freeswap = s->totalswap;
	s->procs = (unsigned short)(100 + other % 1000);
}

/* ---- what comes due ---- */

static void expire(struct timer *t)
{
	int64_t times = 1;

	if (t->interval) {
		times += (omen.clock - t->deadline) / t->interval;
		t->deadline = add(t->deadline, times * t->interval);
	} else {
		t->deadline = NEVER;
	}
	if (t->fd >= 0) {
		uint64_t count = (uint64_t)times;
		world3(SYS_write, t->fd, &count, sizeof(count));
		omen.io_dirty = true;
		return;
	}
	if (!t->signal)
		return;
	siginfo_t info;
	memset(&info, 0, sizeof(info));
	info.si_signo = t->signal;
	info.si_code = t == &state.timers[0] ? SI_KERNEL : SI_TIMER;
	info.si_value = t->value;
	info.si_timerid = (int)(t - state.timers);
	info.si_overrun = (int)(times - 1);
	t->overrun = times - 1;
	signals_post(t->tid ? fiber_by_tid(t->tid) : NULL, t->signal, &info);
}

bool kernel_timers_armed(void)
{
	for (int i = 0; i < MAX_TIMERS; i++)
		if (state.timers[i].used && state.timers[i].deadline != NEVER)
			return true;
	return false;
}

bool kernel_timer_kills(int64_t until)
{
	for (int i = 0; i < MAX_TIMERS; i++) {
		const struct timer *t = &state.timers[i];
		if (t->used && t->fd < 0 && t->signal && t->deadline != NEVER && t->deadline <= until &&
		    signals_kills(t->signal))
			return true;
	}
	return false;
}

void kernel_disarm_timers(void)
{
	for (int i = 0; i < MAX_TIMERS; i++)
		if (state.timers[i].fd < 0)
			state.timers[i].deadline = NEVER;
}

void kernel_fire_timers(void)
{
	int64_t next = NEVER;

	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct fiber *f = omen.live[i];
		if (f->state != FIBER_BLOCKED || f->wait.deadline == NEVER)
			continue;
		if (f->wait.deadline <= omen.clock)
			sched_unblock(f, WAIT_TIMEOUT);
		else if (f->wait.deadline < next)
			next = f->wait.deadline;
	}
	for (int i = 0; i < MAX_TIMERS; i++) {
		struct timer *t = &state.timers[i];
		if (!t->used || t->deadline == NEVER)
			continue;
		if (t->deadline <= omen.clock)
			expire(t);
		if (t->deadline < next)
			next = t->deadline;
	}
	omen.next_deadline = next;
}

/* ---- clocks ---- */

static void read_clock(void)
{
	OP(UNCLEAR, .object = "the clock is read");
	sched_spend(1000);
	omen.progress++; /* whoever reads the clock sees it move: a loop that does so makes progress */
	kernel_sync_clock();
	if (unlikely(omen.clock >= omen.next_deadline))
		kernel_fire_timers();
}

long kernel_clock_gettime(struct call *c)
{
	struct timespec t;

	read_clock();
	kernel_clock((int)c->arg[0], &t);
	*(struct timespec *)c->arg[1] = t;
	return 0;
}

long kernel_gettimeofday(struct call *c)
{
	struct timeval *tv = (void *)c->arg[0];
	struct timespec t;

	read_clock();
	kernel_clock(CLOCK_REALTIME, &t);
	if (tv)
		*tv = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
	if (c->arg[1])
		memset((void *)c->arg[1], 0, sizeof(struct timezone));
	return 0;
}

long kernel_time(struct call *c)
{
	struct timespec t;

	read_clock();
	kernel_clock(CLOCK_REALTIME, &t);
	if (c->arg[0])
		*(time_t *)c->arg[0] = t.tv_sec;
	return t.tv_sec;
}

long kernel_times(struct call *c)
{
	read_clock();

	int64_t now = kernel_monotonic_reading();
	if (c->arg[0])
		*(struct tms *)c->arg[0] = (struct tms){
		        .tms_utime = (now - omen.clock + processor_time(CLOCK_PROCESS_CPUTIME_ID)) / (SECOND / 100)};
	return now / (SECOND / 100);
}

/* ---- sleeping ---- */

static long sleep_until(struct call *c, int64_t deadline, struct timespec *left)
{
	struct fiber *f = omen.current;

	f->wait = (struct wait){.kind = WAIT_KEY, .deadline = deadline};
	enum wait_result r = deadline <= omen.clock ? WAIT_TIMEOUT : sched_block(c->where);
	if (r == WAIT_TIMEOUT) {
		sched_point(POINT_YIELD, c->where);
		return 0;
	}
	signals_deliver();
	if (left)
		*left = as_timespec(deadline > omen.clock ? deadline - omen.clock : 0);
	return -EINTR;
}

/* Any time may pass meanwhile: other threads may do all they have to do, or nothing. */
static long sleep_untimed(struct call *c)
{
	sched_point(POINT_YIELD, c->where);
	return 0;
}

static bool bad_time(const struct timespec *t) { return t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= SECOND; }

long kernel_nanosleep(struct call *c)
{
	const struct timespec *t = (const void *)c->arg[0];

	if (bad_time(t))
		return -EINVAL;
	if (unlikely(mode_is(STEPS)))
		return sleep_untimed(c);
	return sleep_until(c, kernel_deadline(CLOCK_MONOTONIC, t, false), (void *)c->arg[1]);
}

long kernel_clock_nanosleep(struct call *c)
{
	const struct timespec *t = (const void *)c->arg[2];
	bool absolute = c->arg[1] & TIMER_ABSTIME;

	if (bad_time(t))
		return -EINVAL;
	if (unlikely(mode_is(STEPS)))
		return sleep_untimed(c);
	return sleep_until(c, kernel_deadline((int)c->arg[0], t, absolute), absolute ? NULL : (void *)c->arg[3]);
}

/* ---- timers ---- */

static void set_timer(struct timer *t, int clock, const struct itimerspec *spec, bool absolute)
{
	order_release_too(ORDER_TIMERS);
	order_release_too(ORDER_OTHERS); /* the descriptor of a timer */
	order_release_too(ORDER_ANY);
	t->interval = nanoseconds(&spec->it_interval);
	t->deadline = nanoseconds(&spec->it_value) ? kernel_deadline(clock, &spec->it_value, absolute) : NEVER;
	if (t->deadline < omen.next_deadline)
		omen.next_deadline = t->deadline;
	jumps_expect();
}

static struct itimerspec remaining(const struct timer *t)
{
	int64_t left = t->deadline == NEVER ? 0 : t->deadline > omen.clock ? t->deadline - omen.clock : 1;

	omen.progress++;
	return (struct itimerspec){as_timespec(t->interval), as_timespec(left)};
}

static struct timer *timer_by_id(long id)
{
	return id > 0 && id < MAX_TIMERS && state.timers[id].used && state.timers[id].fd < 0 ? &state.timers[id] : NULL;
}

static struct timer *timer_by_fd(int fd)
{
	for (int i = 1; i < MAX_TIMERS; i++)
		if (state.timers[i].used && state.timers[i].fd == fd)
			return &state.timers[i];
	return NULL;
}

static struct timer *timer_new(void)
{
	for (int i = 1; i < MAX_TIMERS; i++)
		if (!state.timers[i].used) {
			state.timers[i] = (struct timer){.used = true, .fd = -1, .deadline = NEVER};
			return &state.timers[i];
		}
	return NULL;
}

static struct itimerval as_itimerval(const struct itimerspec *s)
{
	return (struct itimerval){{s->it_interval.tv_sec, s->it_interval.tv_nsec / 1000},
	                          {s->it_value.tv_sec, (s->it_value.tv_nsec + 999) / 1000}};
}

long kernel_getitimer(struct call *c)
{
	struct itimerspec left = remaining(&state.timers[0]);

	if (c->arg[0] != ITIMER_REAL)
		return kernel_pass(c);
	*(struct itimerval *)c->arg[1] = as_itimerval(&left);
	return 0;
}

long kernel_setitimer(struct call *c)
{
	const struct itimerval *new = (const void *)c->arg[1];
	struct itimerspec left = remaining(&state.timers[0]);

	if (c->arg[0] != ITIMER_REAL)
		return kernel_pass(c);
	struct itimerspec spec = {{0}, {0}};
	if (new)
		spec = (struct itimerspec){{new->it_interval.tv_sec, new->it_interval.tv_usec * 1000},
		                           {new->it_value.tv_sec, new->it_value.tv_usec * 1000}};
	if (bad_time(&spec.it_value) || bad_time(&spec.it_interval))
		return -EINVAL;
	set_timer(&state.timers[0], CLOCK_MONOTONIC, &spec, false);
	if (c->arg[2])
		*(struct itimerval *)c->arg[2] = as_itimerval(&left);
	return 0;
}

long kernel_alarm(struct call *c)
{
	struct itimerspec left = remaining(&state.timers[0]);
	struct itimerspec spec = {{0}, {(time_t)(unsigned)c->arg[0], 0}};

	set_timer(&state.timers[0], CLOCK_MONOTONIC, &spec, false);
	return left.it_value.tv_sec + (left.it_value.tv_nsec != 0);
}

long kernel_timer_create(struct call *c)
{
	const struct sigevent *e = (const void *)c->arg[1];
	struct timer *t = timer_new();

	if (!t)
		return -EAGAIN;
	t->clock = (int)c->arg[0];
	t->signal = SIGALRM;
	t->value.sival_int = (int)(t - state.timers);
	if (e) {
		t->signal = e->sigev_notify == SIGEV_NONE ? 0 : e->sigev_signo;
		t->value = e->sigev_value;
		if (e->sigev_notify == SIGEV_THREAD_ID)
			t->tid = (uint32_t)e->_sigev_un._tid;
	}
	*(int *)c->arg[2] = (int)(t - state.timers);
	return 0;
}

static long settime(struct timer *t, bool absolute, const struct itimerspec *new, struct itimerspec *old)
{
	struct itimerspec left = remaining(t);

	if (bad_time(&new->it_value) || bad_time(&new->it_interval))
		return -EINVAL;
	set_timer(t, t->clock, new, absolute);
	if (old)
		*old = left;
	return 0;
}

long kernel_timer_settime(struct call *c)
{
	struct timer *t = timer_by_id(c->arg[0]);

	return t ? settime(t, c->arg[1] & TIMER_ABSTIME, (const void *)c->arg[2], (void *)c->arg[3]) : -EINVAL;
}

long kernel_timer_gettime(struct call *c)
{
	struct timer *t = timer_by_id(c->arg[0]);

	if (!t)
		return -EINVAL;
	*(struct itimerspec *)c->arg[1] = remaining(t);
	return 0;
}

long kernel_timer_getoverrun(struct call *c)
{
	struct timer *t = timer_by_id(c->arg[0]);

	return t ? t->overrun : -EINVAL;
}

long kernel_timer_delete(struct call *c)
{
	struct timer *t = timer_by_id(c->arg[0]);

	if (!t)
		return -EINVAL;
	t->used = false;
	return 0;
}

/* A timerfd is an eventfd that a virtual timer writes to: the kernel does reading, polling and epoll. */
long kernel_timerfd_create(struct call *c)
{
	struct timer *t = timer_new();

	if (!t)
		return -EMFILE;
	int flags = (c->arg[1] & TFD_NONBLOCK ? EFD_NONBLOCK : 0) | (c->arg[1] & TFD_CLOEXEC ? EFD_CLOEXEC : 0);
	long fd = world2(SYS_eventfd2, 0, flags);
	if (fd < 0) {
		t->used = false;
		return fd;
	}
	t->fd = (int)fd;
	local_fds_made((int)fd);
	t->clock = (int)c->arg[0];
	return fd;
}

long kernel_timerfd_settime(struct call *c)
{
	struct timer *t = timer_by_fd((int)c->arg[0]);
	uint64_t old;

	if (!t)
		return -EINVAL;
	struct pollfd ready = {.fd = t->fd, .events = POLLIN};
	if (world3(SYS_poll, &ready, 1, 0) > 0) /* setting a timer drops the expirations that were not read */
		world3(SYS_read, t->fd, &old, sizeof(old));
	return settime(t, c->arg[1] & TFD_TIMER_ABSTIME, (const void *)c->arg[2], (void *)c->arg[3]);
}

long kernel_timerfd_gettime(struct call *c)
{
	struct timer *t = timer_by_fd((int)c->arg[0]);

	if (!t)
		return -EINVAL;
	*(struct itimerspec *)c->arg[1] = remaining(t);
	return 0;
}

void kernel_time_forget_fd(int fd)
{
	struct timer *t = timer_by_fd(fd);

	if (t)
		t->used = false;
}
