#include "format/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/file.h"

#define DEPTH_LIMIT 64

/* Length of the valid UTF-8 sequence at s, 0 if there is none (too long, surrogate, beyond U+10FFFF, cut off). */
static size_t utf8_length(const unsigned char *s, size_t size)
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

/* Control characters of C1 (U+0080 to U+009F) steer terminals like those of ASCII. */
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

static void write_quoted(FILE *out, const char *value, size_t size)
{
	const unsigned char *s = (const unsigned char *)value, *end = s + size;

	fputc('"', out);
	while (s < end) {
		size_t n = utf8_length(s, (size_t)(end - s));
		if (!*s)
			fputs("\\u2400", out), s++; /* a picture of it: strings that are read end at a NUL */
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

/* A new line, unless this is inside of something that stands on one. */
static void break_line(struct json_writer *w)
{
	if (w->depth && !(w->flat && w->depth > w->flat))
		fprintf(w->out, "\n%*s", 2 * w->depth, "");
}

static void begin_value(struct json_writer *w, const char *key)
{
	if (w->behind)
		fputc(',', w->out);
	break_line(w);
	if (key) {
		write_quoted(w->out, key, strlen(key));
		fputs(": ", w->out);
	}
	w->behind = true;
}

void json_open(struct json_writer *w, const char *key, char bracket)
{
	begin_value(w, key);
	fputc(bracket, w->out);
	w->depth++;
	w->behind = false;
}

void json_close(struct json_writer *w, char bracket)
{
	bool lines = w->behind && !(w->flat && w->depth > w->flat);

	w->depth--;
	if (lines)
		fprintf(w->out, "\n%*s", 2 * w->depth, "");
	fputc(bracket, w->out);
	w->behind = true;
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

struct reader {
	const char *start, *p, *end;
	const char *wrong;
	int depth;
};

static struct json *read_value(struct reader *r);

static void *fail(struct reader *r, const char *wrong)
{
	if (!r->wrong)
		r->wrong = wrong;
	return NULL;
}

static void skip_space(struct reader *r)
{
	while (r->p < r->end && strchr(" \t\n\r", *r->p) && *r->p)
		r->p++;
}

static bool take(struct reader *r, char c)
{
	skip_space(r);
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static bool read_hex4(struct reader *r, unsigned *value)
{
	*value = 0;
	for (int i = 0; i < 4; i++, r->p++) {
		static const char digits[] = "0123456789abcdef0123456789ABCDEF";
		const char *d = r->p < r->end && *r->p ? strchr(digits, *r->p) : NULL;
		if (!d)
			return false;
		*value = *value * 16 + (unsigned)((d - digits) % 16);
	}
	return true;
}

static void add_utf8(struct bytes *b, unsigned c)
{
	unsigned char s[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = n; --i;) {
		s[i] = (unsigned char)(0x80 | (c & 0x3f));
		c >>= 6;
	}
	s[0] = (unsigned char)(lead[n] | c);
	bytes_add(b, s, n);
}

/* What stands behind "\u". */
static bool read_unicode(struct reader *r, struct bytes *b)
{
	unsigned c, low;

	if (!read_hex4(r, &c))
		return fail(r, "\\u needs four hexadecimal digits");
	if (!c)
		return fail(r, "\\u0000 is not allowed here");
	if (c >= 0xdc80 && c <= 0xdcff) {
		unsigned char byte = (unsigned char)c;
		bytes_add(b, &byte, 1);
		return true;
	}
	if (c >= 0xd800 && c < 0xdc00) {
		if (r->end - r->p < 6 || r->p[0] != '\\' || r->p[1] != 'u')
			return fail(r, "half a surrogate pair");
		r->p += 2;
		if (!read_hex4(r, &low) || low < 0xdc00 || low > 0xdfff)
			return fail(r, "half a surrogate pair");
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	} else if (c >= 0xdc00 && c < 0xe000) {
		return fail(r, "half a surrogate pair");
	}
	add_utf8(b, c);
	return true;
}

static char *read_string(struct reader *r)
{
	static const char escapes[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
	struct bytes b = {0};

	if (!take(r, '"'))
		return fail(r, "a string is missing");
	for (;;) {
		size_t n = r->p < r->end ? utf8_length((const unsigned char *)r->p, (size_t)(r->end - r->p)) : 0;
		if (r->p == r->end) {
			fail(r, "a string does not end");
			break;
		}
		if (!n || (unsigned char)*r->p < 0x20) {
			fail(r, "a string holds a byte that is not allowed");
			break;
		}
		if (*r->p == '"') {
			r->p++;
			bytes_add(&b, "", 1);
			return (char *)b.data;
		}
		if (*r->p != '\\') {
			bytes_add(&b, r->p, n);
			r->p += n;
			continue;
		}
		r->p++;
		const char *escape = r->p < r->end && *r->p ? strchr(escapes, *r->p) : NULL;
		if (escape) {
			bytes_add(&b, &meaning[escape - escapes], 1);
			r->p++;
			continue;
		}
		if (r->p == r->end || *r->p != 'u') {
			fail(r, "an unknown escape");
			break;
		}
		r->p++;
		if (!read_unicode(r, &b))
			break;
	}
	bytes_free(&b);
	return NULL;
}

static size_t digits(struct reader *r)
{
	size_t n = 0;

	for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
		n++;
	return n;
}

static char *read_number(struct reader *r)
{
	const char *start = r->p;

	if (*r->p == '-')
		r->p++;
	bool zero = r->p < r->end && *r->p == '0';
	size_t n = digits(r);
	if (!n || (zero && n > 1))
		return fail(r, "not a number");
	if (r->p < r->end && *r->p == '.') {
		r->p++;
		if (!digits(r))
			return fail(r, "not a number");
	}
	if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
		r->p++;
		if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
			r->p++;
		if (!digits(r))
			return fail(r, "not a number");
	}
	return must_format("%.*s", (int)(r->p - start), start);
}

static bool read_members(struct reader *r, struct json *j, char closing)
{
	struct json **tail = &j->first;

	if (take(r, closing))
		return true;
	do {
		char *key = NULL;
		if (closing == '}') {
			key = read_string(r);
			if (!key)
				return false;
			if (json_member(j, key) || !take(r, ':')) {
				fail(r, json_member(j, key) ? "a name stands twice" : "a colon is missing");
				free(key);
				return false;
			}
		}
		*tail = read_value(r);
		if (!*tail) {
			free(key);
			return false;
		}
		(*tail)->key = key;
		tail = &(*tail)->next;
	} while (take(r, ','));
	return take(r, closing) || fail(r, "a comma or a closing bracket is missing");
}

static struct json *read_value(struct reader *r)
{
	static const struct {
		const char *word;
		enum json_type type;
	} words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};

	skip_space(r);
	if (r->p == r->end)
		return fail(r, "a value is missing");
	if (r->depth == DEPTH_LIMIT)
		return fail(r, "nested too deeply");
	struct json *j = must_alloc(sizeof *j);
	char c = *r->p;
	bool ok = false;
	if (c == '{' || c == '[') {
		j->type = c == '{' ? JSON_OBJECT : JSON_ARRAY;
		r->p++;
		r->depth++;
		ok = read_members(r, j, c == '{' ? '}' : ']');
		r->depth--;
	} else if (c == '"') {
		j->type = JSON_STRING;
		ok = (j->text = read_string(r));
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		j->type = JSON_NUMBER;
		ok = (j->text = read_number(r));
	} else {
		for (size_t i = 0; i < sizeof words / sizeof words[0] && !ok; i++) {
			size_t n = strlen(words[i].word);
			if ((size_t)(r->end - r->p) < n || memcmp(r->p, words[i].word, n))
				continue;
			j->type = words[i].type;
			r->p += n;
			ok = true;
		}
		if (!ok)
			fail(r, "not a value");
	}
	if (ok)
		return j;
	json_free(j);
	return NULL;
}

struct json *json_read(const char *text, size_t size, struct error *e)
{
	struct reader r = {.start = text, .p = text, .end = text + size};
	struct json *j = read_value(&r);

	skip_space(&r);
	if (j && r.p != r.end) {
		fail(&r, "something follows the end");
		json_free(j);
		j = NULL;
	}
	if (j)
		return j;
	int line = 1, column = 1;
	for (const char *p = text; p < r.p; p++, column++)
		if (*p == '\n')
			line++, column = 0;
	error_set(e, "line %d, column %d: %s", line, column, r.wrong);
	return NULL;
}

void json_free(struct json *j)
{
	while (j) {
		struct json *next = j->next;
		json_free(j->first);
		free(j->key);
		free(j->text);
		free(j);
		j = next;
	}
}

const struct json *json_member(const struct json *j, const char *key)
{
	if (!j || j->type != JSON_OBJECT)
		return NULL;
	for (const struct json *m = j->first; m; m = m->next)
		if (!strcmp(m->key, key))
			return m;
	return NULL;
}

const char *json_text(const struct json *j, const char *key)
{
	const struct json *m = json_member(j, key);

	return m && m->type == JSON_STRING ? m->text : NULL;
}

bool json_u64(const struct json *j, const char *key, uint64_t *value)
{
	const struct json *m = json_member(j, key);
	char *end;

	if (!m || m->type != JSON_NUMBER || m->text[0] == '-')
		return false;
	errno = 0;
	*value = strtoull(m->text, &end, 10);
	return !*end && !errno;
}
