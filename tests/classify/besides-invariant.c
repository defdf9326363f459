// flags: -pthread
// options: --invariant FILE:stock>=0
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=invariant runs=2

/* A thread tests the stock under the lock and takes from it under the lock, but in two critical sections. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1, orders;

static void *order(void *unused)
{
	orders++; // race A
	pthread_mutex_lock(&lock);
	int there = stock > 0;
	pthread_mutex_unlock(&lock);
	if (!there)
		return unused;
	pthread_mutex_lock(&lock);
	stock--; // failure X
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(order, order);
	puts("ordered");
	return 0;
}
