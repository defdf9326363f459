// flags: -pthread
// race: none

/* A thread writes the value that it read to a pipe, and the thread that reads it there branches on it. */
#include <unistd.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, x, ends[2];

static void *make(void *unused)
{
	x = 1;
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *tell(void *unused)
{
	int is_ready;

	pthread_mutex_lock(&lock);
	is_ready = ready;
	pthread_mutex_unlock(&lock);
	return write(ends[1], &is_ready, sizeof(is_ready)) > 0 ? unused : NULL;
}

static void *hear(void *unused)
{
	int is_ready = 0;

	if (read(ends[0], &is_ready, sizeof(is_ready)) == sizeof(is_ready) && is_ready)
		x = 2;
	return unused;
}

int main(void)
{
	if (pipe(ends) != 0)
		return 1;
	together(make, tell, hear);
	return x > 2;
}
