/* What the program calls besides its own code. */
#ifndef OMEN_IMPORTS_H
#define OMEN_IMPORTS_H

/*
 * The name of a function or library that may do something others notice without a step that says so; NULL: there is
 * none.  Everything else is ours, has a row in libcall.h, or concerns nobody but the thread that calls it.
 */
const char *imports_unknown(void);

#endif
