/*
 * The code of a source line.
 *
 * In: a program, a file name and a line number.  Out: pieces of code, from the debug information.  Caller: the options
 * that name lines of the program.
 */
#ifndef OMEN_LINE_CODE_H
#define OMEN_LINE_CODE_H

#include <stddef.h>

#include "abi/board.h"

/*
 * Finds the pieces of code that a line has.  `file` is a path or the end of one.  Returns how many there are, at most
 * `most`.
 */
size_t line_code(const char *program, const char *file, unsigned line, struct board_code *out, size_t most);

#endif
