/* Five threads add to a sum; each keeps what it read and wrote, and the program prints that at the end. */
#include <pthread.h>
#include <stdio.h>

static int sum;
static int was[6], is[6];

static void *add(void *arg)
{
	int me = *(int *)arg;

	was[me] = sum; /* reads */
	is[me] = was[me] + me;
	sum = is[me]; /* writes */
	return arg;
}

int main(void)
{
	int number[] = {0, 1, 2, 3, 4, 5};
	pthread_t t[6];

	for (int i = 1; i <= 5; i++)
		pthread_create(&t[i], NULL, add, &number[i]);
	for (int i = 1; i <= 5; i++)
		pthread_join(t[i], NULL);
	for (int i = 1; i <= 5; i++)
		printf("T%d read %d, wrote %d\n", i, was[i], is[i]);
	return 0;
}
