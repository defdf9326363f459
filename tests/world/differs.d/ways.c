// flags: -pthread
/* Two executions that differ in what they ask the world, and in which thread waits for which. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER;
static int turns;

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	turns++;
	pthread_cond_signal(&come);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void ask(const char *way)
{
	char bytes[8];

	if (!strcmp(way, "look"))
		access("nothing", F_OK);
	else if (read(0, bytes, sizeof bytes) < 0)
		perror("read");
}

static void wait_for_all(int n)
{
	pthread_mutex_lock(&lock);
	while (turns < n)
		pthread_cond_wait(&come, &lock); /* the recorded thread waits here */
	pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	int n = argc > 2 ? 3 : 1;

	ask(argv[1]);
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	if (n == 3)
		wait_for_all(n);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
