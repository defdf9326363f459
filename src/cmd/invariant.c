#include "cmd/invariant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/variable.h"

static const char *const operators[] = {
#define X(id, text, operator) text,
        INVARIANT_OPERATORS(X)
#undef X
};

/*
 * Copies the text up to one of the characters in `ends`. Returns the rest, or NULL if nothing is left or it does not
 * fit.
 */
static const char *take(const char *text, const char *ends, char *out, size_t size)
{
	text += strspn(text, " ");
	size_t n = strcspn(text, ends);

	if (!n || !text[n] || n >= size)
		return NULL;
	snprintf(out, size, "%.*s", (int)n, text);
	text += n;
	return text + strspn(text, " ");
}

static bool is_number(const char *text)
{
	char *end;

	strtod(text, &end);
	return end != text && !*end;
}

bool invariant_parse(const char *text, struct invariant_text *out)
{
	size_t count = sizeof operators / sizeof operators[0];

	if (strlen(text) >= sizeof((struct board_invariant *)0)->text)
		return false;
	text = take(text, ":", out->file, sizeof out->file);
	text = text && text[1] != ':' ? take(text + 1, " <>=!", out->variable, sizeof out->variable) : NULL;
	for (out->operator_ = 0; text && out->operator_ < count; out->operator_++) {
		const char *o = operators[out->operator_];
		if (strncmp(text, o, strlen(o)))
			continue;
		out->number = text + strlen(o) + strspn(text + strlen(o), " ");
		return is_number(out->number);
	}
	return false;
}

static bool read_number(const char *text, struct board_invariant *v, struct error *e)
{
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;

	v->real = strtod(text, NULL);
	v->negative = *text == '-';
	errno = 0;
	v->number = strtoull(digits, &end, 0);
	if (v->type == INVARIANT_REAL || (!*end && !errno))
		return true;
	return error_set(e, "cannot watch %s: %s is not a whole number of 64 bits, and the variable is one", v->text,
	                 text);
}

bool invariant_find(const char *text, const char *path, struct board_invariant *out, struct error *e)
{
	struct invariant_text t;
	struct number number;

	*out = (struct board_invariant){0};
	if (!invariant_parse(text, &t))
		return error_set(e, "cannot understand %s", text);
	snprintf(out->text, sizeof out->text, "%s", text);
	size_t found = variable_number(path, t.file, t.variable, &number);
	if (!found)
		return error_set(
		        e, "cannot watch %s: %s has no global variable %s declared in %s; is it compiled with -g?",
		        text, path, t.variable, t.file);
	if (found > 1)
		return error_set(e, "cannot watch %s: %s has %zu variables %s declared in %s", text, path, found,
		                 t.variable, t.file);
	if (!number.size)
		return error_set(e, "cannot watch %s: the variable is not a number of up to 8 bytes", text);
	out->address = number.address;
	out->size = (uint32_t)number.size;
	out->type = number.is_real ? INVARIANT_REAL : number.is_signed ? INVARIANT_SIGNED : INVARIANT_UNSIGNED;
	out->operator_ = t.operator_;
	return read_number(t.number, out, e);
}
