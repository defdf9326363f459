/* The conversions of a scanf() format: read by the pass where the format is constant, and by the runtime where the
 * arguments are a va_list. */
#ifndef OMEN_SCANF_FORMAT_H
#define OMEN_SCANF_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What an argument gets, besides a number of bytes. */
#define SCAN_STRING      0
#define SCAN_WIDE_STRING ((size_t)-1)

/* One that has an argument. */
struct scan {
	unsigned result; /* scanf() returns no less if it was made */
	size_t bytes;    /* that are certainly written to the argument, or one of the above */
	bool in_doubt;   /* nothing tells whether it was made */
};

static inline size_t scan_integer_bytes(const char *length)
{
	if (length[0] == 'h')
		return length[1] == 'h' ? 1 : 2;
	return length[0] && strchr("lqLjzZt", length[0]) ? 8 : 4;
}

/* A letter with its length before it, which may be one of the letters as well. */
static inline size_t scan_bytes(const char *length, char letter, bool allocates)
{
	bool is_long = length[0] == 'l';

	if (allocates)
		return sizeof(void *);
	switch (letter) {
	case 's':
	case '[':
		return is_long ? SCAN_WIDE_STRING : SCAN_STRING;
	case 'S':
		return SCAN_WIDE_STRING;
	case 'c':
		return is_long ? 4 : 1; /* of a width so many, unless the input ends */
	case 'C':
		return 4;
	case 'p':
		return sizeof(void *);
	default:
		if (strchr("aefgAEFG", letter))
			return length[0] == 'L' ? 16 : is_long ? 8 : 4;
		return scan_integer_bytes(length);
	}
}

/* The set of %[ ends at the first ] that is not its first character. */
static inline const char *scan_behind(const char *letter)
{
	if (*letter != '[')
		return letter + 1;
	letter += letter[1] == '^' ? 2 : 1;
	letter = *letter ? strchr(letter + 1, ']') : NULL;
	return letter ? letter + 1 : NULL;
}

/* Reads the next one that has an argument; NULL at the end, or where arguments are numbered.  `*s` begins as {0}. */
static inline const char *scan_next(const char *format, struct scan *s)
{
	bool text = false; /* other than white space: it may not have been there */

	for (const char *at = format; at && *at;) {
		if (*at != '%' || at[1] == '%') {
			text |= !strchr(" \t\n\v\f\r", *at);
			at += *at == '%' ? 2 : 1;
			continue;
		}
		bool dropped = *++at == '*';
		at += dropped;
		at += strspn(at, "'I");
		at += strspn(at, "0123456789");
		if (*at == '$')
			return NULL;
		bool allocates = *at == 'm';
		const char *length = at += allocates;
		at += strspn(at, "hlqLjztZ");
		const char letter = *at;
		const char *behind = letter ? scan_behind(at) : NULL;
		if (!behind)
			return NULL;
		if (dropped) {
			text = true;
			at = behind;
			continue;
		}
		s->result += letter != 'n';
		s->bytes = scan_bytes(length, letter, allocates);
		s->in_doubt = letter == 'n' && text;
		return behind;
	}
	return NULL;
}

#endif
