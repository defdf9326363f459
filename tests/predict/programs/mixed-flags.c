// flags: -pthread
// race: none

/*
 * Two threads set two bytes of one word, each after its data and under the lock. A third thread reads both bytes at once
 * and continues only if both are set.
 */
#include <stdint.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union {
	uint16_t both;
	uint8_t each[2];
} ready;
static int data[2], sum;

static void *worker(void *number)
{
	long i = (long)number;

	data[i] = 1;
	pthread_mutex_lock(&lock);
	ready.each[i] = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *user(void *unused)
{
	int is_ready;

	pthread_mutex_lock(&lock);
	is_ready = ready.both == 0x0101;
	pthread_mutex_unlock(&lock);
	if (is_ready)
		sum = data[0] + data[1];
	return unused;
}

int main(void)
{
	together(worker, worker, user);
	return sum > 2;
}
