/*
 * The interposed functions of pthread, C11 threads and semaphores.  glibc's own do the work (env/ is the kernel below
 * them); what is added here is what a syscall does not show: a scheduling point before an operation that takes
 * something and after one that gives something, and the name of the object, for the report of a deadlock.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "rt/env/env.h"
#include "rt/rt.h"
#include "rt/sched.h"
#include "rt/sync.h"
#include "rt/text.h"

/* The functions interposed: one table, from which the pointers to the real ones come. */
/* clang-format off */
#define REALS(X)                                                                                                       \
	X(pthread_create) X(pthread_join) X(pthread_tryjoin_np) X(pthread_timedjoin_np) X(pthread_clockjoin_np)        \
	X(pthread_detach) X(pthread_cancel) X(pthread_once)                                                            \
	X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock) X(pthread_mutex_clocklock)           \
	X(pthread_mutex_unlock)                                                                                        \
	X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_timedrdlock)                             \
	X(pthread_rwlock_clockrdlock) X(pthread_rwlock_wrlock) X(pthread_rwlock_trywrlock)                             \
	X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock)                           \
	X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait) X(pthread_cond_signal)                \
	X(pthread_cond_broadcast) X(pthread_barrier_wait)                                                              \
	X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock)                                            \
	X(sem_wait) X(sem_trywait) X(sem_timedwait) X(sem_clockwait) X(sem_post)                                       \
	X(thrd_create) X(thrd_join) X(mtx_lock) X(mtx_trylock) X(mtx_timedlock) X(mtx_unlock)                          \
	X(cnd_wait) X(cnd_timedwait) X(cnd_signal) X(cnd_broadcast) X(call_once)
/* clang-format on */

static struct {
#define X(name) __typeof__(&name) name;
	REALS(X)
#undef X
} real;

void sync_start(void)
{
	static const char *const names[] = {
#define X(name) #name,
	        REALS(X)
#undef X
	};
	void **at = (void **)&real;
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		at[i] = dlsym(libc ? libc : RTLD_NEXT, names[i]);
		if (!at[i])
			text_die("the C library has no %s", names[i]);
	}
}

/* An interposed function may be called by another library's constructor before ours has run. */
#define REAL(name) (likely(real.name != NULL) ? real.name : (sync_start(), real.name))

#define HERE where_code(__builtin_return_address(0))

struct named {
	enum object_kind kind;
	const void *object, *mutex;
};

static inline struct named enter(enum object_kind kind, const void *object, uint64_t where)
{
	sched_point(POINT_SYNC, where);
	struct fiber *f = omen.current;
	if (unlikely(!f))
		return (struct named){OBJECT_NONE, NULL, NULL};
	struct named outer = {f->object_kind, f->object, f->mutex};
	f->object_kind = kind;
	f->object = object;
	f->mutex = NULL;
	return outer;
}

static inline void leave(struct named outer)
{
	struct fiber *f = omen.current;

	if (unlikely(!f))
		return;
	f->object_kind = outer.kind;
	f->object = outer.object;
	f->mutex = outer.mutex;
}

/* Takes something: a point, then the real call under the object's name. */
#define TAKE(kind, object, call)                                                                                       \
	({                                                                                                             \
		struct named outer_ = enter(kind, object, HERE);                                                       \
		__typeof__(call) result_ = (call);                                                                     \
		leave(outer_);                                                                                         \
		result_;                                                                                               \
	})

/* Gives something: the real call, then a point. What it does to the object must not pass for nothing (loop.c). */
#define GIVE(call)                                                                                                     \
	({                                                                                                             \
		__typeof__(call) result_ = (call);                                                                     \
		omen.progress++;                                                                                       \
		sched_point(POINT_SYNC, HERE);                                                                         \
		result_;                                                                                               \
	})

/* Gives a lock back: others must be able to come by while it is held, even if nothing happens under it. */
#define UNLOCK(call)                                                                                                   \
	({                                                                                                             \
		sched_point(POINT_SYNC, HERE);                                                                         \
		GIVE(call);                                                                                            \
	})

/* ---- threads ---- */

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	return GIVE(REAL(pthread_create)(thread, attr, start, arg));
}
EXPORT int pthread_join(pthread_t t, void **result)
{
	return TAKE(OBJECT_THREAD, (void *)t, REAL(pthread_join)(t, result));
}
EXPORT int pthread_tryjoin_np(pthread_t t, void **result)
{
	return TAKE(OBJECT_THREAD, (void *)t, REAL(pthread_tryjoin_np)(t, result));
}
EXPORT int pthread_timedjoin_np(pthread_t t, void **result, const struct timespec *until)
{
	return TAKE(OBJECT_THREAD, (void *)t, REAL(pthread_timedjoin_np)(t, result, until));
}
EXPORT int pthread_clockjoin_np(pthread_t t, void **result, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_THREAD, (void *)t, REAL(pthread_clockjoin_np)(t, result, clock, until));
}
EXPORT int pthread_detach(pthread_t t) { return GIVE(REAL(pthread_detach)(t)); }
EXPORT int pthread_cancel(pthread_t t) { return GIVE(REAL(pthread_cancel)(t)); }
EXPORT int pthread_once(pthread_once_t *once, void (*init)(void))
{
	return TAKE(OBJECT_ONCE, once, REAL(pthread_once)(once, init));
}

/* ---- mutexes ---- */

