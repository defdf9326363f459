/* threads N: creates and joins N threads, one after the other, as context for what an execution costs. */
#include <pthread.h>
#include <stdlib.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	for (long n = argc == 2 ? atol(argv[1]) : 0; n > 0; n--) {
		if (pthread_create(&thread, NULL, nothing, NULL))
			return 1;
		pthread_join(thread, NULL);
	}
	return 0;
}
