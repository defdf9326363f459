#include "format/json.h"

#include <string.h>

#include "format/utf8.h"

static void write_quoted(FILE *out, const char *value, size_t size)
{
	const unsigned char *s = (const unsigned char *)value, *end = s + size;

	fputc('"', out);
	while (s < end) {
		size_t n = utf8_length(s, (size_t)(end - s));
		if (!*s)
			fputs("\\u2400", out), s++; /* the symbol for NUL: strings that are read back end at a NUL */
		else if (!n)
			fprintf(out, "\\udc%02x", *s++);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s++);
		else if (*s == '\n')
			fputs("\\n", out), s++;
		else if (*s == '\t')
			fputs("\\t", out), s++;
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s++);
		else
			fwrite(s, 1, n, out), s += n;
	}
	fputc('"', out);
}

/* Starts a new line, unless the value is inside one that stays on one line. */
static void break_line(struct json_writer *w)
{
	if (w->depth && !(w->one_line_depth && w->depth > w->one_line_depth))
		fprintf(w->out, "\n%*s", 2 * w->depth, "");
}

static void begin_value(struct json_writer *w, const char *key)
{
	if (w->needs_comma)
		fputc(',', w->out);
	break_line(w);
	if (key) {
		write_quoted(w->out, key, strlen(key));
		fputs(": ", w->out);
	}
	w->needs_comma = true;
}

void json_open(struct json_writer *w, const char *key, char bracket)
{
	begin_value(w, key);
	fputc(bracket, w->out);
	w->depth++;
	w->needs_comma = false;
}

void json_close(struct json_writer *w, char bracket)
{
	bool lines = w->needs_comma && !(w->one_line_depth && w->depth > w->one_line_depth);

	w->depth--;
	if (lines)
		fprintf(w->out, "\n%*s", 2 * w->depth, "");
	fputc(bracket, w->out);
	w->needs_comma = true;
	if (!w->depth)
		fputc('\n', w->out);
}

void json_bytes(struct json_writer *w, const char *key, const char *value, size_t size)
{
	begin_value(w, key);
	write_quoted(w->out, value, size);
}

void json_string(struct json_writer *w, const char *key, const char *value)
{
	json_bytes(w, key, value, strlen(value));
}

void json_number(struct json_writer *w, const char *key, uint64_t value)
{
	begin_value(w, key);
	fprintf(w->out, "%lu", value);
}

void json_real(struct json_writer *w, const char *key, double value)
{
	begin_value(w, key);
	fprintf(w->out, "%.3f", value);
}

void json_bool(struct json_writer *w, const char *key, bool value)
{
	begin_value(w, key);
	fputs(value ? "true" : "false", w->out);
}

void json_address(struct json_writer *w, const char *key, uint64_t value)
{
	begin_value(w, key);
	fprintf(w->out, "\"0x%lx\"", value);
}
