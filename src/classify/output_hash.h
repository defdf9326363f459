/* Hashes of output. Called by output_features.c and clock_output.c only. */
#ifndef OMEN_OUTPUT_HASH_H
#define OMEN_OUTPUT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9fb21c651e98df25u;
	return h ^ h >> 29;
}

static inline uint64_t hash_of(const void *data, size_t size)
{
	const uint8_t *p = data;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < size; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return hash_mix(hash_mix(1, h), size);
}

/* A hash that ignores the order of the lines. */
static inline uint64_t hash_of_lines(const void *data, size_t size)
{
	const uint8_t *p = data, *end = p + size;
	uint64_t sum = 0;

	while (p < end) {
		const uint8_t *stop = memchr(p, '\n', (size_t)(end - p));
		stop = stop ? stop : end;
		sum += hash_of(p, (size_t)(stop - p));
		p = stop + 1;
	}
	return sum;
}

#endif
