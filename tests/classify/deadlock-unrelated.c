// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write
// failure X: kind=deadlock

/*
 * Two threads take two locks in different orders, and can wait for each other for ever; both also write that they
 * were there, which has nothing to do with it.
 */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int was_there;

static void *from_left(void *unused)
{
	was_there = 1; // race A
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right); // failure X
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	return unused;
}

static void *from_right(void *unused)
{
	was_there = 1; // race A
	pthread_mutex_lock(&right);
	pthread_mutex_lock(&left); // failure X
	pthread_mutex_unlock(&left);
	pthread_mutex_unlock(&right);
	return unused;
}

int main(void)
{
	together(from_left, from_right);
	printf("%d\n", was_there);
	return 0;
}
