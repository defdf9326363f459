/* The expression at a column of a source line: pure text, no files. */
#ifndef OMEN_SOURCE_EXPRESSION_H
#define OMEN_SOURCE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What is accessed at a column of a line, in the words of the source: "it->refcount", "*p", "table[i]".  False where
 * clang's column does not make that certain.
 */
bool source_expression(const char *line, unsigned column, bool write, char *out, size_t size);

#endif
