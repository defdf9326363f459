// flags: -pthread

/* Mutexes of every type and protocol. */
#define _GNU_SOURCE
#include "../races/threads.h"

static pthread_mutex_t lock;
static int counter;

static void *count(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		counter++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void try(int type, int protocol, int robust)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutexattr_setprotocol(&a, protocol);
	pthread_mutexattr_setrobust(&a, robust);
	pthread_mutex_init(&lock, &a);
	pthread_mutexattr_destroy(&a);
	together(count, count);
	pthread_mutex_destroy(&lock);
}

int main(void)
{
	static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
	                            PTHREAD_MUTEX_ADAPTIVE_NP};

	for (int i = 0; i < 4; i++) {
		try(types[i], PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
		try(types[i], PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
		try(types[i], PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
	}
	return counter != 12 * 4;
}
