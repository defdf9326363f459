// expect: crash
// at: average
// strategy: mixed random pct:3
// flags: -pthread

/* Division by zero: another thread resets the statistics after the test for samples and before the average. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum = 30, samples = 3;

static int have_samples(void)
{
	pthread_mutex_lock(&lock);
	int some = samples > 0;
	pthread_mutex_unlock(&lock);
	return some;
}

static int average(void)
{
	pthread_mutex_lock(&lock);
	int mean = sum / samples; /* HERE */
	pthread_mutex_unlock(&lock);
	return mean;
}

static void *show(void *unused)
{
	if (have_samples())
		printf("average %d\n", average());
	return unused;
}

static void *reset(void *unused)
{
	pthread_mutex_lock(&lock);
	sum = samples = 0;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t s, r;

	pthread_create(&s, NULL, show, NULL);
	pthread_create(&r, NULL, reset, NULL);
	pthread_join(s, NULL);
	pthread_join(r, NULL);
	return 0;
}
