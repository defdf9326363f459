/* pthread: threads, mutexes, reader-writer locks, conditions, barriers, spin locks, semaphores (see interpose.h). */
#include <dlfcn.h>
#include <string.h>

#include "rt/core/real.h"
#include "rt/core/text.h"
#include "rt/order/happens_before.h"
#include "rt/threads/held_locks.h"
#include "rt/threads/interpose.h"

struct reals real;

void sync_start(void)
{
	static const char *const names[] = {
#define X(name) #name,
	        REALS(X)
#undef X
	};

	real_find((void **)&real, names, sizeof(names) / sizeof(*names));
}

/* ---- how these functions order threads: happens_before.c ---- */

void took_end(enum object_kind kind, const void *thread, int result)
{
	OP(TOOK, .object_kind = kind, .object = thread, .flags = result ? 0 : OP_OK);
	if (result)
		return;
	order_joined(thread);
	notice_joined((uint64_t)thread);
}

static void has(const void *lock)
{
	if (likely(!mode_is(BLIND)))
		order_acquire(lock);
	held_add(lock);
}

static void has_no_more(const void *lock)
{
	held_remove(lock);
	if (likely(!mode_is(BLIND)))
		order_release(lock);
	OP(GAVE, .object = lock);
}

/* EOWNERDEAD: a robust mutex whose owner has died is locked, too. */
void took_lock(enum object_kind kind, const void *lock, int result)
{
	bool ok = !result || result == EOWNERDEAD;

	OP(TOOK, .object_kind = kind, .object = lock, .flags = ok ? OP_OK : 0);
	if (ok)
		has(lock);
}

void gives_lock(const void *lock)
{
	OP(GIVES, .object_kind = omen.current->object_kind, .object = lock);
	has_no_more(lock);
}

/* Only the owner can unlock a mutex that knows its owner; the attempt of another thread orders nothing. */
void gives_mutex(pthread_mutex_t *m)
{
	OP(GIVING, .object_kind = OBJECT_MUTEX, .object = m); /* also if a check ends the execution here */
	if (unlikely(mode_is(CHECK)))
		lock_check_unlock_mutex(m);
	int kind = m->__data.__kind & 3;
	bool knows_owner = kind == PTHREAD_MUTEX_RECURSIVE_NP || kind == PTHREAD_MUTEX_ERRORCHECK_NP;

	if (!omen.current || (knows_owner && (uint32_t)m->__data.__owner != omen.current->tid))
		return;
	gives_lock(m);
}

void took_for_reading(enum object_kind kind, const void *lock, int result)
{
	OP(TOOK, .object_kind = kind, .object = lock, .flags = OP_SHARED | (result ? 0 : OP_OK));
	if (!result)
		has(lock);
}

void took_for_writing(enum object_kind kind, const void *lock, int result)
{
	OP(TOOK, .object_kind = kind, .object = lock, .flags = result ? 0 : OP_OK);
	if (result)
		return;
	order_writer_acquires(lock);
	held_add(lock);
}

void gives_rwlock(pthread_rwlock_t *l)
{
	OP(GIVING, .object_kind = OBJECT_RWLOCK, .object = l);
	if (unlikely(mode_is(CHECK)))
		lock_check_unlock_rwlock(l);
	OP(GIVES, .object_kind = OBJECT_RWLOCK, .object = l);
	held_remove(l);
	if (omen.current && (uint32_t)l->__data.__cur_writer == omen.current->tid)
		order_release(l);
	else
		order_reader_releases(l);
	OP(GAVE, .object = l);
}

uint64_t sync_tokens(const void *semaphore)
{
	int n = 0;

	REAL(sem_getvalue)((sem_t *)semaphore, &n);
	return (uint64_t)n;
}

void took_token(enum object_kind kind, const void *semaphore, int result)
{
	OP(TOOK, .object_kind = kind, .object = semaphore, .flags = result ? 0 : OP_OK);
	if (!result)
		order_acquire(semaphore);
}

