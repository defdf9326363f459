#include "format/utf8.h"

#include <string.h>

size_t utf8_length(const unsigned char *s, size_t size)
{
	static const struct {
		unsigned char low, high, second_low, second_high;
		size_t length;
	} forms[] = {
	        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
	        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
	        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		if (s[0] < forms[i].low || s[0] > forms[i].high)
			continue;
		if (forms[i].length > size)
			return 0;
		if (forms[i].length > 1 && (s[1] < forms[i].second_low || s[1] > forms[i].second_high))
			return 0;
		for (size_t k = 2; k < forms[i].length; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

/* Terminals obey the control characters of C1 (U+0080 to U+009F) as they obey those of ASCII. */
bool bytes_are_text(const void *bytes, size_t size)
{
	const unsigned char *s = bytes, *end = s + size;

	while (s < end) {
		size_t n = utf8_length(s, (size_t)(end - s));
		bool control = (n == 1 && *s < ' ' && !strchr("\t\n\r\033", *s)) || *s == 0x7f || !*s ||
		               (n == 2 && *s == 0xc2 && s[1] < 0xa0);
		if (!n || control)
			return false;
		s += n;
	}
	return true;
}
