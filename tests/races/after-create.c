// flags: -pthread

/* The new thread is ordered after what its creator did before; the creator completes its argument too late. */
#include "threads.h"

static struct {
	int early, late;
} argument;

static void *work(void *unused)
{
	(void)unused;
	int sum = argument.early;
	sum += argument.late; // race A
	return (void *)(long)sum;
}

int main(void)
{
	pthread_t thread;

	argument.early = 1;
	pthread_create(&thread, NULL, work, NULL);
	argument.late = 1; // race A
	pthread_join(thread, NULL);
	return 0;
}
