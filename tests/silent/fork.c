// flags: -pthread

/* A child process has its own memory, whatever it writes there. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *count(void *unused)
{
	pthread_mutex_lock(&lock);
	value++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *forks(void *unused)
{
	int status;
	pid_t child;

	pthread_mutex_lock(&lock);
	child = fork();
	if (child == 0) {
		value = 100;
		_exit(value != 100);
	}
	pthread_mutex_unlock(&lock);
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		abort();
	return unused;
}

int main(void)
{
	together(count, forks, count);
	return value != 2;
}
