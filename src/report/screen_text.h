/*
 * Text that must fit on a screen: cut or folded to a number of columns.
 *
 * In: UTF-8 text, with escape sequences for colours.  Out: the same text, not wider than the screen.  Callers: the text
 * reports.
 */
#ifndef OMEN_SCREEN_TEXT_H
#define OMEN_SCREEN_TEXT_H

#include <stddef.h>
#include <stdio.h>

#define SCREEN_COLUMNS 100

#define ELLIPSIS (sizeof "…" - 1)

/* How many columns a text has, without escape sequences. */
size_t text_width(const char *text);
/* Cuts a text to `most` columns, with "…" at its end.  Its buffer has room for ELLIPSIS more bytes. */
void text_clip(char *text, size_t most);

/* Prints lines and cuts each to SCREEN_COLUMNS. */
void print_clipped(FILE *out, const char *text);
/* The same, but a line that is too long continues in a second line. */
void print_folded(FILE *out, const char *text);

#endif
