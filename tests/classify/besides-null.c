// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=crash runs=2
// variant: -DAPART = crash

/* The session exists when a thread looks it up, and is gone when the thread uses it: each under the lock. */
#include <stdio.h>

#include "../races/threads.h"

struct session {
	const char *name;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session only = {"guest"}, *session = &only;
static volatile char first;
#ifdef APART
static _Thread_local unsigned long requests;
#else
static unsigned long requests;
#endif

static void *serve(void *unused)
{
	requests++; // race A
	pthread_mutex_lock(&lock);
	int open = session != NULL;
	pthread_mutex_unlock(&lock);
	if (!open)
		return unused;
	pthread_mutex_lock(&lock);
	first = session->name[0]; // failure X
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *leave(void *unused)
{
	requests++; // race A
	pthread_mutex_lock(&lock);
	session = NULL;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(serve, leave);
	puts("bye");
	return 0;
}
