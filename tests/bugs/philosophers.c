// expect: deadlock
// at: eat
// strategy: mixed random pct:3
// flags: -pthread

/* Dining philosophers: everybody takes the left fork first, so all can hold one fork and wait for the next. */
#include <pthread.h>
#include <stdio.h>

#define SEATS 3

static pthread_mutex_t fork_at[SEATS];
static int meals[SEATS];

static void eat(int seat)
{
	pthread_mutex_t *left = &fork_at[seat];
	pthread_mutex_t *right = &fork_at[(seat + 1) % SEATS];

	pthread_mutex_lock(left);
	pthread_mutex_lock(right); /* HERE */
	meals[seat]++;
	pthread_mutex_unlock(right);
	pthread_mutex_unlock(left);
}

static void *philosopher(void *seat)
{
	for (int meal = 0; meal < 2; meal++)
		eat((int)(long)seat);
	return NULL;
}

int main(void)
{
	pthread_t thread[SEATS];

	for (int i = 0; i < SEATS; i++)
		pthread_mutex_init(&fork_at[i], NULL);
	puts("dinner is served");
	fflush(stdout);
	for (long i = 0; i < SEATS; i++)
		pthread_create(&thread[i], NULL, philosopher, (void *)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < SEATS; i++)
		printf("philosopher %d ate %d times\n", i, meals[i]);
	return 0;
}
