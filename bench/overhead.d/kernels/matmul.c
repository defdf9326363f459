/*
 * matmul N THREADS: the textbook product of two N by N matrices; a thread has its share of the rows.  With one thread
 * no thread is created.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 16 };

static size_t n;
static unsigned threads;
static double *a, *b, *c;

static void *rows(void *arg)
{
	size_t me = (uintptr_t)arg;

	for (size_t i = n * me / threads; i < n * (me + 1) / threads; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[MAX_THREADS];
	double sum = 0;

	n = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	threads = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	if (!n || threads < 1 || threads > MAX_THREADS) {
		fprintf(stderr, "usage: matmul N THREADS (at most %d)\n", MAX_THREADS);
		return 2;
	}
	a = malloc(n * n * sizeof *a);
	b = malloc(n * n * sizeof *b);
	c = malloc(n * n * sizeof *c);
	if (!a || !b || !c)
		return 1;
	for (size_t i = 0; i < n * n; i++) {
		a[i] = (double)(i % 17) - 8;
		b[i] = (double)(i % 23) - 11;
	}
	if (threads == 1) {
		rows(NULL);
	} else {
		for (uintptr_t t = 0; t < threads; t++)
			if (pthread_create(&thread[t], NULL, rows, (void *)t))
				return 1;
		for (unsigned t = 0; t < threads; t++)
			pthread_join(thread[t], NULL);
	}
	for (size_t i = 0; i < n * n; i++)
		sum += c[i] * c[i];
	printf("%.0f\n", sum);
	return 0;
}
