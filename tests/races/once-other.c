// flags: -pthread

/* Two once-controls, each with its own initialiser, and one user calls the wrong one. */
#include "threads.h"

static pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
static int value, other;

static void make_value(void)
{
	value = 1; // race A
}

static void make_other(void)
{
	other = 1;
}

static void *right(void *unused)
{
	(void)unused;
	pthread_once(&first, make_value);
	return (void *)(long)value;
}

static void *wrong(void *unused)
{
	(void)unused;
	pthread_once(&second, make_other);
	int sum = other;
	sum += value; // race A
	return (void *)(long)sum;
}

int main(void)
{
	together(right, wrong);
	return 0;
}
