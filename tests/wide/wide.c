/* wide N: accesses that the machine splits, one kind for each N. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	long a, b;
};
typedef long vector __attribute__((vector_size(16)));

static struct pair shared, taken;
static vector values, seen;
static long words[100], copy[100];
static char text[20], got[20];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int which;

static void *set(void *memory)
{
	static struct pair ones = {1, 1};
	static long many[100] = {[0] = 1, [99] = 1};

	switch (which) {
	case 0:
		shared = ones;
		break;
	case 1:
	case 7:
		values = (vector){1, 1};
		break;
	case 2:
		memcpy(words, many, sizeof words);
		break;
	case 3:
		pthread_mutex_lock(&mutex);
		values = (vector){1, 1};
		strcpy(text, "0123456789");
		pthread_mutex_unlock(&mutex);
		break;
	case 4:
		strcpy(text, "0123456789");
		break;
	case 5:
		memset(&shared, 1, sizeof shared);
		break;
	case 6:
		memmove((char *)words + 4, words, sizeof shared);
		break;
	case 8:
		free(memory);
		break;
	}
	return NULL;
}

static void *get(void *memory)
{
	switch (which) {
	case 0:
	case 5:
	case 7:
		taken = shared;
		break;
	case 1:
		seen = values;
		break;
	case 2:
		memcpy(copy, words, sizeof words);
		break;
	case 3:
		pthread_mutex_lock(&mutex);
		seen = values;
		strcpy(got, text);
		pthread_mutex_unlock(&mutex);
		break;
	case 4:
		strcpy(got, text);
		break;
	case 6:
		taken = *(struct pair *)words;
		break;
	case 8:
		(void)*(volatile char *)memory; /* what it reads depends on the heap */
		break;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[2];
	void *memory = calloc(5, 8);

	which = argc > 1 ? atoi(argv[1]) : 0;
	if (which == 6) {
		words[0] = 0x0807060504030201;
		words[1] = 0x100f0e0d0c0b0a09;
	}
	pthread_create(&thread[0], NULL, set, memory);
	pthread_create(&thread[1], NULL, get, memory);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	printf("%lx %lx %ld %ld %ld %ld %s %lx\n", taken.a, taken.b, seen[0], seen[1], copy[0], copy[99], got, words[1]);
	return 0;
}
