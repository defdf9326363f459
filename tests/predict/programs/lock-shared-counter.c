// flags: -pthread
// race A: max

/*
 * Two workers count their jobs under a lock and set the log's position without it. The second one's count saw the first
 * one's, but nothing depends on that.
 */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs, position;

static void *first(void *unused)
{
	position = 10; // race A
	pthread_mutex_lock(&lock);
	jobs++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	jobs++;
	pthread_mutex_unlock(&lock);
	position = 20; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return jobs + position > 22;
}
