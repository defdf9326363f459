/*
 * Where the value of a load goes, as the compiler knows it.
 *
 * In: the site of a load.  Out: the site of a store, from the section omen_flows of the program (abi/hooks.h).  Caller:
 * the patterns of harmless races.
 */
#ifndef OMEN_LOAD_FLOWS_H
#define OMEN_LOAD_FLOWS_H

#include <stdbool.h>
#include <stdint.h>

struct board_result;

/*
 * Whether the value that the load at this site reads goes into one store and nowhere else; `store` is the site of that
 * store.  False if the value has other uses, or if the compiler does not know.
 */
bool flows_only_into(const struct board_result *r, uint64_t load, uint64_t *store);

#endif
