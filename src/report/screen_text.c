#include "report/screen_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "format/file.h"

/* Of the bytes of a character only the first one counts. */
static bool starts_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

size_t text_width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += starts_character(*text);
	return n;
}

void text_clip(char *text, size_t most)
{
	size_t n = 0;
	char *end = text;

	if (!most)
		*text = 0;
	if (text_width(text) <= most)
		return;
	for (; *end && (n + 1 < most || !starts_character(*end)); end++)
		n += starts_character(*end);
	strcpy(end, "…");
}

/* The length of the escape sequence at p; 0: there is none. */
static size_t escape_length(const char *p)
{
	const char *end = p;

	if (*p != '\033')
		return 0;
	while (*end && *end != 'm')
		end++;
	return (size_t)(end - p) + (*end == 'm');
}

static void print_clipped_line(FILE *out, const char *p, size_t size)
{
	size_t n = 0, columns = 0;

	for (size_t i = 0; i < size; i++) {
		size_t escape = escape_length(p + i);
		if (escape)
			i += escape - 1;
		else
			columns += starts_character(p[i]);
	}
	for (size_t i = 0; i < size; i++) {
		size_t escape = escape_length(p + i);
		bool starts = starts_character(p[i]);
		if (escape) {
			fwrite(p + i, 1, escape, out);
			i += escape - 1;
		} else if (columns <= SCREEN_COLUMNS || n + starts < SCREEN_COLUMNS) {
			fputc(p[i], out);
			n += starts;
		} else if (n < SCREEN_COLUMNS) {
			fputs("…", out);
			n = SCREEN_COLUMNS;
		}
	}
	fputc('\n', out);
}

/* Where to fold a line that is too long: at the last space in the second half of the screen; 0: nowhere. */
static size_t find_fold(const char *p, size_t size)
{
	size_t columns = 0, space = 0;

	for (size_t i = 0; i < size && columns < SCREEN_COLUMNS; i++) {
		size_t escape = escape_length(p + i);
		if (escape) {
			i += escape - 1;
			continue;
		}
		columns += starts_character(p[i]);
		if (p[i] == ' ' && columns > SCREEN_COLUMNS / 2)
			space = i;
	}
	return columns < SCREEN_COLUMNS ? 0 : space;
}

void print_folded(FILE *out, const char *text)
{
	while (*text) {
		size_t size = strcspn(text, "\n"), first = find_fold(text, size);
		print_clipped_line(out, text, first ? first : size);
		if (first) {
			char *rest = must_format("    %.*s", (int)(size - first - 1), text + first + 1);
			print_clipped_line(out, rest, strlen(rest));
			free(rest);
		}
		text += size + (text[size] == '\n');
	}
}

void print_clipped(FILE *out, const char *text)
{
	while (*text) {
		size_t size = strcspn(text, "\n");
		print_clipped_line(out, text, size);
		text += size + (text[size] == '\n');
	}
}
