// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=disjoint-bits

/* A length in the low half of a word and a generation in the high half, which the two readers ignore. */
#include <stdint.h>
#include <stdio.h>

#include "../races/threads.h"

static uint32_t header = 100;
static uint32_t length[2];

static void *next_generation(void *unused)
{
	header = header + (1u << 16); // race A B
	return unused;
}

static void *first(void *unused)
{
	length[0] = header & 0xffff; // race A
	return unused;
}

static void *second(void *unused)
{
	length[1] = (uint16_t)header; // race B
	return unused;
}

int main(void)
{
	together(next_generation, first, second);
	printf("%u %u\n", length[0], length[1]);
	return 0;
}
