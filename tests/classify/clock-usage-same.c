// flags: -pthread
// varies: how long it takes
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Everything that a process can learn about its times, in many forms; it prints nothing else. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "../races/threads.h"

static long last;

static void *work(void *which)
{
	last = (long)which; // race A
	usleep(1000);
	return NULL;
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(void)
{
	double begin = seconds(CLOCK_MONOTONIC);
	struct rusage usage;
	struct timeval day;
	struct tms tms;
	char date[64];
	time_t now;
	FILE *file = fopen("usage", "w");

	together(work, work);
	getrusage(RUSAGE_SELF, &usage);
	gettimeofday(&day, NULL);
	now = time(NULL);
	strftime(date, sizeof date, "%a %b %d %H:%M:%S %Y, %I %p", gmtime(&now));
	fprintf(file, "%s: 17 lines\n", date);
	fprintf(file, "took %g s, %8.3f ms, CPU %.2e\n", seconds(CLOCK_MONOTONIC) - begin,
		1000 * (seconds(CLOCK_MONOTONIC) - begin), seconds(CLOCK_PROCESS_CPUTIME_ID));
	fprintf(file, "%#lx-%lx|%-12ld|%5ld faults\n", (long)day.tv_usec, (long)day.tv_sec, times(&tms),
		usage.ru_minflt);
	fprintf(file, "usage %ld.%06ld, id %d\n", (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec, (int)getpid());
	return fclose(file);
}