EXPORT int pthread_mutex_lock(pthread_mutex_t *m) { return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_lock)(m)); }
EXPORT int pthread_mutex_trylock(pthread_mutex_t *m) { return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_trylock)(m)); }
EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_timedlock)(m, until));
}
EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_clocklock)(m, clock, until));
}
EXPORT int pthread_mutex_unlock(pthread_mutex_t *m) { return UNLOCK(REAL(pthread_mutex_unlock)(m)); }

/* ---- reader-writer locks ---- */

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_rdlock)(l)); }
EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_tryrdlock)(l));
}
EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_timedrdlock)(l, until));
}
EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_clockrdlock)(l, clock, until));
}
EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_wrlock)(l)); }
EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_trywrlock)(l));
}
EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_timedwrlock)(l, until));
}
EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_clockwrlock)(l, clock, until));
}
EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l) { return UNLOCK(REAL(pthread_rwlock_unlock)(l)); }

/* ---- condition variables ---- */

/* While it waits, a fiber waits for the condition; when it takes the mutex again, for the mutex: both are noted. */
#define WAIT(cond, m, call)                                                                                            \
	({                                                                                                             \
		struct named outer_ = enter(OBJECT_COND, cond, HERE);                                                  \
		if (likely(omen.current != NULL))                                                                      \
			omen.current->mutex = (m);                                                                     \
		int result_ = (call);                                                                                  \
		leave(outer_);                                                                                         \
		result_;                                                                                               \
	})

EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	return WAIT(c, m, REAL(pthread_cond_wait)(c, m));
}
EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
	return WAIT(c, m, REAL(pthread_cond_timedwait)(c, m, until));
}
EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return WAIT(c, m, REAL(pthread_cond_clockwait)(c, m, clock, until));
}
EXPORT int pthread_cond_signal(pthread_cond_t *c) { return GIVE(REAL(pthread_cond_signal)(c)); }
EXPORT int pthread_cond_broadcast(pthread_cond_t *c) { return GIVE(REAL(pthread_cond_broadcast)(c)); }

/* ---- barriers, spin locks, semaphores ---- */

EXPORT int pthread_barrier_wait(pthread_barrier_t *b) { return TAKE(OBJECT_BARRIER, b, REAL(pthread_barrier_wait)(b)); }

/* glibc's spins for real, which on one kernel thread is for ever: here the fiber blocks until the lock is given back.
 */
EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
	struct named outer = enter(OBJECT_SPINLOCK, (const void *)l, HERE);

	while (REAL(pthread_spin_trylock)(l)) {
		omen.current->wait = (struct wait){.kind = WAIT_KEY,
		                                   .key = (const void *)l,
		                                   .bits = ~0u,
		                                   .deadline = NEVER,
		                                   .uninterruptible = true};
		sched_block(HERE);
	}
	leave(outer);
	return 0;
}
EXPORT int pthread_spin_trylock(pthread_spinlock_t *l)
{
	return TAKE(OBJECT_SPINLOCK, (const void *)l, REAL(pthread_spin_trylock)(l));
}
EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
	sched_point(POINT_SYNC, HERE);
	int result = REAL(pthread_spin_unlock)(l);

	omen.progress++;
	sched_wake((const void *)l, 1, ~0u);
	sched_point(POINT_SYNC, HERE);
	return result;
}

EXPORT int sem_wait(sem_t *s) { return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_wait)(s)); }
EXPORT int sem_trywait(sem_t *s) { return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_trywait)(s)); }
EXPORT int sem_timedwait(sem_t *s, const struct timespec *until)
{
	return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_timedwait)(s, until));
}
EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_clockwait)(s, clock, until));
}
EXPORT int sem_post(sem_t *s) { return GIVE(REAL(sem_post)(s)); }

/* ---- C11 threads ---- */

EXPORT int thrd_create(thrd_t *t, thrd_start_t start, void *arg) { return GIVE(REAL(thrd_create)(t, start, arg)); }
EXPORT int thrd_join(thrd_t t, int *result) { return TAKE(OBJECT_THREAD, (void *)t, REAL(thrd_join)(t, result)); }
EXPORT int mtx_lock(mtx_t *m) { return TAKE(OBJECT_MUTEX, m, REAL(mtx_lock)(m)); }
EXPORT int mtx_trylock(mtx_t *m) { return TAKE(OBJECT_MUTEX, m, REAL(mtx_trylock)(m)); }
EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(mtx_timedlock)(m, until));
}
EXPORT int mtx_unlock(mtx_t *m) { return UNLOCK(REAL(mtx_unlock)(m)); }
EXPORT int cnd_wait(cnd_t *c, mtx_t *m) { return WAIT(c, m, REAL(cnd_wait)(c, m)); }
EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
	return WAIT(c, m, REAL(cnd_timedwait)(c, m, until));
}
EXPORT int cnd_signal(cnd_t *c) { return GIVE(REAL(cnd_signal)(c)); }
EXPORT int cnd_broadcast(cnd_t *c) { return GIVE(REAL(cnd_broadcast)(c)); }
EXPORT void call_once(once_flag *flag, void (*init)(void))
{
	struct named outer = enter(OBJECT_ONCE, flag, HERE);

	REAL(call_once)(flag, init);
	leave(outer);
}

/* ---- common syscalls, without the trap ---- */

static long call(long nr, long a, long b)
{
	struct call c = {.nr = nr, .arg = {a, b}};

	return env_call(&c);
}

EXPORT int sched_yield(void)
{
	sched_point(POINT_YIELD, HERE);
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
