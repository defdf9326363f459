// flags: -pthread
// race A: max

/* Four numbers, one of them the level, are added to sums at once. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
typedef int four __attribute__((vector_size(16)));
static four levels, sums;
#define level levels[0]
static int mark, wanted = 1;

static void *first(void *unused)
{
	mark = 1; // race A
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
	if (wanted)
		mark = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + sums[0] + sums[3] > 100;
}
