/*
 * The blocks that the program has from malloc, for programs that ask about them or want to be told of them
 * (sanitizer/allocator_interface.h).  All others pay one test a block.
 */
#ifndef OMEN_OWNED_BLOCKS_H
#define OMEN_OWNED_BLOCKS_H

#include "rt/core/rt.h"

/* Somebody asks, or is told: owned_made() and owned_gone() are to be called. */
extern bool owned_wanted;

void owned_made(void *block, size_t size);
/* A block is about to be freed. */
void owned_gone(void *block);
/* It is not to be freed: the program says so. */
bool owned_stays(const void *block);

#endif
