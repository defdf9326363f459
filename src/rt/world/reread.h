/*
 * Files that the program only reads are not in the log: a replay opens and reads them again, and compares hashes.  Here
 * is which descriptors are of this kind, and how the replay gets such a file.  Only files of this room use it.
 */
#ifndef OMEN_REREAD_H
#define OMEN_REREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "abi/world_log.h"

bool reread_has(long fd);
void reread_put(long fd, bool yes);

/* Recording: will the file that was opened be there again, as it is now?  What the kernel makes up has no size. */
bool reread_is_possible(long fd, long flags, const char *name);
/* Recording: this file is about to change.  What is read of it from now on is in the log. */
void reread_stop(const struct stat *changed);

/* Replay: opens the file of this entry again, at the recorded descriptor; ends the execution if it is gone. */
void reread_open(const struct world_entry *e);
/* After close_range: a replay closes those that it has opened. */
void reread_close_range(const long arg[6], long result);

/* Changes with the size and the time of a file: one that is mapped is not read through. */
uint64_t reread_file_version(long fd);

#endif
