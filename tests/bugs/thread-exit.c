// expect: crash
// at: worker
// strategy: mixed random pct:3
// flags: -pthread

/* A detached worker announces that it is done before it uses, for the last time, what main then frees. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct job {
	int result;
	int *volatile log;
};

static sem_t done;
static int log_entries;
static struct job job = {0, &log_entries};

static void *worker(void *unused)
{
	job.result = 42;
	sem_post(&done);
	*job.log += 1; /* HERE */
	return unused;
}

int main(void)
{
	pthread_t thread;

	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, worker, NULL);
	pthread_detach(thread);
	sem_wait(&done);
	job.log = NULL;
	printf("result %d\n", job.result);
	pthread_exit(NULL);
}
