// flags: -pthread -O0
// options: --strategy fair
// 1: lock-misuse which is not locked
// 2: lock-misuse which T0 holds
// 3: lock-misuse which T1 holds
// 4: lock-misuse which is not locked
// 5: lock-misuse which T0 holds for writing
// 6: lock-misuse which T1 waits for
// 7: lock-misuse which is not locked
// 8: lock-misuse which T0 holds
// 9: lock-misuse which is held for reading
// 10: lock-misuse which is not locked
// 11: lock-misuse wait for a condition with mutex
// 20: nothing
// 21: nothing
// 22: nothing
// 23: nothing
// 24: nothing

/* Who unlocks a lock, and who destroys it. From case 20 on the program is correct. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t plain;
static sem_t ready, go;
static int set;

static void is(int right)
{
	if (!right)
		exit(3);
}

static void *unlock(void *unused)
{
	pthread_mutex_unlock(&mutex); /* 2 */
	return unused;
}

static void *hold(void *unused)
{
	pthread_mutex_lock(&mutex);
	sem_post(&ready);
	sem_wait(&go);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *unlock_written(void *unused)
{
	pthread_rwlock_unlock(&rwlock); /* 5 */
	return unused;
}

static void *wait_for_it(void *unused)
{
	pthread_mutex_lock(&mutex);
	sem_post(&ready);
	while (!set)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static pthread_t start(void *(*function)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, function, NULL);
	return thread;
}

static void of_type(int type)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t m;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutex_init(&m, &attributes);
	pthread_mutex_lock(&m);
	if (type == PTHREAD_MUTEX_RECURSIVE) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	if (type == PTHREAD_MUTEX_ERRORCHECK)
		is(pthread_mutex_lock(&m) == EDEADLK);
	pthread_mutex_unlock(&m);
	if (type == PTHREAD_MUTEX_ERRORCHECK || type == PTHREAD_MUTEX_RECURSIVE)
		is(pthread_mutex_unlock(&m) == EPERM);
	is(!pthread_mutex_destroy(&m));
}

static void readers_and_writers(void)
{
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_rwlock_wrlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	is(!pthread_rwlock_destroy(&rwlock));
	pthread_spin_init(&spin, 0);
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
	is(!pthread_spin_trylock(&spin));
	pthread_spin_unlock(&spin);
	pthread_spin_destroy(&spin);
}

/* All waiters are woken, and the condition may be destroyed before they return. */
static void destroyed_after_broadcast(void)
{
	pthread_t thread = start(wait_for_it);

	sem_wait(&ready);
	pthread_mutex_lock(&mutex);
	set = 1;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
	is(!pthread_cond_destroy(&cond));
	pthread_join(thread, NULL);
	is(!pthread_mutex_destroy(&mutex));
}

int main(int argc, char **argv)
{
	sem_init(&ready, 0, 0);
	sem_init(&go, 0, 0);
	switch (argc > 1 ? atoi(argv[1]) : 0) {
	case 1: pthread_mutex_unlock(&mutex); break; /* 1 */
	case 2: pthread_mutex_lock(&mutex); pthread_join(start(unlock), NULL); break;
	case 3: start(hold); sem_wait(&ready); pthread_mutex_destroy(&mutex); break; /* 3 */
	case 4: pthread_rwlock_unlock(&rwlock); break; /* 4 */
	case 5: pthread_rwlock_wrlock(&rwlock); pthread_join(start(unlock_written), NULL); break;
	case 6:
		start(wait_for_it);
		sem_wait(&ready);
		pthread_mutex_lock(&mutex);
		pthread_cond_destroy(&cond); /* 6 */
		break;
	case 7: pthread_spin_init(&spin, 0); pthread_spin_unlock(&spin); break; /* 7 */
	case 8: pthread_mutex_lock(&mutex); pthread_mutex_destroy(&mutex); break; /* 8 */
	case 9: pthread_rwlock_rdlock(&rwlock); pthread_rwlock_destroy(&rwlock); break; /* 9 */
	case 10: mtx_init(&plain, mtx_plain); mtx_unlock(&plain); break; /* 10 */
	case 11: pthread_cond_wait(&cond, &mutex); break; /* 11 */

	case 20:
		of_type(PTHREAD_MUTEX_NORMAL);
		of_type(PTHREAD_MUTEX_RECURSIVE);
		of_type(PTHREAD_MUTEX_ERRORCHECK);
		of_type(PTHREAD_MUTEX_ADAPTIVE_NP);
		break;
	case 21: readers_and_writers(); break;
	case 22: destroyed_after_broadcast(); break;
	case 23:
		mtx_init(&plain, mtx_plain | mtx_recursive);
		mtx_lock(&plain);
		mtx_lock(&plain);
		mtx_unlock(&plain);
		mtx_unlock(&plain);
		mtx_destroy(&plain);
		break;
	case 24: {
		pthread_t thread = start(hold);
		sem_wait(&ready);
		sem_post(&go);
		pthread_join(thread, NULL);
		pthread_mutex_destroy(&mutex);
		break;
	}
	}
	puts("end");
	return 0;
}
