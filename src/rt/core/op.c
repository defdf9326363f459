#include "rt/core/op.h"

#include "rt/core/descriptor_object.h"

uint64_t omen_descriptor[BOARD_DESCRIPTORS];

/* Where one stops an access, those behind it need not hear of it. */
uint64_t op_tell(uint64_t kinds, const void *object, uint64_t size, uint64_t value, const struct omen_site *site,
                 const struct fiber *fiber)
{
	const struct op op = {.kind = kinds & 0xffff,
	                      .flags = (uint32_t)(kinds >> 32),
	                      .object_kind = kinds >> 16 & 0xffff,
	                      .object = object,
	                      .size = size,
	                      .value = value,
	                      .site = site,
	                      .fiber = fiber};
	uint64_t answer = 0;

	for (const struct observer *const *o = observers; *o; o++)
		if (mode_any((*o)->mode) && (answer = (*o)->op(&op)))
			return answer;
	return 0;
}
