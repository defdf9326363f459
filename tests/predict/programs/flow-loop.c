// flags: -pthread
// race A: max

/* The value read under the lock is only added up. The loop after it does not depend on it, so any value would do. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, mark, seen, squares[4];

static void *first(void *unused)
{
	mark = 1; // race A
	pthread_mutex_lock(&lock);
	total = 5;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	seen = total + 1;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 4; i++)
		squares[i] = i * i;
	mark = 2; // race A
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + seen + squares[3] > 17;
}
