// flags: -pthread

/* Memory that passes between threads: freed by another, grown, mapped, protected, remapped, aligned. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#include "must.h"

#define BLOCKS 40

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned char *queue[BLOCKS];
static int put, taken;

static size_t size_of(int i)
{
	return (size_t)(16 + i * i * 97 % 9000);
}

static void *gives(void *unused)
{
	for (int i = 0; i < BLOCKS; i++) {
		unsigned char *p = malloc(8);
		must(p != NULL);
		p = realloc(p, size_of(i));
		must(p != NULL);
		memset(p, i, size_of(i));
		pthread_mutex_lock(&lock);
		queue[put++] = p;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *takes(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		while (taken == put && put < BLOCKS)
			pthread_cond_wait(&changed, &lock);
		if (taken == BLOCKS) {
			pthread_cond_broadcast(&changed);
			pthread_mutex_unlock(&lock);
			return unused;
		}
		int i = taken++;
		unsigned char *p = queue[i];
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		must(p[0] == i && p[size_of(i) - 1] == i && malloc_usable_size(p) >= size_of(i));
		free(p);
	}
}

static void *maps(void *unused)
{
	size_t page = 4096;
	char *p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(p != MAP_FAILED && p[page] == 0);
	p[0] = 'x';
	must(mprotect(p, page, PROT_READ) == 0);
	must(munmap(p + 2 * page, 2 * page) == 0);
	p = mremap(p, page, 8 * page, MREMAP_MAYMOVE);
	must(p != MAP_FAILED && p[0] == 'x');
	must(munmap(p, 8 * page) == 0);
	void *aligned;
	must(posix_memalign(&aligned, 256, 1000) == 0 && (uintptr_t)aligned % 256 == 0);
	free(aligned);
	char *zero = calloc(1000, 100);
	for (int i = 0; i < 100000; i += 1000)
		must(zero[i] == 0);
	free(zero);
	return unused;
}

int main(void)
{
	void *(*const role[])(void *) = {takes, gives, takes, maps, maps};
	pthread_t thread[5];

	for (int i = 0; i < 5; i++)
		must(pthread_create(&thread[i], NULL, role[i], NULL) == 0);
	for (int i = 0; i < 5; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(taken == BLOCKS);
	puts("ok");
	return 0;
}
