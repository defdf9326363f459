#include "rt/core/op.h"

#include "rt/core/descriptor_object.h"

uint64_t omen_descriptor[BOARD_DESCRIPTORS];
uint64_t op_modes[OP_KIND_COUNT];

static inline bool hears(const struct observer *o, enum op_kind kind) { return o->hears_all || o->hears[kind]; }

void op_begin(void)
{
	for (const struct observer *const *o = observers; *o; o++)
		for (uint32_t kind = 0; kind < OP_KIND_COUNT; kind++)
			if (hears(*o, kind))
				op_modes[kind] |= (*o)->mode;
}

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
		if (hears(*o, op.kind) && mode_any((*o)->mode) && (answer = (*o)->op(&op)))
			return answer;
	return 0;
}
