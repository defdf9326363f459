/* The locks of streams that the program takes itself, the end of the program, and common syscalls that need no trap. */
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "rt/kernel/kernel.h"
#include "rt/order/happens_before.h"
#include "rt/threads/interpose.h"
#include "rt/threads/openmp.h"

/* ---- the locks of streams, where the program takes them itself ---- */

EXPORT void flockfile(FILE *f)
{
	sched_point(POINT_SYNC, HERE);
	OP(UNCLEAR, .object = "streams are locked");
	REAL(flockfile)(f);
	order_acquire(f);
}
EXPORT int ftrylockfile(FILE *f)
{
	sched_point(POINT_SYNC, HERE);
	int result = REAL(ftrylockfile)(f);
	if (!result)
		order_acquire(f);
	return result;
}
EXPORT void funlockfile(FILE *f)
{
	order_release_too(f);
	REAL(funlockfile)(f);
	sched_point(POINT_SYNC, HERE);
}

/* ---- the end ---- */

EXPORT void exit(int status)
{
	sync_ends();
	REAL(exit)(status);
	__builtin_unreachable();
}

void sync_ends(void)
{
	if (likely(!mode_is(STEPS)))
		return;
	sched_point(POINT_SYNC, HERE);
	OP(STREAM); /* the end takes the locks of all streams */
}

/* ---- common syscalls, without the trap ---- */

static long call(long nr, long a, long b)
{
	struct call c = {.nr = nr, .arg = {a, b}};

	return kernel_call(&c);
}

EXPORT int sched_yield(void)
{
	sched_point(POINT_YIELD, HERE);
	if (IS_TOLD)
		openmp_yields(__builtin_return_address(0));
	return 0;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *t)
{
	long r = call(SYS_clock_gettime, clock, (long)t);

	if (r < 0)
		errno = (int)-r;
	return r < 0 ? -1 : 0;
}

EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	return (int)call(SYS_gettimeofday, (long)tv, (long)tz);
}
EXPORT time_t time(time_t *t) { return call(SYS_time, (long)t, 0); }
EXPORT pid_t getpid(void) { return (pid_t)call(SYS_getpid, 0, 0); }
EXPORT pid_t gettid(void) { return (pid_t)call(SYS_gettid, 0, 0); }
