// flags: -pthread
// race: none

/* Four numbers are added to sums at once, and these decide. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
typedef int four __attribute__((vector_size(16)));
static four levels, sums;
#define level levels[0]
static int mark;

static void *first(void *unused)
{
	mark = 1;
	pthread_mutex_lock(&lock);
	level = 5;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	sums = sums + levels;
	pthread_mutex_unlock(&lock);
	if (sums[0] == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + sums[0] > 100;
}
