// flags: -pthread

/*
 * Everything a timeline shows, in an order that no schedule changes: the worker waits to be called for each step, and each
 * step has one operation in it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t meeting;
static sem_t turn, back;
static int ready, pipes[2];
static atomic_int published;

static void handler(int signal) { (void)signal; }

static void *work(void *unused)
{
	char byte;

	pthread_setname_np(pthread_self(), "worker");
	sem_wait(&turn); /* SEMAPHORE */
	pthread_mutex_lock(&first); /* FIRST */
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&first); /* not the one that was taken last */
	pthread_mutex_unlock(&second);
	pthread_rwlock_rdlock(&table);
	pthread_rwlock_unlock(&table);
	pthread_spin_lock(&spin);
	pthread_spin_unlock(&spin);
	sem_post(&back);

	pthread_mutex_lock(&first);
	while (!ready)
		pthread_cond_wait(&changed, &first); /* CONDITION */
	pthread_mutex_unlock(&first);
	pthread_barrier_wait(&meeting);
	if (read(pipes[0], &byte, 1) != 1) /* DESCRIPTOR */
		return NULL;
	atomic_store_explicit(&published, 1, memory_order_release); /* RELEASE */
	usleep(1000); /* SLEEP */
	return unused;
}

int main(void)
{
	pthread_t thread;

	sem_init(&turn, 0, 0);
	sem_init(&back, 0, 0);
	pthread_spin_init(&spin, 0);
	pthread_barrier_init(&meeting, NULL, 2);
	signal(SIGUSR1, handler);
	if (pipe(pipes))
		return 1;
	pthread_create(&thread, NULL, work, NULL); /* CREATE */
	sem_post(&turn);
	sem_wait(&back);

	pthread_rwlock_wrlock(&table);
	pthread_rwlock_unlock(&table);
	usleep(1000); /* the worker waits for the condition at this moment */
	pthread_mutex_lock(&first);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&first);
	pthread_barrier_wait(&meeting);
	usleep(1000);
	if (write(pipes[1], "x", 1) != 1)
		return 1;
	while (!atomic_load_explicit(&published, memory_order_acquire)) /* ACQUIRE */
		;
	for (int i = 0; i < 100; i++) /* a signal that changes nothing */
		if (!atomic_load_explicit(&published, memory_order_acquire))
			return 1;
	raise(SIGUSR1); /* SIGNAL */
	pthread_join(thread, NULL); /* JOIN */
	puts("done");
	return 0;
}
