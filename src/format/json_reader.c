#include "format/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/file.h"
#include "format/utf8.h"

#define DEPTH_LIMIT 64

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

static bool accept_char(struct reader *r, char c)
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

/* Reads what follows "\u". */
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

	if (!accept_char(r, '"'))
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

	if (accept_char(r, closing))
		return true;
	do {
		char *key = NULL;
		if (closing == '}') {
			key = read_string(r);
			if (!key)
				return false;
			if (json_member(j, key) || !accept_char(r, ':')) {
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
	} while (accept_char(r, ','));
	return accept_char(r, closing) || fail(r, "a comma or a closing bracket is missing");
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
