// flags: -pthread
// race A: hb
// race B: max

/* Nobody joins the threads: main counts them under a lock and continues when it has counted both (A comes after that). */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, results[2], size, last;

static void finish(void)
{
	pthread_mutex_lock(&lock);
	done++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void *first(void *unused)
{
	results[0] = 1;
	size = 1; // race B
	finish();
	last = 1; // race A
	return unused;
}

static void *second(void *unused)
{
	results[1] = 1;
	finish();
	size = 2; // race B
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, first, NULL);
	pthread_detach(thread);
	pthread_create(&thread, NULL, second, NULL);
	pthread_detach(thread);
	pthread_mutex_lock(&lock);
	while (done < 2)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	last = results[0] + results[1]; // race A
	return 0;
}
