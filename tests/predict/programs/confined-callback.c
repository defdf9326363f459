// flags: -pthread
// race: none

/* A function that is not instrumented reads the deciding value, after its callback has computed it. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, mark, total;

static __attribute__((noinline, no_sanitize("thread"))) int total_by(void (*compute)(void))
{
	compute();
	return total;
}

static void compute(void) { total = level; }

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
	int sum;

	pthread_mutex_lock(&lock);
	sum = total_by(compute);
	pthread_mutex_unlock(&lock);
	if (sum == 5)
		mark = 2;
	return unused;
}

int main(void)
{
	together(first, second);
	return mark + total > 100;
}
