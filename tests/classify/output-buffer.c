// flags: -pthread
// race A B C D E: verdict=output-differs

/*
 * A bounded buffer with producers and a consumer, its indices without a lock. Indices stay within the buffer; items get
 * lost or are taken before they exist. Both producers can write the first slot: then the consumer takes it before or after
 * the second one has written it (B).
 */
#include <stdio.h>

#include "../races/threads.h"

#define SLOTS 4u

static int slots[SLOTS];
static volatile unsigned in, out;

static void *produce(void *n)
{
	slots[in % SLOTS] = 1 + (int)(long)n; // race A B C
	in = in + 1;                          // race A D E
	return NULL;
}

static void *consume(void *unused)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		if (out != in)                                 // race D
			sum = 10 * sum + slots[out++ % SLOTS]; // race B
	printf("%d\n", sum);
	return unused;
}

int main(void)
{
	together(produce, produce, consume);
	return 0;
}
