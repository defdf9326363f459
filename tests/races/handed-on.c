// flags: -pthread -O2

/* Variables of main that reach another thread only through functions of this file: as an argument that one passes to the
 * next, stored through another argument, returned, and through a function that calls itself. */
#include "threads.h"

struct box {
	int *of;
};

static int *volatile place;

static void publish(int *n) { place = n; }

static void hand_on(int *n, int depth)
{
	if (depth > 0)
		hand_on(n, depth - 1);
	else
		publish(n);
}

static void put(struct box *box, int *n) { box->of = n; }

static int *same(int *n) { return n; }

static void only_reads(const int *n, int *sum) { *sum += *n; }

static void *work(void *argument)
{
	struct box *box = argument;

	*place = 1;   // race A
	*box->of = 2; // race B
	return NULL;
}

static void *write_returned(void *argument)
{
	*(int *)argument = 3; // race C
	return NULL;
}

int main(void)
{
	pthread_t first, second;
	struct box box;
	int handed = 0, boxed = 0, returned = 0, own = 0, sum = 0;

	hand_on(&handed, 3);
	put(&box, &boxed);
	pthread_create(&first, NULL, work, &box);
	pthread_create(&second, NULL, write_returned, same(&returned));
	handed++;   // race A
	boxed++;    // race B
	returned++; // race C
	own++;
	only_reads(&own, &sum);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return sum != 1 || handed + boxed + returned == 0;
}
