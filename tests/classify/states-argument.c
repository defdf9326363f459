// flags: -pthread
// race A B C: verdict=output-differs states=differ

/* The value goes straight into a call: before the call it is only in an argument register. */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../races/threads.h"

static int number;
static double real;
static sem_t *which;
static sem_t doors[2];
static atomic_int copy;
static _Atomic double real_copy;

static void *set(void *unused)
{
	number = 1;        // race A
	real = 0.5;        // race B
	which = &doors[1]; // race C
	return unused;
}

static void *use(void *unused)
{
	atomic_store(&copy, number);    // race A
	atomic_store(&real_copy, real); // race B
	sem_post(which);                // race C
	return unused;
}

int main(void)
{
	int open[2];

	for (int i = 0; i < 2; i++)
		sem_init(&doors[i], 0, 0);
	which = &doors[0];
	together(set, use);
	for (int i = 0; i < 2; i++)
		sem_getvalue(&doors[i], &open[i]);
	printf("%d %g %d %d\n", atomic_load(&copy), atomic_load(&real_copy), open[0], open[1]);
	return 0;
}
