/*
 * The conversions of a scanf() format.  In: the format.  Out: for each conversion, how many bytes it writes.  The pass
 * calls it where the format is constant, the runtime where the arguments are a va_list.
 */
#ifndef OMEN_SCANF_FORMAT_H
#define OMEN_SCANF_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* struct scan, bytes: the conversion writes a string, whose length is known only after the call. */
#define SCAN_STRING      0
#define SCAN_WIDE_STRING ((size_t)-1)

/* A conversion that has an argument. */
struct scan {
	unsigned result; /* if the conversion was made, scanf() returns at least this */
	size_t bytes;    /* how many bytes it certainly writes to the argument, or one of the above */
	bool in_doubt;   /* the result of scanf() does not say whether it was made */
};

static inline size_t scan_integer_bytes(const char *length)
{
	if (length[0] == 'h')
		return length[1] == 'h' ? 1 : 2;
	return length[0] && strchr("lqLjzZt", length[0]) ? 8 : 4;
}

/* `letter` is the conversion; `length` points to its length modifier, or to the letter if there is none. */
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
		return is_long ? 4 : 1; /* with a width as many as that, unless the input ends before */
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

/* The place after the conversion.  The set of %[ ends at the first ] that is not its first character. */
static inline const char *scan_behind(const char *letter)
{
	if (*letter != '[')
		return letter + 1;
	letter += letter[1] == '^' ? 2 : 1;
	letter = *letter ? strchr(letter + 1, ']') : NULL;
	return letter ? letter + 1 : NULL;
}

/*
 * Reads the next conversion that has an argument.  Returns the place after it; NULL at the end, or if arguments are
 * numbered.  `*s` must be {0} before the first call.
 */
static inline const char *scan_next(const char *format, struct scan *s)
{
	bool text = false; /* the format has text other than white space: the input may lack it */

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
