// expect: deadlock
// at: upgrade
// strategy: mixed random pct:3
// flags: -pthread

/* Two readers of a read-write lock both want to become the writer, and each waits for the other to stop reading. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, value;

static void read_begin(void)
{
	pthread_mutex_lock(&lock);
	readers++;
	pthread_mutex_unlock(&lock);
}

/* Keeps the inner lock: the only remaining reader is now the writer. */
static void upgrade(void)
{
	pthread_mutex_lock(&lock);
	while (readers > 1)
		pthread_cond_wait(&changed, &lock); /* HERE */
}

static void write_end(void)
{
	readers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void *updater(void *unused)
{
	read_begin();
	int seen = value;
	upgrade();
	value = seen + 1;
	write_end();
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, updater, NULL);
	pthread_create(&b, NULL, updater, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("value %d\n", value);
	return 0;
}
