// flags: -pthread
// races: flags that are spun on

/*
 * Loops that take long, look the same in every round, and end: by the clock, by a number that only a register or only
 * the C library holds, by another process. None may be called endless.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

static volatile int never;

static void by_the_clock(void)
{
	time_t end = time(NULL) + 1;

	while (time(NULL) < end)
		;
}

static void by_counting(void)
{
	for (long i = 0; i < 4000000; i++)
		if (never)
			break;
}

static void by_chance(void)
{
	srand(1);
	while (rand() % 100000 != 7)
		;
}

static void *naps(void *unused)
{
	for (int i = 0; i < 3000; i++)
		usleep(10);
	return unused;
}

/* Spins for a flag that the other thread sets only after many naps. */
static volatile int set;

static void *spins(void *unused)
{
	while (!set)
		usleep(10);
	return unused;
}

static void by_each_other(void)
{
	pthread_t napper, spinner;

	must(pthread_create(&napper, NULL, naps, NULL) == 0);
	must(pthread_create(&spinner, NULL, spins, NULL) == 0);
	must(pthread_join(napper, NULL) == 0);
	set = 1;
	must(pthread_join(spinner, NULL) == 0);
}

static void by_a_child(void)
{
	volatile int *flag = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = fork();

	must(flag != MAP_FAILED && child >= 0);
	if (child == 0) {
		for (volatile int i = 0; i < 100000; i++)
			;
		*flag = 1;
		_exit(0);
	}
	while (!*flag)
		;
	must(waitpid(child, NULL, 0) == child);
}

int main(void)
{
	by_the_clock();
	by_counting();
	by_chance();
	by_each_other();
	by_a_child();
	puts("ok");
	return 0;
}
