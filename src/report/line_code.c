#include "report/line_code.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "report/module.h"

/* "b.c" and "a/b.c" both name the path "a/b.c". */
static bool names_path(const char *path, const char *file)
{
	size_t n = path ? strlen(path) : 0, m = strlen(file);

	return n >= m && !strcmp(path + n - m, file) && (n == m || path[n - m - 1] == '/');
}

/* The pieces of code that the line table of a unit has for the line. */
static size_t line_table_code(Dwarf_Die *unit, const char *file, unsigned line, struct board_code *out, size_t most)
{
	Dwarf_Lines *lines;
	size_t count, n = 0;

	if (dwarf_getsrclines(unit, &lines, &count))
		return 0;
	for (size_t i = 0; i + 1 < count && n < most; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
		Dwarf_Addr low, high;
		int number;
		if (dwarf_lineno(l, &number) || (unsigned)number != line ||
		    !names_path(dwarf_linesrc(l, NULL, NULL), file) || dwarf_lineaddr(l, &low) ||
		    dwarf_lineaddr(next, &high) || low >= high)
			continue;
		out[n++] = (struct board_code){low, high};
	}
	return n;
}

struct search {
	const char *file;
	unsigned line;
	struct board_code *out;
	size_t most, n;
	Dwarf_Files *files; /* of the unit */
};

static bool is_called_from(Dwarf_Die *die, const struct search *s)
{
	Dwarf_Attribute a;
	Dwarf_Word file = 0, line = 0;

	return dwarf_attr(die, DW_AT_call_line, &a) && !dwarf_formudata(&a, &line) && line == s->line &&
	       dwarf_attr(die, DW_AT_call_file, &a) && !dwarf_formudata(&a, &file) &&
	       names_path(dwarf_filesrc(s->files, file, NULL, NULL), s->file);
}

/*
 * The code of calls on the line that were inlined.  The line table has this code under the lines of the inlined
 * function.
 */
static void find_inlined_code(Dwarf_Die *parent, struct search *s)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine && is_called_from(&die, s)) {
			Dwarf_Addr base, low, high;
			ptrdiff_t at = 0;
			while (s->n < s->most && (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0)
				s->out[s->n++] = (struct board_code){low, high};
		}
		find_inlined_code(&die, s);
	} while (!dwarf_siblingof(&die, &die));
}

size_t line_code(const char *program, const char *file, unsigned line, struct board_code *out, size_t most)
{
	const struct module *m = module_open(program);
	Dwarf_Off at = 0, next;
	size_t header, n = 0;

	while (m && m->dwarf && !dwarf_nextcu(m->dwarf, at, &next, &header, NULL, NULL, NULL)) {
		Dwarf_Die unit;
		if (dwarf_offdie(m->dwarf, at + header, &unit)) {
			struct search s = {.file = file, .line = line, .out = out, .most = most};
			s.n = n + line_table_code(&unit, file, line, out + n, most - n);
			if (!dwarf_getsrcfiles(&unit, &s.files, NULL))
				find_inlined_code(&unit, &s);
			n = s.n;
		}
		at = next;
	}
	return n;
}
