// expect: exit-status
// strategy: mixed random pct:3
// flags: -pthread

/* The last writer decides the exit status: no order is enforced between the two writes. */
#include <pthread.h>
#include <stdio.h>

static volatile int status;

static void *suspect(void *unused)
{
	status = 3;
	return unused;
}

static void *clear(void *unused)
{
	status = 0;
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, suspect, NULL);
	pthread_create(&b, NULL, clear, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("status %d\n", status);
	return status;
}
