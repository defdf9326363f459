// flags: -pthread -O2
// races: flags that are spun on

/*
 * More loops that end. Their progress is where a look at the loop alone does not find it: on the stack of a waiting
 * thread, in memory that was a stack, past a longjmp out of a handler, between a lock and its unlock.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "must.h"

#define TURNS 30000

static void *counts(void *n)
{
	while (++*(volatile int *)n < TURNS)
		sched_yield();
	return NULL;
}

static void on_the_joiners_stack(void)
{
	pthread_t thread;
	int n = 0;

	must(pthread_create(&thread, NULL, counts, &n) == 0);
	must(pthread_join(thread, NULL) == 0 && n == TURNS);
}

static void *nothing(void *unused) { return unused; }

static void in_a_former_stack(void)
{
	static char stack[1 << 18] __attribute__((aligned(4096)));
	pthread_attr_t attr;
	pthread_t thread;

	must(pthread_attr_init(&attr) == 0 && pthread_attr_setstack(&attr, stack, sizeof stack) == 0);
	must(pthread_create(&thread, &attr, nothing, NULL) == 0);
	must(pthread_join(thread, NULL) == 0);
	*(int *)stack = 0;
	counts(stack);
}

static sigjmp_buf out;

static void leaves(int signal)
{
	(void)signal;
	siglongjmp(out, 1);
}

static void past_a_longjmp(void)
{
	signal(SIGUSR1, leaves);
	if (!sigsetjmp(out, 1))
		raise(SIGUSR1);
	for (int i = 0; i < TURNS; i++)
		sched_yield();
	signal(SIGUSR1, SIG_DFL);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int seen;

static void *locks(void *unused)
{
	while (!seen) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
	return unused;
}

/* Waits until it finds the lock taken; the other thread holds it only for a moment. */
static void while_it_is_held(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, locks, NULL) == 0);
	for (int tries = 0; tries < TURNS && pthread_mutex_trylock(&lock) == 0; tries++) {
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
	seen = 1;
	must(pthread_join(thread, NULL) == 0);
}

int main(void)
{
	on_the_joiners_stack();
	in_a_former_stack();
	past_a_longjmp();
	while_it_is_held();
	puts("ok");
	return 0;
}
