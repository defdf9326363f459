// flags: -pthread
// race: none

/* A handler is installed under a lock: the value that is read decides which function is called. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, calls;

static void nothing(void) { calls = 1; }
static void set_level(void) { level = 2; }

static void (*handler)(void) = nothing;

static void *install(void *unused)
{
	level = 1;
	pthread_mutex_lock(&lock);
	handler = set_level;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *handle(void *unused)
{
	void (*f)(void);

	pthread_mutex_lock(&lock);
	f = handler;
	pthread_mutex_unlock(&lock);
	f();
	return unused;
}

int main(void)
{
	together(install, handle);
	return level + calls > 3;
}
