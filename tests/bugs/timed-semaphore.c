// expect: exit-status
// strategy: mixed random pct:3
// flags: -pthread

/* The waiter assumes that the poster is done when the time limit has expired; it may not be. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static sem_t posted;
static atomic_int answer;

static void *poster(void *unused)
{
	for (int i = 0; i < 42; i++)
		atomic_fetch_add(&answer, 1);
	sem_post(&posted);
	return unused;
}

int main(void)
{
	struct timespec limit;
	pthread_t thread;

	sem_init(&posted, 0, 0);
	pthread_create(&thread, NULL, poster, NULL);
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec++;
	sem_timedwait(&posted, &limit);
	int seen = atomic_load(&answer);
	printf("%d\n", seen);
	pthread_join(thread, NULL);
	return seen != 42;
}
