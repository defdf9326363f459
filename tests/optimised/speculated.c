/* In the source the total is not read while others add to it.  The compiler reads it anyway, and discards the value. */
#include <pthread.h>
#include <stdio.h>

int total, part = 1;

__attribute__((noinline)) static int sum(int all)
{
	int n = part;

	if (all)
		n = total; /* read */
	return n;
}

static void *look(void *all) { return sum(all != NULL) == 1 ? NULL : all; }

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, look, NULL);
	total = 5; /* write */
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
