/*
 * lines HOW: two threads race, and the last written line is left open (o: on standard output, e: on standard
 * error) or ended (O, E).  "many": five threads print in any order, so that there are 120 different outputs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define THREADS 5

static int counter;
static atomic_int arrived, place[THREADS];

static void *count(void *arg)
{
	counter++;
	return arg;
}

static void *arrive(void *arg)
{
	*(atomic_int *)arg = atomic_fetch_add(&arrived, 1);
	return arg;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "o";
	int many = !strcmp(how, "many"), n = many ? THREADS : 2;
	FILE *out = strchr("eE", *how) ? stderr : stdout;
	pthread_t thread[THREADS];

	for (int i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, many ? arrive : count, &place[i]);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < n && many; i++)
		printf("%d%s", place[i], i < n - 1 ? " " : "\n");
	if (!many)
		fprintf(out, "said%s", strchr("OE", *how) ? "\n" : "");
	return 0;
}
