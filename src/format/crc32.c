#include "format/crc32.h"

static uint32_t table[256];

static void fill_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;
		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
		table[i] = c;
	}
}

uint32_t crc32_of(uint32_t crc, const void *data, size_t size)
{
	const uint8_t *p = data;

	if (!table[1])
		fill_table();
	crc = ~crc;
	while (size--)
		crc = table[(crc ^ *p++) & 0xff] ^ crc >> 8;
	return ~crc;
}
