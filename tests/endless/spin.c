/* Workers that compute for ever and never synchronise; each may see every round of the other. */
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

static uint64_t shared, sums[2];

static void *spin(void *arg)
{
	uint64_t *sum = arg;

	for (uint64_t i = 1;; i++) {
		*sum += i * i;
		if (i % 1000 == 0)
			shared = *sum;
	}
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, spin, &sums[i]);
	for (;;)
		pause();
}
