/* Lines of the program's source, where it is at hand and still what was compiled. */
#ifndef OMEN_SOURCE_H
#define OMEN_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/symbol.h"

/*
 * The line of a frame, cut to `size`, without anything that steers a terminal. False if the file is not there, has been
 * written after the program was built, or could be one of several.
 */
bool source_line(const struct board_result *r, const struct frame *f, char *out, size_t size);
/* Skips and cuts surrounding space in place. */
char *source_trim(char *line);
/*
 * What is accessed at a column of a line, as it is written there: "it->refcount", "*p", "table[i]". Only where clang's
 * columns leave no doubt; false otherwise.
 */
bool source_expression(const char *line, unsigned column, bool write, char *out, size_t size);

#endif
