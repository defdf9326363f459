#include "report/line.h"

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

size_t line_code(const char *program, const char *file, unsigned line, struct board_code *out, size_t most)
{
	const struct module *m = module_open(program);
	Dwarf_Off at = 0, next;
	size_t header, n = 0;

	while (m && m->dwarf && !dwarf_nextcu(m->dwarf, at, &next, &header, NULL, NULL, NULL)) {
		Dwarf_Die unit;
		if (dwarf_offdie(m->dwarf, at + header, &unit))
			n += unit_code(&unit, file, line, out + n, most - n);
		at = next;
	}
	return n;
}
