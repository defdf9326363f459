/* The runtime's beginning, and its beginning again in the children of the program. */
#ifndef OMEN_INIT_H
#define OMEN_INIT_H

#include "rt/kernel/above.h"

#endif
