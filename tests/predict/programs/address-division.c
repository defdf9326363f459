// flags: -pthread
// race: none

/* If the divisor is 0 the program dies before the write, so there is no race. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int divisor;
static int x, quotient;

static void *set(void *unused)
{
	x = 1;
	pthread_mutex_lock(&lock);
	divisor = 5;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *divide(void *unused)
{
	int d;

	pthread_mutex_lock(&lock);
	d = divisor;
	pthread_mutex_unlock(&lock);
	quotient = 100 / d;
	x = 2;
	return unused;
}

int main(void)
{
	together(set, divide);
	return x + quotient > 22;
}
