/* The program declares a race benign; "again": other memory at the same address has a race that is not declared.
 */
#include <pthread.h>
#include <stdlib.h>

void AnnotateBenignRaceSized(const char *file, int line, const volatile void *at, size_t size, const char *why);

static int *counter;

static void *count(void *arg)
{
	++*counter;
	return arg;
}

static void both_count(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, count, NULL);
	pthread_create(&b, NULL, count, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void *renew(void *arg)
{
	free(counter);
	counter = calloc(1, sizeof(*counter));
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	counter = calloc(1, sizeof(*counter));
	AnnotateBenignRaceSized(__FILE__, __LINE__, counter, sizeof(*counter), "statistics");
	both_count();
	if (argc > 1) {
		pthread_create(&t, NULL, renew, NULL);
		pthread_join(t, NULL);
		both_count();
	}
	free(counter);
	return 0;
}