/* ---- threads ---- */

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	OP(CREATING);
	int state = PTHREAD_CREATE_JOINABLE;
	if (attr)
		pthread_attr_getdetachstate(attr, &state);
	return GIVE(({
		int failed = UNCOUNTED(REAL(pthread_create)(thread, attr, start, arg));
		if (!failed && state == PTHREAD_CREATE_JOINABLE)
			notice_created(*thread);
		failed;
	}));
}
EXPORT int pthread_join(pthread_t t, void **result)
{
	return AWAIT(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_join)(t, result)), took_end);
}
EXPORT int pthread_tryjoin_np(pthread_t t, void **result)
{
	return TAKE(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_tryjoin_np)(t, result)), took_end);
}
EXPORT int pthread_timedjoin_np(pthread_t t, void **result, const struct timespec *until)
{
	return TAKE(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_timedjoin_np)(t, result, until)), took_end);
}
EXPORT int pthread_clockjoin_np(pthread_t t, void **result, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_clockjoin_np)(t, result, clock, until)), took_end);
}
EXPORT int pthread_detach(pthread_t t)
{
	notice_joined(t);
	return GIVE(UNCOUNTED(REAL(pthread_detach)(t)));
}
EXPORT int pthread_cancel(pthread_t t) { return GIVE(REAL(pthread_cancel)(t)); }

/* The C library looks for the names of other threads in /proc, but the kernel does not know fibers. */
static struct fiber *other_fiber(pthread_t t)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->fs == t && omen.live[i] != omen.current)
			return omen.live[i];
	return NULL;
}

EXPORT int pthread_setname_np(pthread_t t, const char *name)
{
	struct fiber *f = other_fiber(t);

	if (!f)
		return REAL(pthread_setname_np)(t, name);
	if (strlen(name) >= sizeof(f->name))
		return ERANGE;
	text_format(f->name, sizeof(f->name), "%s", name);
	OP(NAMED, .fiber = f, .object = name);
	return 0;
}

EXPORT int pthread_getname_np(pthread_t t, char *name, size_t size)
{
	const struct fiber *f = other_fiber(t);

	if (!f)
		return REAL(pthread_getname_np)(t, name, size);
	if (size < sizeof(f->name))
		return ERANGE;
	text_format(name, sizeof(f->name), "%s", f->name[0] ? f->name : program_invocation_short_name);
	return 0;
}

/* After a pthread_once() a thread knows what its function did.  Other threads may pass as soon as glibc has seen the
 * function return. */
static void run_once(void)
{
	struct once *o = omen.current->once;

	/* an attempt that an exception has left is ordered before the next attempt */
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->once_tried == o->control)
			order_after(omen.live[i]);
	order_acquire(o->control);
	omen.current->once = o->outer;
	const void *tried = omen.current->once_tried;
	omen.current->once_tried = o->control;
	o->init();
	OP(ONCE, .object = o->control); /* others may pass before this call has returned */
	omen.current->once_tried = tried == o->control ? NULL : tried;
	order_release(o->control);
}

EXPORT int pthread_once(pthread_once_t *control, void (*init)(void))
{
	struct named outer = enter(OBJECT_ONCE, control, HERE);
	OP(USED, .object_kind = OBJECT_ONCE, .object = control);
	struct once o = {control, init, omen.current ? omen.current->once : NULL};

	if (!omen.current)
		return REAL(pthread_once)(control, init);
	omen.current->once = &o;
	int result = REAL(pthread_once)(control, run_once);
	OP(USED, .object_kind = OBJECT_ONCE, .object = control);
	omen.current->once = o.outer;
	order_acquire(control);
	OP(ONCE, .object = control);
	leave(outer);
	return result;
}

/* ---- mutexes ---- */

EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_lock)(m);
	return AWAIT(OBJECT_MUTEX, m, REAL(pthread_mutex_lock)(m), took_lock);
}
/* libomp tries again at once, and does not report it. */
static COLD int try_untold(pthread_mutex_t *m)
{
	int result = REAL(pthread_mutex_trylock)(m);

	if (result)
		sched_point(POINT_YIELD, HERE);
	return result;
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return try_untold(m);
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_trylock)(m), took_lock);
}
EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_timedlock)(m, until), took_lock);
}
EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_clocklock)(m, clock, until), took_lock);
}
EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_unlock)(m);
	return UNLOCK(OBJECT_MUTEX, m, REAL(pthread_mutex_unlock)(m), gives_mutex);
}
EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_destroy)(m);
	return PUT(OBJECT_MUTEX, m, OBJECT_GONE,
	           (IN_CHECK(lock_check_destroy_mutex(m)), REAL(pthread_mutex_destroy)(m)));
}

