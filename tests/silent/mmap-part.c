// flags: -pthread -D_GNU_SOURCE

/* Mappings whose size is not a whole number of pages, as of a small file: the kernel maps and unmaps the whole page. */
#include <stdlib.h>
#include <sys/mman.h>

#include "../races/threads.h"

static void *churn(void *n)
{
	for (int i = 0; i < 3; i++) {
		char *p = mmap(NULL, 6, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			abort();
		p[0] = p[4000] = (char)(long)n;
		p = mremap(p, 6, 5000, MREMAP_MAYMOVE);
		if (p == MAP_FAILED)
			abort();
		p[8000] = p[4000];
		munmap(p, 5000);
	}
	return NULL;
}

int main(void)
{
	together(churn, churn, churn);
	return 0;
}
