/*
 * hash KEYS THREADS: counts random keys in a hash table with open addressing, then looks all of them up again.  The
 * table has a part a thread; a thread counts the keys of its part, and looks up its share of the keys in all parts.
 * With one thread no thread is created.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 16 };

struct slot {
	uint64_t key; /* 0: free */
	uint64_t count;
};

static unsigned threads;
static size_t keys, mask;
static struct slot *parts[MAX_THREADS];
static uint64_t sums[MAX_THREADS];
static pthread_barrier_t counted;

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static uint64_t nth_key(size_t i)
{
	return 1 + mix(i) % (keys / 4 + 1);
}

static struct slot *find(struct slot *part, uint64_t key, uint64_t hash)
{
	size_t i = hash & mask;

	while (part[i].key && part[i].key != key)
		i = (i + 1) & mask;
	return &part[i];
}

static void *work(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg;
	uint64_t sum = 0;

	for (size_t i = 0; i < keys; i++) {
		uint64_t key = nth_key(i), hash = mix(key);

		if ((hash >> 48) % threads == me) {
			struct slot *slot = find(parts[me], key, hash);

			slot->key = key;
			slot->count++;
		}
	}
	if (threads > 1)
		pthread_barrier_wait(&counted);
	for (size_t i = me; i < keys; i += threads) {
		uint64_t key = nth_key(i), hash = mix(key);

		sum += find(parts[(hash >> 48) % threads], key, hash)->count;
	}
	sums[me] = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[MAX_THREADS];
	uint64_t sum = 0;

	keys = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	threads = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	if (!keys || threads < 1 || threads > MAX_THREADS) {
		fprintf(stderr, "usage: hash KEYS THREADS (at most %d)\n", MAX_THREADS);
		return 2;
	}
	for (mask = 1; mask < keys / 2 / threads; mask *= 2)
		;
	for (unsigned t = 0; t < threads; t++)
		if (!(parts[t] = calloc(mask, sizeof *parts[t])))
			return 1;
	mask--;
	if (threads == 1) {
		work(NULL);
	} else {
		pthread_barrier_init(&counted, NULL, threads);
		for (uintptr_t t = 0; t < threads; t++)
			if (pthread_create(&thread[t], NULL, work, (void *)t))
				return 1;
		for (unsigned t = 0; t < threads; t++)
			pthread_join(thread[t], NULL);
	}
	for (unsigned t = 0; t < threads; t++)
		sum += sums[t];
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
