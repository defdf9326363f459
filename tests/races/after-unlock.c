// flags: -pthread

/* The thread unlocks one statement too early. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, outside;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	inside++;
	pthread_mutex_unlock(&lock);
	outside++; // race A
	return unused;
}

int main(void)
{
	together(work, work);
	return 0;
}
