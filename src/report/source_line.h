/*
 * Lines of the program's source.
 *
 * In: a frame and the modules of its execution.  Out: the text of the line, if the source file exists and is the one
 * that was compiled.  Callers: reports and race ids.
 */
#ifndef OMEN_SOURCE_LINE_H
#define OMEN_SOURCE_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/symbol.h"

/*
 * The line of a frame, cut to `size`, without control characters.  False if the file does not exist, is newer than the
 * program, or could be one of several.
 */
bool source_line(const struct board_result *r, const struct frame *f, char *out, size_t size);
/* Removes the space around a line, in place; returns its start. */
char *source_trim(char *line);

#endif
