// flags: -pthread
// race: none

/* Nobody else accesses what the pointer points to, but while the pointer is null the thread does not get that far. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own = 3, *volatile pointer, x, got;

static void *set(void *unused)
{
	x = 1;
	pthread_mutex_lock(&lock);
	pointer = &own;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *use(void *unused)
{
	int *p;

	pthread_mutex_lock(&lock);
	p = pointer;
	pthread_mutex_unlock(&lock);
	got = *p;
	x = 2;
	return unused;
}

int main(void)
{
	together(set, use);
	return x + got > 5;
}
