/* Two processes: the parent only waits; the child writes down the parent's id and computes in threads for ever.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile long rounds;

static void *spin(void *arg)
{
	for (;;)
		rounds++;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	pid_t child = fork();

	if (!child)
		for (;;)
			pause();
	FILE *out = fopen(argv[argc - 1], "w");
	fprintf(out, "%d\n", (int)child);
	fclose(out);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, spin, NULL);
	pthread_join(threads[0], NULL);
}
