// flags: -pthread

/* Memory that one thread frees is allocated by another; only the allocator orders the two. */
#include <stdlib.h>
#include <string.h>

#include "../races/threads.h"

static void *churn(void *n)
{
	int wrong = 0;

	for (int i = 0; i < 6; i++) {
		size_t size = 24u << (i % 3);
		unsigned char *p = malloc(size);
		memset(p, (int)(long)n, size);
		wrong += p[size - 1] != (long)n;
		p[0] = 1;
		free(p);
	}
	if (wrong)
		abort();
	return NULL;
}

int main(void)
{
	together(churn, churn, churn);
	return 0;
}
