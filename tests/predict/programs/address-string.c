// flags: -pthread
// race: none

/* A name under a lock. Its length decides inside the C library, which is not instrumented, and outside. */
#include <string.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[16] = "root";
static int x;

static void *rename_it(void *unused)
{
	x = 1;
	pthread_mutex_lock(&lock);
	strcpy(name, "administrator");
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *look(void *unused)
{
	size_t n;

	pthread_mutex_lock(&lock);
	n = strlen(name);
	pthread_mutex_unlock(&lock);
	switch (n) {
	case 13:
		x = 2;
		break;
	default:
		break;
	}
	return unused;
}

int main(void)
{
	together(rename_it, look);
	return x > 2;
}
