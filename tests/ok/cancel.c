// flags: -pthread

/* Cancellation: deferred, asynchronous, disabled, and out of every blocking call; handlers run last in, first out. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t ready, nothing;
static int quiet_pipe[2];
static atomic_int cleaned;
static pthread_t sleeper;

static void clean(void *mark)
{
	/* Handlers run in reverse order: 2 finds nothing cleaned yet, 1 finds what 2 did. */
	must(cleaned == ((long)mark == 2 ? 0 : 2));
	cleaned += (long)mark;
}

static void unlock(void *mutex)
{
	must(pthread_mutex_unlock(mutex) == 0);
}

static void *in_loop(void *unused)
{
	pthread_cleanup_push(clean, (void *)1);
	pthread_cleanup_push(clean, (void *)2);
	sem_post(&ready);
	for (;;)
		pthread_testcancel();
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return unused;
}

static void *in_cond_wait(void *unused)
{
	pthread_cleanup_push(clean, (void *)1);
	pthread_cleanup_push(clean, (void *)2);
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, &lock);
	sem_post(&ready);
	for (;;)
		pthread_cond_wait(&never, &lock);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return unused;
}

static void block_read(void)
{
	char c;
	(void)!read(quiet_pipe[0], &c, 1);
}

static void block_sleep(void)
{
	struct timespec long_time = {1000, 0};
	nanosleep(&long_time, NULL);
}

static void block_join(void)
{
	pthread_join(sleeper, NULL);
}

static void block_sem(void)
{
	sem_wait(&nothing);
}

static void block_pause(void)
{
	pause();
}

/* One body for every blocking call that is a cancellation point. */
static void *in_call(void *call)
{
	pthread_cleanup_push(clean, (void *)1);
	pthread_cleanup_push(clean, (void *)2);
	sem_post(&ready);
	for (;;)
		((void (*)(void))call)();
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *asynchronous(void *unused)
{
	int old;

	pthread_cleanup_push(clean, (void *)2);
	must(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
	sem_post(&ready);
	for (volatile unsigned long i = 0;; i++)
		;
	pthread_cleanup_pop(0);
	return unused;
}

static void *not_now(void *unused)
{
	int old;

	must(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
	sem_post(&ready);
	must(sem_wait(&nothing) == 0);
	pthread_testcancel();
	cleaned = 3;
	must(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
	pthread_testcancel();
	must(!"reached");
	return unused;
}

static void cancelled(const char *what, void *(*body)(void *), void *argument, int handlers)
{
	pthread_t thread;
	void *result;

	cleaned = 0;
	must(pthread_create(&thread, NULL, body, argument) == 0);
	must(sem_wait(&ready) == 0);
	must(pthread_cancel(thread) == 0);
	if (body == not_now)
		must(sem_post(&nothing) == 0);
	must(pthread_join(thread, &result) == 0);
	must(result == PTHREAD_CANCELED);
	must(cleaned == handlers);
	printf("%s\n", what);
}

static void *sleeps(void *unused)
{
	sem_wait(&nothing);
	return unused;
}

int main(void)
{
	sem_init(&ready, 0, 0);
	sem_init(&nothing, 0, 0);
	must(pipe(quiet_pipe) == 0);
	must(pthread_create(&sleeper, NULL, sleeps, NULL) == 0);
	cancelled("testcancel", in_loop, NULL, 3);
	cancelled("cond_wait", in_cond_wait, NULL, 3);
	must(pthread_mutex_trylock(&lock) == 0);
	cancelled("read", in_call, block_read, 3);
	cancelled("nanosleep", in_call, block_sleep, 3);
	cancelled("join", in_call, block_join, 3);
	cancelled("sem_wait", in_call, block_sem, 3);
	cancelled("pause", in_call, block_pause, 3);
	cancelled("asynchronous", asynchronous, NULL, 2);
	/* The sleeper waits on the same semaphore as the disabled thread: let it go first. */
	must(sem_post(&nothing) == 0);
	must(pthread_join(sleeper, NULL) == 0);
	cancelled("disabled", not_now, NULL, 3);
	puts("ok");
	return 0;
}
