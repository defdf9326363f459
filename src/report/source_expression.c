#include "report/source_expression.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Skips from the `[` at p over its `]`; NULL if that is not on this line, or if a call or a string is in between. */
static const char *skip_index(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (strchr("()\"'", *p))
			return NULL;
		depth += (*p == '[') - (*p == ']');
		if (!depth)
			return p + 1;
	}
	return NULL;
}

/* The start of the path of names, members and indices that ends before p, "a->b[i].c"; NULL: it is no plain path. */
static const char *path_start(const char *line, const char *p)
{
	const char *start = p;

	for (;;) {
		if (p > line && p[-1] == ']') {
			int depth = 0;
			do {
				if (strchr("()\"'", p[-1]))
					return NULL;
				depth += (p[-1] == ']') - (p[-1] == '[');
				p--;
			} while (depth && p > line);
			if (depth)
				return NULL;
			continue;
		}
		const char *name = p;
		while (name > line && is_name(name[-1]))
			name--;
		/* A path after a call or a parenthesis is not plain. */
		if (name == p || isdigit((unsigned char)*name))
			return NULL;
		start = p = name;
		if (p > line && p[-1] == '.' && !(p > line + 1 && p[-2] == '.'))
			p -= 1;
		else if (p > line + 1 && ((p[-2] == '-' && p[-1] == '>') || (p[-2] == ':' && p[-1] == ':')))
			p -= 2;
		else
			return start;
	}
}

/* The end of the path that starts at p; NULL: it is no plain path. */
static const char *path_end(const char *p)
{
	if (!is_name(*p) || isdigit((unsigned char)*p))
		return NULL;
	for (;;) {
		while (is_name(*p))
			p++;
		while (*p == '[')
			if (!(p = skip_index(p)))
				return NULL;
		if (*p == '.' && is_name(p[1]))
			p += 1;
		else if ((!strncmp(p, "->", 2) || !strncmp(p, "::", 2)) && is_name(p[2]))
			p += 2;
		else
			return *p == '(' ? NULL : p;
	}
}

static const char *skip_space(const char *p) { return p + strspn(p, " \t"); }

static const char *space_before(const char *line, const char *p)
{
	while (p > line && (p[-1] == ' ' || p[-1] == '\t'))
		p--;
	return p;
}

/* The operand to the left of an operator, with the stars in front of it. */
static bool left_operand(const char *line, const char *operator, const char ** start, const char **end)
{
	*end = space_before(line, operator);
	*start = path_start(line, *end);
	if (!*start)
		return false;
	while (*start > line && (*start)[-1] == '*')
		(*start)--;
	return true;
}

/* The path that ends in the name at the column: clang reports the read of a variable or member there. */
static bool name_at(const char *line, const char *at, const char **start, const char **end)
{
	const char *p = at;

	while (is_name(*p))
		p++;
	*start = path_start(line, p);
	*end = p;
	static const char *const keywords[] = {"return", "if", "while", "for", "switch", "do", "else", "case"};
	for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
		if ((size_t)(p - at) == strlen(keywords[i]) && !strncmp(at, keywords[i], (size_t)(p - at)))
			return false;
	p = skip_space(p);
	/* An element and the pointer to its array have the same column; a call is no variable. */
	return *start && *p != '[' && *p != '(' && strncmp(p, "::", 2);
}

/* clang gives a read the column of its name, and an assignment, increment or dereference that of its operator. */
static bool expression_at(const char *line, const char *at, bool write, const char **start, const char **end)
{
	static const char *const updates[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

	if (is_name(*at) && (at == line || !is_name(at[-1])))
		return !write && name_at(line, at, start, end);
	for (size_t i = 0; i < sizeof updates / sizeof updates[0]; i++)
		if (!strncmp(at, updates[i], strlen(updates[i])))
			return left_operand(line, at, start, end);
	if (*at == '=' && at[1] != '=')
		return write && left_operand(line, at, start, end);
	if (!strncmp(at, "++", 2) || !strncmp(at, "--", 2)) {
		const char *before = space_before(line, at);
		if (before > line && (is_name(before[-1]) || before[-1] == ']'))
			return left_operand(line, at, start, end) && **start != '*'; /* *p++ moves p */
		*start = skip_space(at + 2);
		*end = *start + strspn(*start, "*");
		return (*end = path_end(*end));
	}
	if (*at == '*' && !write) {
		*start = at;
		*end = path_end(at + strspn(at, "*"));
		return *end && strncmp(*end, "++", 2) && strncmp(*end, "--", 2);
	}
	return false;
}

bool source_expression(const char *line, unsigned column, bool write, char *out, size_t size)
{
	const char *start, *end;

	if (!column || column > strlen(line) || !expression_at(line, line + column - 1, write, &start, &end))
		return false;
	if ((size_t)(end - start) >= size)
		return false;
	snprintf(out, size, "%.*s", (int)(end - start), start);
	return true;
}
