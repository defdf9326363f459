// flags: -pthread

/* An error-checking mutex: the calls that fail change nothing. */
#define _GNU_SOURCE
#include <errno.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int counter, wrong;

static void *count(void *unused)
{
	int stray = pthread_mutex_unlock(&lock);

	pthread_mutex_lock(&lock);
	wrong += stray != EPERM;
	wrong += pthread_mutex_lock(&lock) != EDEADLK;
	counter++;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(count, count);
	return wrong || counter != 2;
}
