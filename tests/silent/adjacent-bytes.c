// flags: -pthread

/* Each thread has a byte of its own in one word. */
#include "../races/threads.h"

static _Alignas(8) unsigned char byte[8];

static void *count(void *n)
{
	for (int i = 0; i < 3; i++)
		byte[(long)n]++;
	return NULL;
}

int main(void)
{
	int sum = 0;

	together(count, count, count, count, count, count, count, count);
	for (int i = 0; i < 8; i++)
		sum += byte[i];
	return sum != 24;
}
