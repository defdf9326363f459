// expect: deadlock
// at: waiter
// strategy: mixed random pct:3
// flags: -pthread

/* Lost wakeup: the waiter tests no predicate, so a signal sent before it waits is lost. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int parcel;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&arrived, &lock); /* HERE */
	printf("parcel %d\n", parcel);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *sender(void *unused)
{
	pthread_mutex_lock(&lock);
	parcel = 7;
	pthread_cond_signal(&arrived);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t w, s;

	pthread_create(&w, NULL, waiter, NULL);
	pthread_create(&s, NULL, sender, NULL);
	pthread_join(w, NULL);
	pthread_join(s, NULL);
	return 0;
}
