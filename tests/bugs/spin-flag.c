// expect: assertion
// at: visit
// strategy: mixed random pct:3
// flags: -pthread

/* A home-made spin lock on a plain flag: testing and setting it are two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static volatile int locked;
static volatile int inside;

static void *visit(void *unused)
{
	for (int round = 0; round < 4; round++) {
		while (locked)
			;
		locked = 1;
		assert(inside == 0); /* HERE */
		inside = 1;
		inside = 0;
		locked = 0;
	}
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, visit, NULL);
	pthread_create(&b, NULL, visit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("one at a time");
	return 0;
}
