// flags: -pthread

/* Empty critical sections: they order the accesses only when the writer's comes first. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *writer(void *unused)
{
	value = 1; // race A
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *reader(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return (void *)(long)value; // race A
}

int main(void)
{
	together(writer, reader);
	return 0;
}
