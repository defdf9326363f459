#include "rt/core/op.h"

#include "rt/core/descriptor_object.h"

uint64_t omen_descriptor[BOARD_DESCRIPTORS];
uint64_t op_modes[OP_KIND_COUNT];

/* For each kind of operation, the observers that hear of it, in their order; no function ends the list. */
#define OBSERVERS 15
static struct {
	uint64_t mode;
	uint64_t (*op)(const struct op *op);
} ears[OP_KIND_COUNT][OBSERVERS + 1];

static void hear(enum op_kind kind, const struct observer *o)
{
	uint32_t i = 0;

	while (ears[kind][i].op)
		i++;
	ears[kind][i].mode = o->mode;
	ears[kind][i].op = o->op;
	op_modes[kind] |= o->mode;
}

void op_begin(void)
{
	for (uint32_t i = 0; observers[i] && i < OBSERVERS; i++)
		for (uint32_t kind = 0; kind < OP_KIND_COUNT; kind++)
			if (observers[i]->hears_all || observers[i]->hears[kind])
				hear(kind, observers[i]);
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

	for (uint32_t i = 0; ears[op.kind][i].op; i++)
		if (mode_any(ears[op.kind][i].mode) && (answer = ears[op.kind][i].op(&op)))
			return answer;
	return 0;
}
