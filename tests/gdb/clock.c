// expect: assertion
// flags: -pthread

/* A reader that runs between the two halves of a sum, in a program that also reads the processor's clock. */
#include <assert.h>
#include <pthread.h>
#include <x86intrin.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int parts;

static void *add(void *unused)
{
	unsigned processor;
	unsigned long long before = __rdtsc(), after = __rdtscp(&processor);

	pthread_mutex_lock(&lock);
	parts += after >= before; /* ADDED */
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, add, NULL);
	pthread_mutex_lock(&lock);
	int seen = parts;
	pthread_mutex_unlock(&lock);
	assert(seen != 1); /* HERE */
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
