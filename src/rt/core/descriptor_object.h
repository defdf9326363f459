/*
 * Objects that stand for descriptors in the race detector.  Using a descriptor reads its object; closing it writes the
 * object and ends the object's life.  In: a descriptor.  Out: its object.  Every room of the runtime may call it.
 */
#ifndef OMEN_DESCRIPTOR_OBJECT_H
#define OMEN_DESCRIPTOR_OBJECT_H

#include "abi/board.h"

extern uint64_t omen_descriptor[BOARD_DESCRIPTORS];

/* NULL if the descriptor has no object. */
static inline uint64_t *descriptor_of(int fd)
{
	return fd >= 0 && fd < BOARD_DESCRIPTORS ? &omen_descriptor[fd] : NULL;
}

#endif
