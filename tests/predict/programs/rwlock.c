// flags: -pthread
// race A: hb
// race B: sp

/* A table under a rwlock. Readers count hits (A), although others may hold it too; only chance orders B. */
#include "../../races/threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[4], hits, owner;

static void *writer(void *unused)
{
	owner = 1; // race B
	pthread_rwlock_wrlock(&lock);
	table[0] = 1;
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	hits = table[1]; // race A
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *auditor(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	hits = table[2]; // race A
	pthread_rwlock_unlock(&lock);
	owner = 2; // race B
	return unused;
}

int main(void)
{
	together(writer, reader, auditor);
	return hits + owner > 4;
}
