// flags: -pthread

/* Two threads count without a lock. */
#include <pthread.h>

static int counted;

static void *count(void *unused)
{
	counted++; /* FIRST */
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, count, NULL);
	counted += 2; /* SECOND */
	pthread_join(thread, NULL);
	return 0;
}
