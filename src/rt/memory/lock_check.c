/*
 * Locks that are unlocked by a thread that does not hold them, or destroyed while others use them.  What is in doubt is
 * not reported.
 */
#include <pthread.h>

#include "rt/ending/ending.h"
#include "rt/fibers/fiber.h"
#include "rt/memory/memory_check.h"

/* Does the mutex not know its owner by itself?  For the other kinds the C library refuses misuse. */
static bool is_simple(const pthread_mutex_t *m)
{
	int kind = m->__data.__kind &
	           ~512; /* robust, priority, shared and elided ones have further bits; 512: not elided */

	return kind == PTHREAD_MUTEX_TIMED_NP || kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}

static void is_held(const pthread_mutex_t *m, const char *what)
{
	if (omen.off || !omen.current || !is_simple(m))
		return;
	if (!m->__data.__lock)
		LOCK_MISUSE("%s mutex %p, which is not locked", what, (const void *)m);
	const struct fiber *owner = fiber_by_tid((uint32_t)m->__data.__owner);
	if (owner && owner != omen.current)
		LOCK_MISUSE("%s mutex %p, which T%u holds", what, (const void *)m, owner->id);
}

void lock_check_unlock_mutex(const void *mutex) { is_held(mutex, "unlock of"); }
void lock_check_wait(const void *mutex) { is_held(mutex, "wait for a condition with"); }

static uint32_t readers_of(const pthread_rwlock_t *l) { return l->__data.__readers >> 3; }

void lock_check_unlock_rwlock(const void *lock)
{
	const pthread_rwlock_t *l = lock;

	if (omen.off || !omen.current || l->__data.__shared)
		return;
	const struct fiber *writer = fiber_by_tid((uint32_t)l->__data.__cur_writer);
	if (writer && writer != omen.current)
		LOCK_MISUSE("unlock of rwlock %p, which T%u holds for writing", lock, writer->id);
	if (!l->__data.__cur_writer && !readers_of(l))
		LOCK_MISUSE("unlock of rwlock %p, which is not locked", lock);
}

void lock_check_unlock_spin(const volatile int *lock)
{
	if (!omen.off && omen.current && *lock == 1) /* unlocked, on x86 */
		LOCK_MISUSE("unlock of spin lock %p, which is not locked", (const void *)lock);
}

const struct fiber *lock_check_waiter(uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		if (f->state == FIBER_BLOCKED && f->object_kind && f->object_kind != OBJECT_THREAD &&
		    (uint64_t)f->wait.key - low < high - low)
			return f;
	}
	return NULL;
}

static const struct fiber *waiter_at(const void *object, size_t size)
{
	return lock_check_waiter((uint64_t)object, (uint64_t)object + size);
}

void lock_check_destroy_mutex(const void *mutex)
{
	const pthread_mutex_t *m = mutex;
	const struct fiber *owner = fiber_by_tid((uint32_t)m->__data.__owner);

	if (omen.off || !omen.current)
		return;
	if (m->__data.__lock && owner)
		LOCK_MISUSE("destruction of mutex %p, which T%u holds", mutex, owner->id);
	const struct fiber *waiter = waiter_at(m, sizeof(*m));
	if (waiter)
		LOCK_MISUSE("destruction of mutex %p, which T%u waits for", mutex, waiter->id);
}

void lock_check_destroy_rwlock(const void *lock)
{
	const pthread_rwlock_t *l = lock;
	const struct fiber *writer = fiber_by_tid((uint32_t)l->__data.__cur_writer), *waiter;

	if (omen.off || !omen.current || l->__data.__shared)
		return;
	if (writer)
		LOCK_MISUSE("destruction of rwlock %p, which T%u holds for writing", lock, writer->id);
	if ((waiter = waiter_at(l, sizeof(*l))))
		LOCK_MISUSE("destruction of rwlock %p, which T%u waits for", lock, waiter->id);
	if (readers_of(l) && readers_of(l) <= omen.nlive)
		LOCK_MISUSE("destruction of rwlock %p, which is held for reading", lock);
}

void lock_check_destroy_cond(const void *cond)
{
	const struct fiber *waiter = waiter_at(cond, sizeof(pthread_cond_t));

	if (!omen.off && omen.current && waiter)
		LOCK_MISUSE("destruction of condition %p, which T%u waits for", cond, waiter->id);
}
