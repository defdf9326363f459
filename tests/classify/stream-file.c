// flags: -pthread
// varies: the order of the records
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Two threads write their records to one file, through the C library's buffer, in any order. */
#include <pthread.h>
#include <stdio.h>

static char last;

static void *append_a(void *file)
{
	last = 'a'; // race A
	fwrite("record a\n", 1, 9, file);
	return NULL;
}

static void *append_b(void *file)
{
	last = 'b'; // race A
	fwrite("record b\n", 1, 9, file);
	return NULL;
}

int main(void)
{
	FILE *file = fopen("records", "w");
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, append_a, file);
	pthread_create(&thread[1], NULL, append_b, file);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return fclose(file);
}
