// flags: -pthread

// Processor time stands still while a thread sleeps, and advances while it computes; each thread has its own.
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *sleeper(void *arg)
{
	clockid_t *clock = arg;

	nanosleep(&(struct timespec){1, 500000000}, NULL);
	pthread_getcpuclockid(pthread_self(), clock);
	return seconds(CLOCK_THREAD_CPUTIME_ID) < 1 && seconds(*clock) < 1 ? NULL : arg;
}

int main(void)
{
	struct rusage usage;
	pthread_t thread;
	clockid_t clock;
	void *wrong;
	double before = seconds(CLOCK_THREAD_CPUTIME_ID);

	pthread_create(&thread, NULL, sleeper, &clock);
	pthread_join(thread, &wrong);
	getrusage(RUSAGE_SELF, &usage);
	if (wrong || seconds(CLOCK_PROCESS_CPUTIME_ID) > 1 || usage.ru_utime.tv_sec >= 1)
		puts("who sleeps takes processor time");
	while (seconds(CLOCK_THREAD_CPUTIME_ID) < before + 0.01)
		;
	puts("done");
	return 0;
}
