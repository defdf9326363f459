/*
 * What stands for a descriptor where races are looked for: using it reads this, closing it writes this, and ends its
 * life.
 */
#ifndef OMEN_DESCRIPTOR_OBJECT_H
#define OMEN_DESCRIPTOR_OBJECT_H

#include "abi/board.h"

extern uint64_t omen_descriptor[BOARD_DESCRIPTORS];

/* NULL: none. */
static inline uint64_t *descriptor_of(int fd)
{
	return fd >= 0 && fd < BOARD_DESCRIPTORS ? &omen_descriptor[fd] : NULL;
}

#endif
