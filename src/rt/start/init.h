/* The start of the runtime, and its restart in child processes of the program: what rt/kernel asks of rt/start. */
#ifndef OMEN_INIT_H
#define OMEN_INIT_H

#include "rt/kernel/above.h"

#endif
