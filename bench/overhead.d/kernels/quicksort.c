/*
 * quicksort N THREADS: sorts N random numbers.  With two threads a second one takes the part left of the first pivot;
 * with one no thread is created.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHORT = 16 };

struct range {
	int32_t *from, *to; /* to is the last one */
};

static void insertion_sort(int32_t *from, int32_t *to)
{
	for (int32_t *p = from + 1; p <= to; p++) {
		int32_t value = *p, *q = p;

		for (; q > from && q[-1] > value; q--)
			*q = q[-1];
		*q = value;
	}
}

static int32_t median(int32_t x, int32_t y, int32_t z)
{
	if (x > y)
		return y > z ? y : x > z ? z : x;
	return x > z ? x : y > z ? z : y;
}

/* Hoare's: the last of the left part, none of which is larger than any of the right part. */
static int32_t *split(int32_t *from, int32_t *to)
{
	int32_t pivot = median(*from, from[(to - from) / 2], *to);

	for (;;) {
		while (*from < pivot)
			from++;
		while (*to > pivot)
			to--;
		if (from >= to)
			return to == from ? to : from - 1;
		int32_t other = *from;
		*from++ = *to;
		*to-- = other;
	}
}

static void sort(int32_t *from, int32_t *to)
{
	while (to - from >= SHORT) {
		int32_t *middle = split(from, to);

		sort(from, middle);
		from = middle + 1;
	}
	insertion_sort(from, to);
}

static void *sort_range(void *arg)
{
	const struct range *range = arg;

	sort(range->from, range->to);
	return NULL;
}

int main(int argc, char **argv)
{
	size_t n = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	int threads = argc == 3 ? atoi(argv[2]) : 0;
	uint64_t state = 1, sum = 0;
	int32_t *numbers;

	if (n < SHORT || threads < 1 || threads > 2) {
		fprintf(stderr, "usage: quicksort N THREADS (1 or 2)\n");
		return 2;
	}
	numbers = malloc(n * sizeof *numbers);
	if (!numbers)
		return 1;
	for (size_t i = 0; i < n; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		numbers[i] = (int32_t)(state >> 33);
	}
	if (threads == 1) {
		sort(numbers, numbers + n - 1);
	} else {
		int32_t *middle = split(numbers, numbers + n - 1);
		struct range left = {numbers, middle};
		pthread_t thread;

		if (pthread_create(&thread, NULL, sort_range, &left))
			return 1;
		sort(middle + 1, numbers + n - 1);
		pthread_join(thread, NULL);
	}
	for (size_t i = 0; i < n; i++) {
		if (i && numbers[i - 1] > numbers[i])
			return 1;
		sum = sum * 31 + (uint64_t)numbers[i];
	}
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
