// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=double-check

/* A worker tests for work before it takes the lock, and again when it holds it; main does the rest. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[4], length, sum;

static void *put(void *unused)
{
	for (int i = 1; i <= 4; i++) {
		pthread_mutex_lock(&lock);
		queue[length++] = i; // race A
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *take(void *unused)
{
	for (int i = 0; i < 6; i++) {
		if (length == 0) // race A B
			continue;
		pthread_mutex_lock(&lock);
		if (length > 0)
			sum += queue[--length]; // race B
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(put, take, take);
	while (length > 0)
		sum += queue[--length];
	printf("%d\n", sum);
	return 0;
}
