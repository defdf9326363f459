// flags: -pthread
// race: none

/* Code that is not instrumented also writes the sum; a third thread branches on it. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long level, mark, total, seen;

static __attribute__((noinline, no_sanitize("thread"))) void poke(void) { total = 2; }

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
	total = 1;
	seen = 1;
	poke();
	seen = total;
	total = level;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *third(void *unused)
{
	long sum;

	pthread_mutex_lock(&lock);
	sum = total;
	pthread_mutex_unlock(&lock);
	if (sum == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second, third);
	return mark + seen > 100;
}
