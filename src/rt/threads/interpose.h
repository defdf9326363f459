/*
 * How functions of pthread, C11 threads and semaphores are interposed.  glibc's own functions do the work, and
 * rt/kernel is the kernel below them.  The macros here add what a syscall does not show: a scheduling point before an
 * operation that takes something, one before and one after an operation that gives something, and the name of the
 * object, for the report of a deadlock.  In: a call of the real function.  Out: its result.  For the files of this room
 * only.
 */
#ifndef OMEN_INTERPOSE_H
#define OMEN_INTERPOSE_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

#include "rt/core/op.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"
#include "rt/memory/memory_check.h"
#include "rt/memory/wild_pointer.h"
#include "rt/threads/lock_order.h"
#include "rt/threads/notice.h"
#include "rt/threads/sync.h"
#include "rt/threads/sync_object.h"
#include "rt/threads/without_sync.h"

/* The interposed functions: one table, from which the pointers to the real functions come. */
/* clang-format off */
#define REALS(X)                                                                                                       \
	X(pthread_create) X(pthread_join) X(pthread_tryjoin_np) X(pthread_timedjoin_np) X(pthread_clockjoin_np)        \
	X(pthread_detach) X(pthread_cancel) X(pthread_once) X(pthread_setname_np) X(pthread_getname_np)                \
	X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock) X(pthread_mutex_clocklock)           \
	X(pthread_mutex_unlock) X(pthread_mutex_destroy) X(pthread_rwlock_destroy) X(pthread_cond_destroy)              \
	X(pthread_mutex_init) X(pthread_cond_init) X(pthread_rwlock_init) X(pthread_barrier_destroy) X(pthread_spin_init) X(pthread_spin_destroy) X(sem_init) X(sem_destroy) X(mtx_init) X(cnd_init) \
	X(mtx_destroy) X(cnd_destroy)                                                                                        \
	X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_timedrdlock)                             \
	X(pthread_rwlock_clockrdlock) X(pthread_rwlock_wrlock) X(pthread_rwlock_trywrlock)                             \
	X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock)                           \
	X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait) X(pthread_cond_signal)                \
	X(pthread_cond_broadcast) X(pthread_barrier_init) X(pthread_barrier_wait)                                                              \
	X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock)                                            \
	X(sem_wait) X(sem_trywait) X(sem_timedwait) X(sem_clockwait) X(sem_post) X(sem_getvalue)                                       \
	X(thrd_create) X(thrd_join) X(mtx_lock) X(mtx_trylock) X(mtx_timedlock) X(mtx_unlock)                          \
	X(cnd_wait) X(cnd_timedwait) X(cnd_signal) X(cnd_broadcast)                                     \
	X(flockfile) X(ftrylockfile) X(funlockfile) X(exit)
/* clang-format on */

extern struct reals {
#define X(name) __typeof__(&name) name;
	REALS(X)
#undef X
} real;

/* Another library's constructor may call an interposed function before libomen's constructor has run. */
#define REAL(name) (likely(real.name != NULL) ? real.name : (sync_start(), real.name))

#define HERE where_code(__builtin_return_address(0))

/* Is libomp the caller?  It reports what it orders (openmp.c), so the locks that it uses inside do not count. */
#define IS_TOLD unlikely((uint64_t)__builtin_return_address(0) - omen.told_low < omen.told_high - omen.told_low)

static inline void tell_taking(uint32_t how, enum object_kind kind, const void *object)
{
	OP(TAKING, .object_kind = kind, .object = object, .flags = how);
}

static inline void tell_used(enum object_kind kind, const void *object)
{
	OP(USED, .object_kind = kind, .object = object);
}

/* The object of the operation that a fiber is in. */
struct named {
	enum object_kind kind;
	const void *object, *mutex;
};

