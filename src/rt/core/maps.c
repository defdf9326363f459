#include "rt/core/maps.h"

#include <fcntl.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"

static struct {
	char text[1 << 20];
	const char *at;
} maps;

bool maps_read(void)
{
	long fd = raw3(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0), n, used = 0;

	if (fd < 0)
		return false;
	while ((n = raw3(SYS_read, fd, maps.text + used, sizeof(maps.text) - 1 - (size_t)used)) > 0)
		used += n;
	raw1(SYS_close, fd);
	maps.text[used] = 0;
	maps.at = maps.text;
	return n == 0 && used > 0 && (size_t)used < sizeof(maps.text) - 1;
}

static uint64_t hex(const char **p)
{
	uint64_t v = 0;

	for (;; ++*p) {
		char c = **p;
		if (c >= '0' && c <= '9')
			v = v * 16 + (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v * 16 + (uint64_t)(c - 'a' + 10);
		else
			return v;
	}
}

/* "00400000-00452000 r-xp 00000000 08:02 173521 /path": the fourth field after the addresses. */
static bool has_inode(const char *line)
{
	for (int field = 0; field < 4; field++) {
		while (*line != ' ' && *line != '\n' && *line)
			line++;
		while (*line == ' ')
			line++;
	}
	return *line > '0' && *line <= '9';
}

bool maps_next(struct mapping *m)
{
	const char *p = maps.at;

	if (!*p)
		return false;
	m->low = hex(&p);
	p++;
	m->high = hex(&p);
	m->writable = p[1] == 'r' && p[2] == 'w';
	m->shared = p[4] == 's';
	const char *line = p;
	while (*p && *p != '\n')
		p++;
	m->file = has_inode(line);
	m->stack = p - line >= 7 && !strncmp(p - 7, "[stack]", 7);
	maps.at = *p ? p + 1 : p;
	return true;
}
