// flags: -pthread

/* Data written before the threads start is read by all of them. */
#include <string.h>

#include "../races/threads.h"

static const int table[4] = {1, 2, 3, 4};
static int copy[4], sum[4];

static void *read_all(void *n)
{
	for (int i = 0; i < 4; i++)
		sum[(long)n] += table[i] * copy[3 - i];
	return NULL;
}

int main(void)
{
	memcpy(copy, table, sizeof copy);
	together(read_all, read_all, read_all, read_all);
	copy[0] = 0;
	return sum[0] != 20 || memcmp(sum, (int[]){20, 20, 20, 20}, sizeof sum);
}
