// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=deadlock runs=3
// variant: -DAPART = deadlock

/* Two locks in opposite orders can deadlock, whatever happens to the racy counter beside them, which nobody reads. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
#ifdef APART
static _Thread_local int calls;
#else
static int calls;
#endif
static int sum;

static void *from_left(void *unused)
{
	calls++; // race A
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right); // failure X
	sum += 1;
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	return unused;
}

static void *from_right(void *unused)
{
	calls++; // race A
	pthread_mutex_lock(&right);
	pthread_mutex_lock(&left); // failure X
	sum += 2;
	pthread_mutex_unlock(&left);
	pthread_mutex_unlock(&right);
	return unused;
}

int main(void)
{
	together(from_left, from_right);
	printf("sum %d\n", sum);
	return 0;
}
