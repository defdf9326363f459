// flags: -pthread

/* Threads name other threads, and ask for their names. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "must.h"

static pthread_barrier_t twice;
static pthread_t chief;

static void is_called(pthread_t thread, const char *expected)
{
	char name[16];

	must(pthread_getname_np(thread, name, sizeof name) == 0);
	must(strcmp(name, expected) == 0);
}

static void *work(void *unused)
{
	char name[16];

	pthread_barrier_wait(&twice);
	is_called(pthread_self(), "named by main");
	must(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "named by main") == 0);
	is_called(chief, "chief");
	must(pthread_setname_np(chief, "fifteen letters") == 0);
	must(pthread_setname_np(pthread_self(), "own") == 0);
	pthread_barrier_wait(&twice);
	pthread_barrier_wait(&twice);
	return unused;
}

int main(void)
{
	pthread_t thread;
	char name[16];

	chief = pthread_self();
	must(pthread_setname_np(chief, "chief") == 0);
	pthread_barrier_init(&twice, NULL, 2);
	must(pthread_create(&thread, NULL, work, NULL) == 0);
	must(pthread_getname_np(thread, name, sizeof name) == 0 && name[0]);
	must(pthread_setname_np(thread, "sixteen letters!") == ERANGE);
	must(pthread_setname_np(thread, "named by main") == 0);
	must(pthread_getname_np(thread, name, sizeof name - 1) == ERANGE);
	pthread_barrier_wait(&twice);
	pthread_barrier_wait(&twice);
	is_called(thread, "own");
	is_called(chief, "fifteen letters");
	pthread_barrier_wait(&twice);
	must(pthread_join(thread, NULL) == 0);
	puts("ok");
	return 0;
}
