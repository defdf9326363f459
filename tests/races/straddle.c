// flags: -pthread

/* A write across a border of eight bytes, and a read of its last byte beyond the border. */
#include <stdint.h>
#include <string.h>

#include "threads.h"

static _Alignas(16) unsigned char packet[16];

struct __attribute__((packed)) field {
	uint32_t value;
};

static void *set_length(void *unused)
{
	((struct field *)(packet + 6))->value = 99; // race A
	return unused;
}

static void *get_type(void *unused)
{
	(void)unused;
	return (void *)(long)packet[9]; // race A
}

int main(void)
{
	together(set_length, get_type);
	return 0;
}
