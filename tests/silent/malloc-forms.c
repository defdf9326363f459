// flags: -pthread

/* Every way to allocate and free memory, in turns of threads that nothing else orders. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "../races/threads.h"

static void use(unsigned char *p, size_t size, int n)
{
	for (size_t i = 0; i < size; i += 8)
		p[i] = (unsigned char)n;
	p[size - 1] = 1;
}

static void *churn(void *number)
{
	int n = (int)(long)number;
	void *p;

	for (int i = 0; i < 2; i++) {
		p = calloc(4, 16);
		use(p, 64, n);
		p = realloc(p, 200);
		use(p, 200, n);
		p = reallocarray(p, 3, 10);
		use(p, 30, n);
		free(p);
		if (posix_memalign(&p, 64, 64) == 0)
			use(p, 64, n);
		free(p);
		p = aligned_alloc(32, 64);
		use(p, malloc_usable_size(p), n);
		free(p);
		p = strdup("text");
		use(p, 5, n);
		free(p);
		p = memalign(16, 48);
		use(p, 48, n);
		free(p);
	}
	return NULL;
}

int main(void)
{
	together(churn, churn, churn);
	return 0;
}
