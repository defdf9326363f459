// flags: -pthread

/* Readers read together; a writer is ordered after every earlier reader, and before every later one. */
#include "../races/threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second, torn[3];

static void *read_both(void *n)
{
	for (int i = 0; i < 2; i++) {
		pthread_rwlock_rdlock(&lock);
		torn[(long)n] += first != second;
		pthread_rwlock_unlock(&lock);
	}
	return NULL;
}

static void *write_both(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_rwlock_wrlock(&lock);
		first++;
		second++;
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(read_both, read_both, read_both, write_both, write_both);
	return torn[0] || torn[1] || torn[2] || first != 4;
}
