/*
 * The program's blocks from malloc, for programs that ask about them or have hooks for them
 * (sanitizer/allocator_interface.h).  The heap reports every block; other programs pay one test for each.
 */
#ifndef OMEN_OWNED_BLOCKS_H
#define OMEN_OWNED_BLOCKS_H

#include "rt/core/rt.h"

/* The program asks or has hooks: the heap must call owned_made() and owned_gone(). */
extern bool owned_wanted;

void owned_made(void *block, size_t size);
/* A block is about to be freed. */
void owned_gone(void *block);
/* The program says that the block must not be freed. */
bool owned_stays(const void *block);

#endif
