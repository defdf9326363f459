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
void failure_list_note(struct classifier *c, const struct board *b, const struct departure *d);

/* True if it has not failed, or has a failure that is known. */
bool failure_list_has(struct classifier *c, const struct board_result *r);

/* Writes what was noted so far into the journal. */
void failure_list_save(struct classifier *c);

/* The departure of an execution that leaves the recording at this point. */
struct departure departure_at(const struct classifier *c, const struct board *b, uint64_t point);

/*
 * Finds the violations of the recorded execution that only checks can see. All other executions continue past them:
 * they happen in every order of races, and what comes after them must be seen.
 */
void failure_list_find_constant(struct classifier *c, const struct execution *recorded);

/* Adds such a violation if the execution on the board has one that was not known. True: it has. */
bool failure_list_take_constant(struct classifier *c, const struct board *b, const struct departure *d);

/*
 * Makes executions with all races in the recorded order, from the beginning on, and otherwise with different schedules:
 * what fails in them needs no race.
 */
void failure_list_find_raceless(struct classifier *c, const struct execution *recorded);

/* The failure comes without any race in another order than the recorded one. */
void failure_list_set_raceless(struct classifier *c, uint32_t ending, uint64_t signature);
bool failure_list_is_raceless(struct classifier *c, uint32_t ending, uint64_t signature);

#endif
