// flags: -pthread

// Every way to allocate begins a new life of the memory, the rare ones too; a realloc that fails ends no life.
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../races/threads.h"

#define FAR ((void *)0x10000000000)

static char *block;
static atomic_int turn;

static void *first(void *unused)
{
	char *p = valloc(100);

	p[0] = 1;
	free(p);
	p = mmap(FAR, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	p[0] = 1;
	munmap(p, 8192);
	atomic_store_explicit(&turn, 1, memory_order_relaxed);
	return unused;
}

static void *second(void *unused)
{
	while (!atomic_load_explicit(&turn, memory_order_relaxed))
		;
	char *p = valloc(100);

	p[0] = 2;
	free(p);
	p = mmap(FAR, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	p[0] = 2;
	munmap(p, 8192);
	return unused;
}

static void *reads(void *unused)
{
	static _Thread_local int sum;

	sum += block[0];
	return unused;
}

static void *fails(void *unused)
{
	volatile size_t much = SIZE_MAX / 4;

	if (realloc(block, much))
		abort();
	return unused;
}

int main(void)
{
	block = calloc(1, 16);
	together(first, second);
	together(reads, fails);
	free(block);
	return 0;
}
