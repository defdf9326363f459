/*
 * UTF-8 as the JSON writer and reader and the comparison of outputs need it.  Input: bytes of any kind; nothing is
 * changed.  Any room of the tool may call this.
 */
#ifndef OMEN_UTF8_H
#define OMEN_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 sequence at s; 0 if it is invalid: too long, a surrogate, above U+10FFFF, or cut off. */
size_t utf8_length(const unsigned char *s, size_t size);

/* Whether a person can read the bytes: UTF-8 whose only control characters are tab, line ends and escape (colours). */
bool bytes_are_text(const void *bytes, size_t size);

#endif
