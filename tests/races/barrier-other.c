// flags: -pthread

/* Two barriers, two groups: a barrier orders only the threads that meet at it. */
#include "threads.h"

static pthread_barrier_t barrier[2];
static int ours, theirs;

static void *writer(void *unused)
{
	ours = 1;
	theirs = 1; // race A
	pthread_barrier_wait(&barrier[0]);
	return unused;
}

static void *near_reader(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier[0]);
	return (void *)(long)ours;
}

static void *far_reader(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier[1]);
	return (void *)(long)theirs; // race A
}

static void *far_thread(void *unused)
{
	pthread_barrier_wait(&barrier[1]);
	return unused;
}

int main(void)
{
	pthread_barrier_init(&barrier[0], NULL, 2);
	pthread_barrier_init(&barrier[1], NULL, 2);
	together(writer, near_reader, far_reader, far_thread);
	return 0;
}
