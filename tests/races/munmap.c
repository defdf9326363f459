// flags: -pthread

/* One thread unmaps memory that another thread may still write. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>

static int *place;

static void *work(void *arg)
{
	*place = 1; // race A
	return arg;
}

int main(void)
{
	pthread_t t;

	place = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (place == MAP_FAILED)
		return 1;
	pthread_create(&t, NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		sched_yield();
	munmap(place, 8192); // race A
	pthread_join(t, NULL);
	return 0;
}
