// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* A detached thread stores its result and announces it; nobody can join it. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char result[16];
static volatile int finished;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++)
		result[i] = (char)('a' + i); // race A
	finished = 1;                        // race B
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
	while (!finished) // race B
		usleep(1000);
	for (int i = 0; i < 4; i++)
		putchar(result[i]); // race A
	putchar('\n');
	return 0;
}