/* ---- reader-writer locks ---- */

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	lock_order_taking(l, true);
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_rdlock)(l), took_for_reading);
}
EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_tryrdlock)(l), took_for_reading);
}
EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_timedrdlock)(l, until), took_for_reading);
}
EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_clockrdlock)(l, clock, until), took_for_reading);
}
EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	lock_order_taking(l, false);
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_wrlock)(l), took_for_writing);
}
EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_trywrlock)(l), took_for_writing);
}
EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_timedwrlock)(l, until), took_for_writing);
}
EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_clockwrlock)(l, clock, until), took_for_writing);
}
EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	return UNLOCK(OBJECT_RWLOCK, l, REAL(pthread_rwlock_unlock)(l), gives_rwlock);
}
EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	return PUT(OBJECT_RWLOCK, l, OBJECT_GONE,
	           (IN_CHECK(lock_check_destroy_rwlock(l)), REAL(pthread_rwlock_destroy)(l)));
}

/* ---- condition variables ---- */

/* A condition wait releases its mutex and takes it again.  If the mutex was not taken because of WITHOUT_SYNC, it is
 * taken before the wait and released after it. */
COLD bool borrow_lock(pthread_mutex_t *m, uint64_t where)
{
	if (!without_sync_has(m))
		return false;
	struct named outer = enter(OBJECT_MUTEX, m, where);
	took_lock(OBJECT_MUTEX, m, REAL(pthread_mutex_lock)(m));
	leave(outer);
	return true;
}

COLD void give_lock_back(pthread_mutex_t *m)
{
	gives_mutex(m);
	REAL(pthread_mutex_unlock)(m);
}

/* A wait is reported as one operation, not as an unlock and a lock. */
void tell_waits(const void *mutex)
{
	OP(WAITS, .object = mutex, .value = (uint64_t)omen.current->object);
	has_no_more(mutex);
}

void has_again(void *mutex)
{
	OP(WAITED, .object = mutex, .value = (uint64_t)omen.current->object);
	has(mutex);
}

EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_cond_wait)(c, m);
	return WAIT(c, m, REAL(pthread_cond_wait)(c, m));
}
EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
	if (IS_TOLD)
		return REAL(pthread_cond_timedwait)(c, m, until);
	return WAIT(c, m, REAL(pthread_cond_timedwait)(c, m, until));
}
EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return WAIT(c, m, REAL(pthread_cond_clockwait)(c, m, clock, until));
}
EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
	if (IS_TOLD)
		return REAL(pthread_cond_signal)(c);
	return SIGNAL(c, SIGNALS, REAL(pthread_cond_signal)(c));
}
EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
	if (IS_TOLD)
		return REAL(pthread_cond_broadcast)(c);
	return SIGNAL(c, BROADCASTS, REAL(pthread_cond_broadcast)(c));
}
EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
	if (IS_TOLD)
		return REAL(pthread_cond_destroy)(c);
	return PUT(OBJECT_COND, c, OBJECT_GONE, (IN_CHECK(lock_check_destroy_cond(c)), REAL(pthread_cond_destroy)(c)));
}

/* ---- barriers, spin locks, semaphores ---- */

EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned count)
{
	int result = PUT(OBJECT_BARRIER, b, OBJECT_MADE, REAL(pthread_barrier_init)(b, attr, count));

	if (!result)
		order_barrier(b, count);
	return result;
}
EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
	struct named outer = enter(OBJECT_BARRIER, b, HERE);
	OP(USED, .object_kind = OBJECT_BARRIER, .object = b);
	object_used(OBJECT_BARRIER, b, HERE);
	struct round *round = order_arrive(b);
	OP(ARRIVES, .object = b);
	int result = REAL(pthread_barrier_wait)(b);

	OP(LEAVES, .object_kind = OBJECT_BARRIER, .object = b);
	order_leave(round);
	leave(outer);
	return result;
}

