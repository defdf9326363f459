/*
 * The log of a recording, behind the board (abi/world_log.h): a row of entries.  The recorder appends entries; the
 * replayer takes them one by one and ends the execution where the program makes another call than the recorded one.
 * Only files of this room use it.
 */
#ifndef OMEN_LOG_H
#define OMEN_LOG_H

#include "abi/world_log.h"
#include "rt/world/call_memory.h"

uint8_t *log_at(uint64_t at);
uint64_t log_entry_size(const struct world_entry *e);
/* NULL: there is none, or it is damaged. */
const struct world_entry *log_entry_at(uint64_t at);

/* ---- recording ---- */

/* An entry with these bytes; if there is no room for it the recording ends, and the board says so. */
void log_append(const struct world_entry *e, const struct call_memory *m);

/* ---- replaying ---- */

void log_rewind(void);
/* The next answer; NULL at the end. */
const struct world_entry *log_next(void);
/* The next answer, which must be one of this call; `arg` is for messages, and may be NULL. */
const struct world_entry *log_expect(long nr, const long *arg);
/* This answer was used. */
void log_advance(const struct world_entry *e);
/* Sets omen.signal_point. */
void log_look_ahead(void);
/* "read(5, 0x7fffffffe000, 0xc)": the call of the last log_expect. */
const char *log_describe_call(void);
/* "read(5, …) = 12" */
const char *log_describe_entry(const struct world_entry *e);
/* Ends the execution: the call of the last log_expect is not as it was recorded. */
void log_differs(const char *what, long is, long was) __attribute__((noreturn));

#endif
