/*
 * Mutexes that exclude but order nothing: what a detector sees that does not know mutexes. facts puts this text before a
 * program's own.
 */
#ifndef BLIND_H
#define BLIND_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>

static inline int blind_trylock(pthread_mutex_t *mutex)
{
	return __atomic_exchange_n(&mutex->__data.__lock, 1, __ATOMIC_RELAXED) ? EBUSY : 0;
}

static inline int blind_lock(pthread_mutex_t *mutex)
{
	while (blind_trylock(mutex))
		sched_yield();
	return 0;
}

static inline int blind_unlock(pthread_mutex_t *mutex)
{
	__atomic_store_n(&mutex->__data.__lock, 0, __ATOMIC_RELAXED);
	return 0;
}

#define pthread_mutex_lock    blind_lock
#define pthread_mutex_trylock blind_trylock
#define pthread_mutex_unlock  blind_unlock

#endif
