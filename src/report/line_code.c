#include "report/line_code.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "report/module.h"

/* "a/b.c" is meant by "b.c", "a/b.c" and the like. */
static bool is_file(const char *path, const char *file)
{
	size_t n = path ? strlen(path) : 0, m = strlen(file);

	return n >= m && !strcmp(path + n - m, file) && (n == m || path[n - m - 1] == '/');
}

static size_t unit_code(Dwarf_Die *unit, const char *file, unsigned line, struct board_code *out, size_t most)
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
		    !is_file(dwarf_linesrc(l, NULL, NULL), file) || dwarf_lineaddr(l, &low) ||
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
	Dwarf_Files *files;
};

static bool is_called_from(Dwarf_Die *die, const struct search *s)
{
	Dwarf_Attribute a;
	Dwarf_Word file = 0, line = 0;

	return dwarf_attr(die, DW_AT_call_line, &a) && !dwarf_formudata(&a, &line) && line == s->line &&
	       dwarf_attr(die, DW_AT_call_file, &a) && !dwarf_formudata(&a, &file) &&
	       is_file(dwarf_filesrc(s->files, file, NULL, NULL), s->file);
}

/* Functions of a header that were put in the place of their calls stand with the header's lines. */
static void inlined_code(Dwarf_Die *parent, struct search *s)
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
		inlined_code(&die, s);
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
			s.n = n + unit_code(&unit, file, line, out + n, most - n);
			if (!dwarf_getsrcfiles(&unit, &s.files, NULL))
				inlined_code(&unit, &s);
			n = s.n;
		}
		at = next;
	}
	return n;
}
