// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write

/* Two threads clear the same buffer; each byte becomes zero in any order. */
#include <stdio.h>
#include <string.h>

#include "../races/threads.h"

static char page[256] = "old contents";

static void *clear(void *unused)
{
	memset(page, 0, sizeof page); // race A
	return unused;
}

int main(void)
{
	int left = 0;

	together(clear, clear);
	for (size_t i = 0; i < sizeof page; i++)
		left += page[i] != 0;
	printf("%d bytes left\n", left);
	return 0;
}
