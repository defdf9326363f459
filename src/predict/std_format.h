/* Traces as text: RAPID's STD format, with more operations. (docs/format.md) */
#ifndef OMEN_STD_FORMAT_H
#define OMEN_STD_FORMAT_H

#include <stdio.h>

#include "predict/trace.h"

/*
 * Reads a trace to its end; `name` is for messages. What is strange about it is in `warning`, whose text is empty if
 * nothing is. False: `e` says which line is wrong, and `t` needs no trace_free().
 */
bool std_read(FILE *in, const char *name, struct trace *t, struct error *warning, struct error *e);

#endif
