#include "report/source_line.h"

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

/* A source file, kept once it was read: many races are in few files. */
struct source {
	const struct module *module;
	char *name; /* as the compiler got it */
	struct bytes text;
	char **lines;
	size_t count; /* 0: the file is missing or too new */
	struct source *next;
};

static struct source *sources;

/* The directories in which the compiler ran for the units of a module; a relative name starts in one of them. */
struct directories {
	const char *directories[DIRECTORIES];
	bool owns[DIRECTORIES]; /* the file was compiled there itself; false: units there only include it */
	size_t count;
};

/* Adds the directory of a unit. */
static void note_unit(struct directories *s, Dwarf_Die *unit, const char *name)
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

/* A file that is newer than the program may not be what was compiled. */
static bool is_older(const char *path, const struct module *m)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	return st.st_mtim.tv_sec < m->built.tv_sec ||
	       (st.st_mtim.tv_sec == m->built.tv_sec && st.st_mtim.tv_nsec <= m->built.tv_nsec);
}

/* Sites have only the end of a long name; the name of a unit is whole.  NULL, or malloc'ed. */
static char *find_unit_file(const struct module *m, const char *name)
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

/*
 * The one file that a name can mean; NULL if there is none, or more than one.  A directory where the file was compiled
 * itself goes before directories where it was only included.  Malloc'ed.
 */
static char *find_file(const struct module *m, const char *name)
{
	struct directories s = {0};
	char *found[2] = {NULL, NULL}; /* [0]: units there include it; [1]: it was compiled there */
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
	return count[best] ? NULL : find_unit_file(m, name);
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
