// flags: -pthread
// race: none

/* The number of bytes to copy is stored under a lock, and is zero at first. */
#include <string.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t length;
static char buffer[16], copy[16];

static void *fill(void *unused)
{
	memset(buffer, 'a', 8);
	pthread_mutex_lock(&lock);
	length = 8;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *take(void *unused)
{
	size_t n;

	pthread_mutex_lock(&lock);
	n = length;
	pthread_mutex_unlock(&lock);
	memcpy(copy, buffer, n);
	return unused;
}

int main(void)
{
	together(fill, take);
	return copy[0] == 'b';
}
