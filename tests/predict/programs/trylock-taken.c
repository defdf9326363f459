// flags: -pthread
// race A: sp

/* A trylock that succeeds is a lock. */
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress, percent, lines;

static void *work(void *unused)
{
	progress = 50; // race A
	if (pthread_mutex_trylock(&lock) == 0) {
		percent = 50;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *show(void *unused)
{
	if (pthread_mutex_trylock(&lock) == 0) {
		lines = 1;
		pthread_mutex_unlock(&lock);
		progress = 0; // race A
	}
	return unused;
}

int main(void)
{
	together(work, show);
	return progress + percent + lines > 101;
}
