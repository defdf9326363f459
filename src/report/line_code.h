/* From a line of source to its code. */
#ifndef OMEN_LINE_CODE_H
#define OMEN_LINE_CODE_H

#include <stddef.h>

#include "abi/board.h"

/* The pieces of code that stand for a line of a file, which is named by its path or the end of it; how many there are.
 */
size_t line_code(const char *program, const char *file, unsigned line, struct board_code *out, size_t most);

#endif
