/*
 * Checks which functions of other modules the program imports.  In: the symbol tables of the loaded modules.  Out: the
 * first import that the exhaustive search cannot account for.  For step_record.c.
 */
#ifndef OMEN_IMPORT_AUDIT_H
#define OMEN_IMPORT_AUDIT_H

/*
 * The name of a function or library that may do something that other threads notice without a step in the log.  NULL:
 * there is none.  Every other import is one of ours, has a row in library_calls.h, or concerns only the calling thread.
 */
const char *import_audit_unknown(void);

#endif
