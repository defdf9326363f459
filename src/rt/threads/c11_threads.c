/* C11 threads.  glibc builds them from pthread's objects, so they are interposed in the same way (see interpose.h). */
#include "rt/threads/interpose.h"

EXPORT int thrd_create(thrd_t *t, thrd_start_t start, void *arg)
{
	OP(CREATING);
	return GIVE(UNCOUNTED(REAL(thrd_create)(t, start, arg)));
}
EXPORT int thrd_join(thrd_t t, int *result)
{
	return AWAIT(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(thrd_join)(t, result)), took_end);
}
EXPORT int mtx_lock(mtx_t *m) { return AWAIT(OBJECT_MUTEX, m, REAL(mtx_lock)(m), took_lock); }
EXPORT int mtx_trylock(mtx_t *m) { return TAKE(OBJECT_MUTEX, m, REAL(mtx_trylock)(m), took_lock); }
EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(mtx_timedlock)(m, until), took_lock);
}
static void unlocking_mtx(mtx_t *m)
{
	if (unlikely(mode_is(CHECK)))
		lock_check_unlock_mutex(m);
	gives_lock(m);
}
EXPORT int mtx_unlock(mtx_t *m) { return UNLOCK(OBJECT_MUTEX, m, REAL(mtx_unlock)(m), unlocking_mtx); }
EXPORT void mtx_destroy(mtx_t *m)
{
	PUT(OBJECT_MUTEX, m, OBJECT_GONE, (IN_CHECK(lock_check_destroy_mutex(m)), REAL(mtx_destroy)(m), 0));
}
EXPORT int cnd_wait(cnd_t *c, mtx_t *m) { return WAIT(c, m, REAL(cnd_wait)(c, m)); }
EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
	return WAIT(c, m, REAL(cnd_timedwait)(c, m, until));
}
EXPORT int cnd_signal(cnd_t *c) { return SIGNAL(c, SIGNALS, REAL(cnd_signal)(c)); }
EXPORT int cnd_broadcast(cnd_t *c) { return SIGNAL(c, BROADCASTS, REAL(cnd_broadcast)(c)); }
EXPORT void cnd_destroy(cnd_t *c)
{
	PUT(OBJECT_COND, c, OBJECT_GONE, (IN_CHECK(lock_check_destroy_cond(c)), REAL(cnd_destroy)(c), 0));
}
EXPORT int sem_getvalue(sem_t *s, int *value)
{
	struct named outer = enter(OBJECT_SEMAPHORE, s, HERE);

	OP(USED, .object_kind = OBJECT_SEMAPHORE, .object = s);
	object_used(OBJECT_SEMAPHORE, s, HERE);
	OP(ASKED, .object = s); /* the answer depends on which fibers have posted and taken before */
	int result = REAL(sem_getvalue)(s, value);
	leave(outer);
	return result;
}
EXPORT void call_once(once_flag *flag, void (*init)(void))
{
	pthread_once((pthread_once_t *)flag, init); /* as glibc does */
}
