// flags: -pthread

/*
 * fork() in a program with threads: the child has only the calling thread, sees the memory of that moment, may take a
 * lock that an atfork handler kept consistent, and may start threads of its own.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "must.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static int shared;

static void take(void)
{
	pthread_mutex_lock(&lock);
}

static void give(void)
{
	pthread_mutex_unlock(&lock);
}

/* `shared` is odd only while the lock is held: the child must never see it odd. */
static void *works(void *unused)
{
	while (!stop) {
		take();
		shared++;
		sched_yield();
		shared++;
		give();
		sched_yield();
	}
	return unused;
}

static void *adds(void *sum)
{
	take();
	*(int *)sum += 1;
	give();
	return NULL;
}

static int child_works(void)
{
	pthread_t thread[3];
	int sum = 0;

	must(shared % 2 == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_create(&thread[i], NULL, adds, &sum) == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL) == 0);
	return sum;
}

static void *forks(void *to)
{
	int channel = *(int *)to, status;
	pid_t child = fork();

	must(child >= 0);
	if (child == 0) {
		char message[32];
		int n = snprintf(message, sizeof message, "%d\n", child_works());
		must(write(channel, message, (size_t)n) == n);
		_exit(9);
	}
	must(waitpid(child, &status, 0) == child);
	must(WIFEXITED(status) && WEXITSTATUS(status) == 9);
	return NULL;
}

static void killed(void)
{
	pid_t child = fork();
	int status;

	must(child >= 0);
	if (child == 0)
		for (;;)
			pause();
	must(kill(child, SIGTERM) == 0);
	must(waitpid(child, &status, 0) == child);
	must(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

int main(void)
{
	pthread_t worker, forker[2];
	int channel[2];
	char line[8];

	must(pthread_atfork(take, give, give) == 0);
	must(pipe(channel) == 0);
	must(pthread_create(&worker, NULL, works, NULL) == 0);
	for (int i = 0; i < 2; i++)
		must(pthread_create(&forker[i], NULL, forks, &channel[1]) == 0);
	for (int i = 0; i < 2; i++)
		must(read(channel[0], line, 2) == 2 && line[0] == '3');
	for (int i = 0; i < 2; i++)
		must(pthread_join(forker[i], NULL) == 0);
	stop = 1;
	must(pthread_join(worker, NULL) == 0);
	killed();
	puts("ok");
	return 0;
}
