// flags: -pthread
// race A: hb

/* Threads start threads: a join orders that thread, not those that it started and did not join. */
#include <pthread.h>
#include <stddef.h>

static pthread_t grandchild;
static int config, result, status;

static void *late(void *unused)
{
	result = config;
	status = 1; // race A
	return unused;
}

static void *early(void *unused)
{
	config = 2;
	pthread_create(&grandchild, NULL, late, NULL);
	return unused;
}

int main(void)
{
	pthread_t child;

	config = 1;
	pthread_create(&child, NULL, early, NULL);
	pthread_join(child, NULL);
	status = 2; // race A
	pthread_join(grandchild, NULL);
	return result + status > 4;
}
