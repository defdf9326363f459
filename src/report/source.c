#include "report/source.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/module.h"
#include "format/file.h"

#define FILE_LIMIT  (16u << 20)
#define DIRECTORIES 64

/* A source file that was asked for; kept, as many races are in few files. */
struct source {
	const struct module *module;
	char *name; /* as the compiler was told */
	struct bytes text;
	char **lines;
	size_t count; /* 0: not at hand */
	struct source *next;
};

static struct source *sources;

/* Where the compiler ran, for each unit of a module; a name without a directory is relative to one of them. */
struct search {
	const char *directories[DIRECTORIES];
	bool owns[DIRECTORIES]; /* the file itself was compiled there, not only included */
	size_t count;
};

static void note_unit(struct search *s, Dwarf_Die *unit, const char *name)
{
	Dwarf_Attribute a;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a)), *own = dwarf_diename(unit);
	size_t i = 0;

	if (!directory)
		return;
	while (i < s->count && strcmp(s->directories[i], directory))
		i++;
	if (i == DIRECTORIES)
		return;
	if (i == s->count) {
		s->directories[s->count] = directory;
		s->owns[s->count++] = false;
	}
	s->owns[i] |= own && !strcmp(own, name);
}

static bool is_older(const char *path, const struct module *m)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	return st.st_mtim.tv_sec < m->built.tv_sec ||
	       (st.st_mtim.tv_sec == m->built.tv_sec && st.st_mtim.tv_nsec <= m->built.tv_nsec);
}

/* A long name of a unit is kept by its end only: the unit knows the rest. NULL, or malloc'ed. */
static char *find_unit(const struct module *m, const char *name)
{
	const char *found = NULL;
	size_t size = strlen(name);

	for (size_t i = 0; i < m->unit_count; i++) {
		const char *own = dwarf_diename(&m->units[i].unit);
		size_t length = own && own[0] == '/' ? strlen(own) : 0;
		if (length <= size || strcmp(own + length - size, name) || own[length - size - 1] != '/')
			continue;
		if (found && strcmp(found, own))
			return NULL;
		found = own;
	}
	return found && is_older(found, m) ? must_format("%s", found) : NULL;
}

/* The one file a name can mean; NULL if there is none, or more than one. Malloc'ed. */
static char *find_file(const struct module *m, const char *name)
{
	struct search s = {0};
	char *found[2] = {NULL, NULL}; /* included in units there; compiled there */
	unsigned count[2] = {0, 0};

	if (name[0] == '/')
		return is_older(name, m) ? must_format("%s", name) : NULL;
	for (size_t i = 0; i < m->unit_count; i++)
		note_unit(&s, &m->units[i].unit, name);
	for (size_t i = 0; i < s.count; i++) {
		char *path = must_format("%s/%s", s.directories[i], name);
		bool owns = s.owns[i];
		if (is_older(path, m) && !count[owns]++)
			found[owns] = path;
		else
			free(path);
	}
	bool best = count[1];
	free(found[!best]);
	if (count[best] == 1)
		return found[best];
	free(found[best]);
	return count[best] ? NULL : find_unit(m, name);
}

static void split_lines(struct source *s)
{
	char *p = (char *)s->text.data, *end = p + s->text.size;

	while (p < end) {
		char *newline = memchr(p, '\n', (size_t)(end - p));
		if (!(s->count & (s->count - 1)))
			s->lines = must_resize(s->lines, (s->count ? 2 * s->count : 1) * sizeof *s->lines);
		s->lines[s->count++] = p;
		if (!newline)
			break;
		*newline = 0;
		p = newline + 1;
	}
}

static const struct source *source_of(const struct module *m, const char *name)
{
	struct error ignored;

	for (struct source *s = sources; s; s = s->next)
		if (s->module == m && !strcmp(s->name, name))
			return s;
	struct source *s = must_alloc(sizeof *s);
	*s = (struct source){.module = m, .name = must_format("%s", name), .next = sources};
	sources = s;
	char *path = find_file(m, name);
	if (path && file_read(path, FILE_LIMIT, &s->text, &ignored))
		split_lines(s);
	free(path);
	return s;
}

static struct module *module_named(const struct board_result *r, const char *name)
{
	for (uint32_t i = 0; i < r->nmodules && i < BOARD_MODULES; i++) {
		char path[sizeof r->modules[i].path];
		memcpy(path, r->modules[i].path, sizeof path);
		path[sizeof path - 1] = 0;
		if (!strcmp(base_name(path), name))
			return module_open(path);
	}
	return NULL;
}

bool source_line(const struct board_result *r, const struct frame *f, char *out, size_t size)
{
	const struct module *m = f->file[0] && f->line ? module_named(r, f->module) : NULL;
	const struct source *s = m ? source_of(m, f->file) : NULL;

	if (!s || f->line > s->count)
		return false;
	snprintf(out, size, "%s", s->lines[f->line - 1]);
	for (char *c = out; *c; c++)
		if (iscntrl((unsigned char)*c) && *c != '\t')
			*c = *c == '\r' && !c[1] ? 0 : '?';
	return true;
}

char *source_trim(char *line)
{
	while (isspace((unsigned char)*line))
		line++;
	char *end = line + strlen(line);
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = 0;
	return line;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* From the `[` at p to behind its `]`; NULL if it is not on this line, or a call or string stands in it. */
static const char *over_index(const char *p)
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

/* The start of the names, members and indices that end before p: "a->b[i].c". */
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
		/* What ends in a call or a parenthesis is not plain. */
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

/* The end of the path that starts at p, with its members and indices. */
static const char *path_end(const char *p)
{
	if (!is_name(*p) || isdigit((unsigned char)*p))
		return NULL;
	for (;;) {
		while (is_name(*p))
			p++;
		while (*p == '[')
			if (!(p = over_index(p)))
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

/* The operand on the left of an operator, with the stars before it. */
static bool left_of(const char *line, const char *operator, const char ** start, const char **end)
{
	*end = space_before(line, operator);
	*start = path_start(line, *end);
	if (!*start)
		return false;
	while (*start > line && (*start)[-1] == '*')
		(*start)--;
	return true;
}

/* A name at the column: a variable or a member is read there. */
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
	/* An array's element and the pointer to the array have the same column; a call is no variable. */
	return *start && *p != '[' && *p != '(' && strncmp(p, "::", 2);
}

/* Columns of clang: of a read, the name; of an assignment, increment or dereference, its operator. */
static bool expression_at(const char *line, const char *at, bool write, const char **start, const char **end)
{
	static const char *const updates[] = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

	if (is_name(*at) && (at == line || !is_name(at[-1])))
		return !write && name_at(line, at, start, end);
	for (size_t i = 0; i < sizeof updates / sizeof updates[0]; i++)
		if (!strncmp(at, updates[i], strlen(updates[i])))
			return left_of(line, at, start, end);
	if (*at == '=' && at[1] != '=')
		return write && left_of(line, at, start, end);
	if (!strncmp(at, "++", 2) || !strncmp(at, "--", 2)) {
		const char *before = space_before(line, at);
		if (before > line && (is_name(before[-1]) || before[-1] == ']'))
			return left_of(line, at, start, end) && **start != '*'; /* *p++ moves p */
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
