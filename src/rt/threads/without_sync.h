/*
 * `omen triage --without-sync FILE:LINE`: what if the synchronisation of this line were not there?  While
 * mode_is(WITHOUT_SYNC) a lock taken there is not taken, and its unlock does nothing.
 */
#ifndef OMEN_WITHOUT_SYNC_H
#define OMEN_WITHOUT_SYNC_H

#include <stdbool.h>
#include <stdint.h>

/* The running fiber is about to take the object at `where`.  True: it does not, and a point was made instead. */
bool without_sync_takes(uint64_t where, const void *object);
/* It would have the object now. */
bool without_sync_has(const void *object);
/* It is about to give the object back.  True: it does nothing. */
bool without_sync_gives(const void *object);

#endif
