// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=deadlock runs=3
// variant: -DAPART = deadlock

/*
 * Every round increments the counter and takes the two locks. The deadlock of the first rounds needs a
 * schedule that also changes the order of increments in later rounds; still nothing depends on the count.
 */
#include <stdio.h>

#include "../races/threads.h"

enum { ROUNDS = 3 };

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
#ifdef APART
static _Thread_local int rounds;
#else
static int rounds;
#endif

static void *there(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		rounds++; // race A
		pthread_mutex_lock(&first);
		pthread_mutex_lock(&second); // failure X
		pthread_mutex_unlock(&second);
		pthread_mutex_unlock(&first);
	}
	return unused;
}

static void *back(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		rounds++; // race A
		pthread_mutex_lock(&second);
		pthread_mutex_lock(&first); // failure X
		pthread_mutex_unlock(&first);
		pthread_mutex_unlock(&second);
	}
	return unused;
}

int main(void)
{
	together(there, back);
	puts("there and back");
	return 0;
}
