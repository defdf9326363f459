#include "rt/core/op.h"

#include "rt/core/descriptor_object.h"

uint64_t omen_descriptor[BOARD_DESCRIPTORS];

/* If an observer stops an access, the observers after it do not hear of the access. */
uint64_t op_tell(const struct op *op)
{
	uint64_t answer = 0;

	for (const struct observer *const *o = observers; *o; o++)
		if (mode_any((*o)->mode) && (answer = (*o)->op(op)))
			return answer;
	return 0;
}
