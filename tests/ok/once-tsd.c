// flags: -pthread

/* pthread_once runs once and all wait for it; destructors of thread-specific data run in rounds until none is left. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "must.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t plain, stubborn;
static int initialised;
static atomic_int freed, rounds;

static void initialise(void)
{
	sched_yield();
	initialised++;
}

static void free_plain(void *p)
{
	free(p);
	freed++;
}

/* Sets itself again: allowed PTHREAD_DESTRUCTOR_ITERATIONS times, then the thread ends anyway. */
static void set_again(void *p)
{
	rounds++;
	must(pthread_setspecific(stubborn, p) == 0);
}

static void *user(void *number)
{
	must(pthread_once(&once, initialise) == 0);
	must(initialised == 1);
	must(pthread_getspecific(plain) == NULL);
	int *mine = malloc(sizeof *mine);
	*mine = (int)(long)number;
	must(pthread_setspecific(plain, mine) == 0);
	sched_yield();
	must(*(int *)pthread_getspecific(plain) == (int)(long)number);
	return NULL;
}

static void *holds_on(void *unused)
{
	must(pthread_setspecific(stubborn, &rounds) == 0);
	return unused;
}

int main(void)
{
	pthread_t thread[4];

	must(pthread_key_create(&plain, free_plain) == 0);
	must(pthread_key_create(&stubborn, set_again) == 0);
	for (long i = 0; i < 4; i++)
		must(pthread_create(&thread[i], NULL, user, (void *)i) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(freed == 4 && initialised == 1);
	must(pthread_create(&thread[0], NULL, holds_on, NULL) == 0);
	must(pthread_join(thread[0], NULL) == 0);
	must(rounds == PTHREAD_DESTRUCTOR_ITERATIONS);
	must(pthread_key_delete(plain) == 0);
	must(pthread_setspecific(plain, &rounds) == EINVAL);
	printf("%d rounds\nok\n", (int)rounds);
	return 0;
}
