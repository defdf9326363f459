// flags: -pthread

/* Memory that one thread unmaps is mapped by another: mappings of its own, and big blocks of the heap. */
#include <stdlib.h>
#include <sys/mman.h>

#include "../races/threads.h"

#define SIZE (256 * 1024)

static void fill(char *p, char c)
{
	for (int i = 0; i < SIZE; i += 4096)
		p[i] = c;
}

static void *churn(void *n)
{
	for (int i = 0; i < 3; i++) {
		char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			abort();
		fill(p, (char)(long)n);
		munmap(p, SIZE);
		p = malloc(SIZE);
		fill(p, (char)(long)n);
		p = realloc(p, 2 * SIZE);
		fill(p + SIZE, (char)(long)n);
		free(p);
	}
	return NULL;
}

int main(void)
{
	together(churn, churn, churn);
	return 0;
}
