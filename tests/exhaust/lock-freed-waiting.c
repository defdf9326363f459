// outcomes: exit end | lock-misuse | memory-error
// A thread that waits for a lock gets it when the lock is freed already: that is told at the lock, as when it comes there later.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static struct obj { pthread_mutex_t m; int value; } *o;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static void *p_0(void *arg)
{
	pthread_mutex_lock(&o->m);
	o->value++;
	pthread_mutex_unlock(&o->m);
	pthread_rwlock_rdlock(&r);
	pthread_mutex_destroy(&o->m);
	free(o);
	pthread_rwlock_unlock(&r);
	return arg;
}
int main(void)
{
	pthread_t t;
	o = calloc(1, sizeof *o);
	pthread_mutex_init(&o->m, NULL);
	pthread_create(&t, NULL, p_0, NULL);
	pthread_mutex_lock(&o->m);
	o->value++;
	pthread_mutex_unlock(&o->m);
	pthread_join(t, NULL);
	puts("end");
	return 0;
}
