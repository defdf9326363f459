// expect: crash
// at: drop
// strategy: mixed random pct:3
// flags: -pthread

/*
 * Double free: the count is decremented in one step and tested in the next, so two threads both see zero. The image is
 * larger than malloc's mmap threshold, so the second free touches memory that is unmapped.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static char *image;
static atomic_int viewers = 2;

static void drop(void)
{
	atomic_fetch_sub(&viewers, 1);
	if (atomic_load(&viewers) == 0)
		free(image); /* HERE */
}

static void *viewer(void *unused)
{
	drop();
	return unused;
}

int main(void)
{
	pthread_t a, b;

	image = malloc(1 << 20);
	pthread_create(&a, NULL, viewer, NULL);
	pthread_create(&b, NULL, viewer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("freed once");
	return 0;
}
