// flags: -pthread

/* A word is written whole and read by the byte: they overlap in one byte, at neither's beginning. */
#include <stdint.h>

#include "threads.h"

static union {
	uint64_t all;
	uint32_t half[2];
	uint8_t byte[8];
} word;

static void *write_half(void *unused)
{
	word.half[1] = 0x01020304; // race A
	return unused;
}

static void *read_byte(void *unused)
{
	(void)unused;
	return (void *)(long)word.byte[6]; // race A
}

static void *read_other_byte(void *unused)
{
	(void)unused;
	return (void *)(long)word.byte[3];
}

int main(void)
{
	together(write_half, read_byte, read_other_byte);
	return 0;
}
