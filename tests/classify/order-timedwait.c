// flags: -pthread
// race A: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race B: verdict=k-witness-harmless pattern=both-values-valid

/*
 * As pbzip2's writer waits for its producer: on a condition, for at most a second, and the signal does not matter. It asks
 * for the time in every round, so no round is like the one before, and nothing proves that it only waits for the flag: a
 * thread that looks every second and waits for nothing does the same. So the report says of B only that both values were
 * read.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int blocks;
static int all_done;

static void *produce(void *unused)
{
	blocks = 4;   // race A
	all_done = 1; // race B
	return unused;
}

static void *write_out(void *unused)
{
	struct timespec until;

	while (!all_done) { // race B
		pthread_mutex_lock(&lock);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		pthread_cond_timedwait(&changed, &lock, &until);
		pthread_mutex_unlock(&lock);
	}
	printf("%d\n", blocks); // race A
	return unused;
}

int main(void)
{
	together(write_out, produce);
	return 0;
}