/* glibc's function spins, and on one kernel thread that never ends.  Here the fiber blocks until the lock is released.
 */
EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
	struct named outer = enter(OBJECT_SPINLOCK, (const void *)l, HERE);

	object_used(OBJECT_SPINLOCK, l, HERE);
	lock_order_taking((const void *)l, false);
	while (REAL(pthread_spin_trylock)(l)) {
		OP(FUTEX, .object = (const void *)l, .size = sizeof(*l));
		omen.current->wait = (struct wait){.kind = WAIT_KEY,
		                                   .key = (const void *)l,
		                                   .bits = ~0u,
		                                   .deadline = NEVER,
		                                   .uninterruptible = true};
		sched_block(HERE);
	}
	took_lock(OBJECT_SPINLOCK, (const void *)l, 0);
	leave(outer);
	return 0;
}
EXPORT int pthread_spin_trylock(pthread_spinlock_t *l)
{
	return TAKE(OBJECT_SPINLOCK, (const void *)l, REAL(pthread_spin_trylock)(l), took_lock);
}
EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
	op_count();
	sched_point(POINT_SYNC, HERE);
	object_used(OBJECT_SPINLOCK, l, HERE);
	if (unlikely(mode_is(CHECK)))
		lock_check_unlock_spin(l);
	gives_lock((const void *)l);
	int result = REAL(pthread_spin_unlock)(l);

	omen.progress++;
	sched_wake((const void *)l, 1, ~0u);
	sched_point(POINT_SYNC, HERE);
	return result;
}

EXPORT int sem_wait(sem_t *s) { return AWAIT(OBJECT_SEMAPHORE, s, REAL(sem_wait)(s), took_token); }
EXPORT int sem_trywait(sem_t *s) { return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_trywait)(s), took_token); }
EXPORT int sem_timedwait(sem_t *s, const struct timespec *until)
{
	return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_timedwait)(s, until), took_token);
}
EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_clockwait)(s, clock, until), took_token);
}
static inline void before_post(sem_t *s, uint64_t where)
{
	object_used(OBJECT_SEMAPHORE, s, where);
	order_release_too(s);
}

EXPORT int sem_post(sem_t *s)
{
	wild_access(s, sizeof(*s));
	if (likely(!mode_is(STEPS))) /* a thread that takes the semaphore at the point before the post is ordered, too:
	                                docs/status.md */
		before_post(s, HERE);
	return GIVE(({
		if (unlikely(mode_is(STEPS)))
			before_post(s, HERE);
		OP(POSTS, .object = s, .size = sizeof(*s));
		REAL(sem_post)(s);
	}));
}

/* ---- lives of objects ---- */

EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_init)(m, attr);
	return PUT(OBJECT_MUTEX, m, OBJECT_MADE, REAL(pthread_mutex_init)(m, attr));
}
EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	if (IS_TOLD)
		return REAL(pthread_cond_init)(c, attr);
	return PUT(OBJECT_COND, c, OBJECT_MADE, REAL(pthread_cond_init)(c, attr));
}
EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	return PUT(OBJECT_RWLOCK, l, OBJECT_MADE, REAL(pthread_rwlock_init)(l, attr));
}
EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
	return PUT(OBJECT_BARRIER, b, OBJECT_GONE, REAL(pthread_barrier_destroy)(b));
}
EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	return PUT(OBJECT_SPINLOCK, l, OBJECT_MADE, REAL(pthread_spin_init)(l, shared));
}
EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
	return PUT(OBJECT_SPINLOCK, l, OBJECT_GONE, REAL(pthread_spin_destroy)(l));
}
EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
	return PUT(OBJECT_SEMAPHORE, s, OBJECT_MADE, REAL(sem_init)(s, shared, value));
}
EXPORT int sem_destroy(sem_t *s) { return PUT(OBJECT_SEMAPHORE, s, OBJECT_GONE, REAL(sem_destroy)(s)); }
EXPORT int mtx_init(mtx_t *m, int type) { return PUT(OBJECT_MUTEX, m, OBJECT_MADE, REAL(mtx_init)(m, type)); }
EXPORT int cnd_init(cnd_t *c) { return PUT(OBJECT_COND, c, OBJECT_MADE, REAL(cnd_init)(c)); }
