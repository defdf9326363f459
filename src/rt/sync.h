/* The interposed synchronisation functions. */
#ifndef OMEN_SYNC_H
#define OMEN_SYNC_H

/* Finds the C library's own functions; ends the process with a message if one is missing. */
void sync_start(void);

/* main returns, or exit() is called. */
void sync_ends(void);

#endif
