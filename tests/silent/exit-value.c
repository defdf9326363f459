// flags: -pthread

/* pthread_exit passes a value to the joiner, from deep inside. */
#include <stdlib.h>

#include "../races/threads.h"

static void finish(void)
{
	int *result = malloc(sizeof *result);

	*result = 5;
	pthread_exit(result);
}

static void *work(void *unused)
{
	finish();
	return unused;
}

int main(void)
{
	pthread_t thread;
	void *result;
	int value;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, &result);
	value = *(int *)result;
	free(result);
	return value != 5;
}
