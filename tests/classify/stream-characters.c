// flags: -pthread
// varies: the order of the characters
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Single characters, mixed with those of the other thread; none may get lost. */
#include <pthread.h>
#include <stdio.h>

static char last;

static void *small(void *file)
{
	last = 'a'; // race A
	fputc('a', file);
	putc('b', file);
	fputs("c\n", file);
	return NULL;
}

static void *large(void *file)
{
	last = 'b'; // race A
	fputc('A', file);
	fputs("B\n", file);
	return NULL;
}

int main(void)
{
	FILE *file = fopen("characters", "w");
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, small, file);
	pthread_create(&thread[1], NULL, large, file);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return fclose(file);
}
