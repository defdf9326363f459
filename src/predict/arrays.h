/* New arrays with the same number in all entries, or all bytes zero. Anybody may call them; the caller frees the array.
 */
#ifndef OMEN_ARRAYS_H
#define OMEN_ARRAYS_H

#include "format/file.h"

static inline uint32_t *array_filled(size_t count, uint32_t value)
{
	uint32_t *array = must_alloc(count * sizeof *array);

	for (size_t i = 0; i < count; i++)
		array[i] = value;
	return array;
}

/* For numbers that may be 0: the array has one entry more. */
static inline void *array_zeroed(size_t count, size_t size) { return must_alloc((count + 1) * size); }

#endif
