/*
 * `omen triage --without-sync FILE:LINE`: what if the synchronisation of this line did not exist?  In mode WITHOUT_SYNC
 * a lock operation there does nothing, and neither does its unlock.  For the files of this room only.
 */
#ifndef OMEN_WITHOUT_SYNC_H
#define OMEN_WITHOUT_SYNC_H

#include <stdbool.h>
#include <stdint.h>

/* The running fiber is about to take the object at `where`.  True: it must not; a point was made instead. */
bool without_sync_takes(uint64_t where, const void *object);
/* Would the running fiber hold the object now, if it had taken it? */
bool without_sync_has(const void *object);
/* The running fiber is about to release the object.  True: it must not. */
bool without_sync_gives(const void *object);

#endif
