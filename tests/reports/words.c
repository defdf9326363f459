/* A race decides which word is written; the two words have no letter in common. */
#include <pthread.h>
#include <stdio.h>
static int late;
static void *set(void *arg)
{
	late = 1;
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, set, NULL);
	puts("begins");
	int was = late;
	pthread_join(t, NULL);
	puts(was ? "low" : "high");
	return 0;
}
