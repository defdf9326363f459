/*
 * All failures of all executions, whatever these were made for: each failure once, with an execution that shows it.
 *
 * In: executions on the board. Out: c->failures, which the report shows, and which of them need no race. Called by
 * every file of this room that makes executions.
 */
#ifndef OMEN_FAILURE_LIST_H
#define OMEN_FAILURE_LIST_H

#include "classify/classify.h"

/*
 * Notes the execution on the board, which is over. `d`: how it left the recording, so that it can be made again; NULL:
 * no schedule has all of it.
 */
void failed_note(struct classifier *c, const struct board *b, const struct departure *d);

/* True if it has not failed, or has a failure that is known. */
bool failed_is_known(struct classifier *c, const struct board_result *r);

/* Writes what was noted so far into the journal. */
void failed_save(struct classifier *c);

/* The departure of an execution that leaves the recording at this point. */
struct departure departure_at(const struct classifier *c, const struct board *b, uint64_t point);

/*
 * Finds the violations of the recorded execution that only checks can see. All other executions continue past them:
 * they happen in every order of races, and what comes after them must be seen.
 */
void failed_find_constant(struct classifier *c, const struct execution *recorded);

/* Adds such a violation if the execution on the board has one that was not known. True: it has. */
bool failed_is_constant(struct classifier *c, const struct board *b, const struct departure *d);

/*
 * Makes executions with all races in the recorded order, from the beginning on, and otherwise with different schedules:
 * what fails in them needs no race.
 */
void failed_find_own(struct classifier *c, const struct execution *recorded);

/* The failure comes without any race in another order than the recorded one. */
void failed_set_own(struct classifier *c, uint32_t ending, uint64_t signature);
bool failed_is_own(struct classifier *c, uint32_t ending, uint64_t signature);

#endif
