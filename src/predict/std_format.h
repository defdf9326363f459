/*
 * Reads traces that are written as text: RAPID's STD format, with more operations. (docs/format.md)
 *
 * In:  a file.
 * Out: the finished trace.
 * Called by omen predict and by the tests.
 */
#ifndef OMEN_STD_FORMAT_H
#define OMEN_STD_FORMAT_H

#include <stdio.h>

#include "predict/trace.h"

/*
 * Reads a trace to its end; `name` is for messages. `warning` has what is unusual about the trace, or an empty text.
 * False: `e` says which line is wrong, and `t` needs no trace_free().
 */
bool std_read(FILE *in, const char *name, struct trace *t, struct error *warning, struct error *e);

#endif