/* The running fiber begins an operation on an object: a point.  Returns the operation that it was in before. */
static inline struct named enter(enum object_kind kind, const void *object, uint64_t where)
{
	if (kind != OBJECT_THREAD) /* a thread is no address */
		wild_access(object, 1);
	op_count();
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

/* The operation is over; the fiber is in the `outer` one again. */
static inline void leave(struct named outer)
{
	struct fiber *f = omen.current;

	if (unlikely(!f))
		return;
	f->object_kind = outer.kind;
	f->object = outer.object;
	f->mutex = outer.mutex;
}

/* Takes something: a point, then the real call under the object's name, then `taken` with the result. */
#define TAKE_AS(how, kind, object, call, taken)                                                                        \
	({                                                                                                             \
		__typeof__(call) result_ = 0;                                                                          \
		if (likely(!mode_is(WITHOUT_SYNC)) || !without_sync_takes(HERE, object)) {                             \
			if ((kind) == OBJECT_MUTEX || (kind) == OBJECT_RWLOCK)                                         \
				notice_call("a lock", true);                                                           \
			tell_taking(how, kind, (const void *)(object));                                                \
			struct named outer_ = enter(kind, object, HERE);                                               \
			if ((kind) != OBJECT_THREAD)                                                                   \
				object_used(kind, object, HERE);                                                       \
			if ((how) == OP_WAITS && (kind) == OBJECT_MUTEX)                                               \
				lock_order_taking(object, false);                                                      \
			result_ = (call);                                                                              \
			if ((kind) != OBJECT_THREAD && unlikely(mode_is(CHECK)))                                       \
				object_stays(kind, object, HERE);                                                      \
			taken(kind, (const void *)(object), result_);                                                  \
			leave(outer_);                                                                                 \
		}                                                                                                      \
		result_;                                                                                               \
	})
#define TAKE(kind, object, call, taken) TAKE_AS(0, kind, object, call, taken)
/* The same for a call that waits as long as necessary. */
#define AWAIT(kind, object, call, taken) TAKE_AS(OP_WAITS, kind, object, call, taken)

/* Gives something: the real call, then a point.  It counts as progress, so that a loop around it does not look endless
 * (endless_loop.c). */
#define GIVE_COUNTED(call)                                                                                             \
	({                                                                                                             \
		if (unlikely(mode_is(STEPS)))                                                                          \
			sched_point(POINT_SYNC, HERE);                                                                 \
		__typeof__(call) result_ = (call);                                                                     \
		omen.progress++;                                                                                       \
		sched_point(POINT_SYNC, HERE);                                                                         \
		result_;                                                                                               \
	})

/* The same with a point before the call: there other threads see what this thread has written, but not yet what it
 * gives. */
#define GIVE(call)                                                                                                     \
	({                                                                                                             \
		op_count();                                                                                            \
		if (likely(!mode_is(STEPS)))                                                                           \
			sched_point(POINT_SYNC, HERE);                                                                 \
		GIVE_COUNTED(call);                                                                                    \
	})

/* The same to an object, whose address must be valid. */
#define GIVE_TO(object, call)                                                                                          \
	({                                                                                                             \
		wild_access(object, 1);                                                                                \
		GIVE(call);                                                                                            \
	})

/* Makes the call only in mode CHECK. */
#define IN_CHECK(call) (unlikely(mode_is(CHECK)) ? (call) : (void)0)

/* Begins or ends the life of an object.  A check that must come before that is part of `call`, so that it comes after
 * the point. */
#define PUT(kind, object, life, call)                                                                                  \
	({                                                                                                             \
		wild_access((const void *)(object), 1);                                                                \
		sched_point(POINT_SYNC, HERE);                                                                         \
		tell_used(kind, (const void *)(object));                                                               \
		object_lives(kind, object, life, HERE);                                                                \
		(call);                                                                                                \
	})

/* Unlocks.  The point before it lets other threads run while the lock is held, even if nothing happens under it. */
#define UNLOCK(kind, object, call, giving)                                                                             \
	({                                                                                                             \
		int given_ = 0;                                                                                        \
		wild_access((const void *)(object), 1);                                                                \
		op_count();                                                                                            \
		sched_point(POINT_SYNC, HERE);                                                                         \
		if (likely(!mode_is(WITHOUT_SYNC)) || !without_sync_gives(object)) {                                   \
			object_used(kind, object, HERE);                                                               \
			giving(object);                                                                                \
			given_ = GIVE_COUNTED(call);                                                                   \
		}                                                                                                      \
		given_;                                                                                                \
	})

/* Operations inside the call do not count.  How often the C library frees memory there depends on the stacks that it
 * keeps, so on other threads. */
#define UNCOUNTED(call)                                                                                                \
	({                                                                                                             \
		struct fiber *counted_ = omen.current;                                                                 \
		if (likely(counted_))                                                                                  \
			counted_->uncounted = true;                                                                    \
		int made_ = (call);                                                                                    \
		if (likely(counted_))                                                                                  \
			counted_->uncounted = false;                                                                   \
		made_;                                                                                                 \
	})

/*
 * Waits for a condition.  First the fiber waits for the condition, then, to take the mutex again, for the mutex: both
 * are noted.  The fiber has the mutex again also if it is cancelled.
 */
#define WAIT(cond, m, call)                                                                                            \
	({                                                                                                             \
		bool borrowed_ = unlikely(mode_is(WITHOUT_SYNC)) && borrow_lock((pthread_mutex_t *)(m), HERE);         \
		struct named outer_ = enter(OBJECT_COND, cond, HERE);                                                  \
		int result_;                                                                                           \
		if (likely(omen.current != NULL))                                                                      \
			omen.current->mutex = (m);                                                                     \
		if (unlikely(mode_is(CHECK)))                                                                          \
			lock_check_wait(m);                                                                            \
		OP(USED, .object_kind = OBJECT_COND, .object = (cond));                                                \
		object_used(OBJECT_COND, cond, HERE);                                                                  \
		object_used(OBJECT_MUTEX, m, HERE);                                                                    \
		tell_waits(m);                                                                                         \
		pthread_cleanup_push(has_again, m);                                                                    \
		result_ = (call);                                                                                      \
		pthread_cleanup_pop(1);                                                                                \
		object_used(OBJECT_MUTEX, m, HERE);                                                                    \
		leave(outer_);                                                                                         \
		if (unlikely(borrowed_))                                                                               \
			give_lock_back((pthread_mutex_t *)(m));                                                        \
		result_;                                                                                               \
	})

/* Wakes fibers that wait for a condition. */
#define SIGNAL(cond, what, call)                                                                                       \
	GIVE_TO(cond, ({                                                                                               \
		        object_used(OBJECT_COND, cond, HERE);                                                          \
		        OP(what, .object_kind = OBJECT_COND, .object = (cond));                                        \
		        call;                                                                                          \
	        }))

/* ---- pthread.c: how taking and giving orders threads; `result` is that of the real call ---- */

void took_end(enum object_kind kind, const void *thread, int result); /* joined a thread */
void took_lock(enum object_kind kind, const void *lock, int result);
void took_for_reading(enum object_kind kind, const void *lock, int result);
void took_for_writing(enum object_kind kind, const void *lock, int result);
void took_token(enum object_kind kind, const void *semaphore, int result);
void gives_lock(const void *lock);
void gives_mutex(pthread_mutex_t *m);
void gives_rwlock(pthread_rwlock_t *l);
/* A condition wait begins; it has ended, and the fiber holds the mutex again. */
void tell_waits(const void *mutex);
void has_again(void *mutex);
/* Around a condition wait whose mutex was not taken because of WITHOUT_SYNC: borrow_lock() takes the mutex, so that the
 * wait can release it; give_lock_back() unlocks it. */
bool borrow_lock(pthread_mutex_t *m, uint64_t where);
void give_lock_back(pthread_mutex_t *m);

#endif
