/* Every execution writes beyond a block before there is a second thread; then a race decides what is printed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int last;
static void *set(void *arg)
{
	last = 1;
	return arg;
}
int main(void)
{
	pthread_t t;
	char *volatile block = malloc(4);
	block[4] = 1;
	pthread_create(&t, NULL, set, NULL);
	last = 2;
	pthread_join(t, NULL);
	printf("%d\n", last);
	return 0;
}
