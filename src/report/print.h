/*
 * Printing that the text reports have in common: places, stacks, values, colours.
 *
 * In: frames and values.  Out: text on a stream or in a buffer.  Callers: the text reports.
 */
#ifndef OMEN_PRINT_H
#define OMEN_PRINT_H

#include <stdio.h>

#include "report/symbol.h"

struct style {
	const char *strong, *bad, *faint, *end;
};

extern const struct style style_plain, style_coloured;

/* "counter.c:14"; without a line "libc.so.6" if the function has a name, else "libc.so.6+0x12" or the bare address. */
void print_place(FILE *out, const struct frame *f);
/* A value of `size` bytes, up to 8: small numbers in decimal, everything else (pointers, bits) in hexadecimal. */
void value_format(uint64_t value, uint32_t size, char *out, size_t room);
/* A stack, one frame a line. */
void print_frames(FILE *out, const struct frame *frames, size_t count);
/* Text of the program, without what would control the reader's terminal. */
void print_safely(FILE *out, const char *text, size_t length);

#endif
