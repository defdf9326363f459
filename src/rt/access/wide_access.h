/* Accesses wider than what the machine does at once, where all interleavings are gone through (config.every). */
#ifndef OMEN_WIDE_ACCESS_H
#define OMEN_WIDE_ACCESS_H

#include "rt/core/rt.h"

struct omen_site;

/* A load of `size` bytes, a word at a time, each a point. False: it is one access. */
bool pieces_load(const void *address, void *value, size_t size, const struct omen_site *site);

#endif
