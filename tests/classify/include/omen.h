/* Stands in for OMEN_INVARIANT() of Omen's own omen.h: a predicate that must hold wherever it stands. */
#ifndef OMEN_H
#define OMEN_H

#include <assert.h>

#define OMEN_INVARIANT(predicate) assert(predicate)

#endif
