/* What the texts of failures and races have in common. */
#ifndef OMEN_PRINT_H
#define OMEN_PRINT_H

#include <stdio.h>

#include "report/symbol.h"

struct style {
	const char *strong, *bad, *faint, *end;
};

extern const struct style style_plain, style_coloured;

/* "counter.c:14", "libc.so.6" of a function that has a name, else "libc.so.6+0x12" or the bare address. */
void print_place(FILE *out, const struct frame *f);
/* A value of so many bytes, up to 8: small numbers as such, everything else is a pointer or bits. */
void value_format(uint64_t value, uint32_t size, char *out, size_t room);
/* A stack, one frame a line. */
void print_frames(FILE *out, const struct frame *frames, size_t count);

#endif
