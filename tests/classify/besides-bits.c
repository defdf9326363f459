// flags: -pthread
// race A: verdict=k-witness-harmless pattern=disjoint-bits
// failure X: kind=assertion runs=2

/* One thread tests the lowest bit of the options, another sets the next: one word, no harm. The order of the states harms. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned options = 1;
static int opened;

static void *opener(void *unused)
{
	if (!(options & 1)) // race A
		return unused;
	pthread_mutex_lock(&lock);
	opened = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *user(void *unused)
{
	options |= 2; // race A
	pthread_mutex_lock(&lock);
	int is_open = opened;
	pthread_mutex_unlock(&lock);
	assert(is_open); // failure X
	return unused;
}

int main(void)
{
	together(opener, user);
	puts("opened");
	return 0;
}
