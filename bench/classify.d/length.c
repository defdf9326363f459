/*
 * length N: work that N scales, with four races between two threads on the way: at the beginning, in every round, on a
 * counter that is printed, and at the end. Nothing else is shared.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 16

static long size;
static int begun, rounds, hits, last;
static long result[2];

static long work(long n, long seed)
{
	for (long i = 0; i < n; i++)
		seed = seed * 6364136223846793005 + 1442695040888963407;
	return seed;
}

static void *run(void *which)
{
	begun = 1;
	for (int i = 0; i < ROUNDS; i++) {
		result[(long)which] ^= work(size / ROUNDS, i);
		rounds = i;
		hits++;
	}
	last = 1 + (int)(long)which;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[2];

	size = argc > 1 ? atol(argv[1]) : 1000;
	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, run, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%d %ld %s\n", hits, result[0] ^ result[1], begun && rounds && last ? "done" : "");
	return 0;
}
