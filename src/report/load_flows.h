/* What the compiler knows of where the value of a load goes: section omen_flows of the program (abi/hooks.h). */
#ifndef OMEN_LOAD_FLOWS_H
#define OMEN_LOAD_FLOWS_H

#include <stdbool.h>
#include <stdint.h>

struct board_result;

/*
 * What the load at this site reads goes into one store and nowhere else, and which site that is.  False: more is done
 * with it, or it is not known.
 */
bool flows_only_into(const struct board_result *r, uint64_t load, uint64_t *store);

#endif
