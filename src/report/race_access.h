/*
 * The two accesses of a race: their places in the source, their stacks, the bytes that both touch.
 *
 * In: a race.  Out: places, frames, bytes.  Callers: everybody who reports, compares or repeats races.
 */
#ifndef OMEN_RACE_ACCESS_H
#define OMEN_RACE_ACCESS_H

#include "abi/board.h"
#include "report/symbol.h"

struct race;

/* The ACCESS_* flags that two accesses must share to be of one kind. */
#define ACCESS_KIND (ACCESS_WRITE | ACCESS_ATOMIC | ACCESS_FREE)

/* "write", "read", "free"; without "atomic", for which JSON has a key of its own. */
const char *access_kind(uint32_t flags);
/* What stands for the place of an access: its site, or the address of its code. */
uint64_t access_place(const struct board_access *a);
/* The first 8 of the bytes that both accesses touch. */
struct board_watch race_watch(const struct board_race *r);
/* How many bytes both accesses touch, from race.seen.address on; 0: not known. */
uint64_t race_common_bytes(const struct race *r);
/* Where the program's own source has access 0 or 1, as far as that is known.  False if nothing is known. */
bool race_place(const struct race *r, int access, struct frame *out);
/* The place that the site of access 0 or 1 names, which may be in a header of a library.  False: it has no site. */
bool race_site(const struct race *r, int access, struct frame *out);
/* The stack of access 0 or 1, as symbol_stack() has it; 0 if it is not known. */
size_t race_stack(const struct race *r, int access, struct frame *out, size_t max);
/* Where a thread was created; NULL: not known. */
const struct board_thread *race_thread(const struct race *r, uint32_t fiber);

#endif
