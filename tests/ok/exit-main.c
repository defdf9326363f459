// flags: -pthread

/* main ends by pthread_exit: the process lives until its last thread ends, and then runs its exit handlers. */
#include <pthread.h>

#include "must.h"

static pthread_t first;

static void at_exit(void)
{
	puts("ok");
}

static void *last(void *unused)
{
	must(pthread_join(first, NULL) == 0);
	puts("main is gone");
	return unused;
}

int main(void)
{
	pthread_t thread;

	first = pthread_self();
	must(atexit(at_exit) == 0);
	must(pthread_create(&thread, NULL, last, NULL) == 0);
	must(pthread_detach(thread) == 0);
	pthread_exit(NULL);
}
