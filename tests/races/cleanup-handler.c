// flags: -pthread

/* The cleanup handler of a cancelled thread works without the lock that the others take. */
#include <unistd.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 1;

static void give_up(void *unused)
{
	(void)unused;
	jobs--; // race A
}

static void *sleeper(void *unused)
{
	pthread_cleanup_push(give_up, NULL);
	pause();
	pthread_cleanup_pop(0);
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleeper, NULL);
	pthread_cancel(thread);
	pthread_mutex_lock(&lock);
	jobs++; // race A
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	return 0;
}
