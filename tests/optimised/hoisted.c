/* In the source a thread waits for the flag.  The compiler reads it once: a thread that comes too early waits for ever. */
#include <pthread.h>
#include <stdio.h>

static int ready;

static void *wait(void *unused)
{
	volatile int busy;

	while (!ready) /* A */
		busy = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait, NULL);
	ready = 1; /* A */
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
