// flags: -pthread
// race A: max

/*
 * A reader of the lock saw what the writer wrote. The first reader only copies it, so it can come first; the second reader
 * branches on it, so it cannot.
 */
#include "../../races/threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int size, header, trailer, copied, used;

static void *writer(void *unused)
{
	header = 1; // race A
	trailer = 1;
	pthread_rwlock_wrlock(&lock);
	size = 8;
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *copier(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	copied = size;
	pthread_rwlock_unlock(&lock);
	header = 2; // race A
	return unused;
}

static void *user(void *unused)
{
	int n;

	pthread_rwlock_rdlock(&lock);
	n = size;
	pthread_rwlock_unlock(&lock);
	if (n == 8)
		used = trailer;
	return unused;
}

int main(void)
{
	together(writer, copier, user);
	return header + copied + used > 12;
}
