// while: kill -USR1 $pid; sleep 0.05; kill -USR2 $pid; sleep 0.05; kill -USR1 $pid; sleep 0.05; kill -USR2 $pid
/* Signals from outside, from a timer, and from a pipe that nobody reads, in two threads. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t got[65];
static volatile int stop;
static pthread_t first;

static void on(int signal)
{
	char line[64];
	int n = snprintf(line, sizeof line, "signal %d in %s\n", signal,
	                 pthread_equal(pthread_self(), first) ? "the first thread" : "the other");

	got[signal]++;
	if (write(1, line, (size_t)n) != n)
		_exit(3);
}

static void *spin(void *arg)
{
	long n = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		n++;
	return arg;
}

int main(void)
{
	pthread_t thread;
	int pipes[2];

	first = pthread_self();
	for (int i = 0; i < 4; i++)
		signal((int[]){SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE}[i], on);
	ualarm(20000, 0);
	pthread_create(&thread, NULL, spin, NULL);
	if (write(2, "ready\n", 6) != 6)
		return 1;
	while (got[SIGUSR1] + got[SIGUSR2] < 4 || !got[SIGALRM])
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	if (pipe(pipes) || close(pipes[0]) || write(pipes[1], "x", 1) != -1)
		return 1;
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	printf("%d %d %d %d\n", got[SIGUSR1], got[SIGUSR2], got[SIGALRM] > 0, got[SIGPIPE]);
	return 0;
}
