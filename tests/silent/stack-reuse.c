// flags: -pthread

/* The stack of an ended thread serves the next one, whether the first was joined or detached. */
#include <sched.h>
#include <stdatomic.h>

#include "../races/threads.h"

static atomic_int sum;

static void fill(char *frame, char c)
{
	for (int i = 0; i < 256; i += 16)
		frame[i] = c;
}

static void *work(void *n)
{
	char frame[256];

	fill(frame, (char)(long)n);
	sum += frame[16];
	return NULL;
}

int main(void)
{
	pthread_t thread;

	for (long i = 0; i < 3; i++) {
		together(work, work);
		pthread_create(&thread, NULL, work, (void *)1);
		pthread_detach(thread);
		while (sum < 2 * (i + 1))
			sched_yield();
	}
	return sum != 6;
}
