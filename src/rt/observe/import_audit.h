/* What the program calls besides its own code. */
#ifndef OMEN_IMPORT_AUDIT_H
#define OMEN_IMPORT_AUDIT_H

/*
 * The name of a function or library that may do something others notice without a step that says so; NULL: there is
 * none.  Everything else is ours, has a row in library_calls.h, or concerns nobody but the thread that calls it.
 */
const char *imports_unknown(void);

#endif
