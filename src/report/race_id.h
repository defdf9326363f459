/*
 * Ids of races, which stay the same in other executions and when other lines of the program change.
 *
 * In: a list of races, or the places of two accesses.  Out: ids.  Callers: the commands, before they report.
 */
#ifndef OMEN_RACE_ID_H
#define OMEN_RACE_ID_H

#include "report/race_list.h"

/*
 * The identity of an access: `place` is where it is in the program's own source, `site` where the access itself is if
 * that is somewhere else, or NULL.
 */
uint64_t access_identity(const struct board_result *r, uint32_t flags, const struct frame *place,
                         const struct frame *site);
/* The identity of a race, from those of its two accesses in any order. */
uint64_t race_identity(uint64_t one, uint64_t other);
/* The id of a race.  `twin`: its number among the races with the same identity, from 1 on. */
void race_name(uint64_t identity, unsigned twin, char *id, size_t size);
/* Sorts the races in the order of a report, and gives each its id. */
void races_identify(struct races *all);

#endif
