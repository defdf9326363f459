// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* A server's copy of the time, which one thread advances: nothing here is so old that a second more expires it. */
#include <stdio.h>

#include "../races/threads.h"

#define AGE_MAX 100

struct item {
	int born;
};

static volatile int current_time = 1000;
static struct item items[3] = {{998}, {999}, {1000}};
static int expired;

static void *tick(void *unused)
{
	for (int i = 0; i < 3; i++)
		current_time++; // race A
	return unused;
}

static void *crawl(void *unused)
{
	for (int i = 0; i < 3; i++)
		expired += current_time - items[i].born > AGE_MAX; // race A
	return unused;
}

int main(void)
{
	together(tick, crawl);
	printf("%d expired at %d\n", expired, current_time);
	return 0;
}
