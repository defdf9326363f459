#include "rt/kernel/paths.h"

#include <fcntl.h>
#include <string.h>

#include "abi/syscall_names.h"
#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/text.h"

#define AT_CWD 7 /* no argument: the current directory */

/* The arguments of a call that are a directory (AT_CWD: the current one) and a path in it. */
struct row {
	struct {
		uint8_t directory, path;
		bool follow;
	} at[PATHS_MAX];
	uint8_t count;
	bool changes;
};

/* clang-format off */
static const struct row rows[SYSCALLS_MAX] = {
#define FOLLOW                        true
#define LINK                          false
#define CALL(name, ...)               [SYS_##name] = {__VA_ARGS__},
#define PATH(directory, path, follow) .at = {{directory, path, follow}}, .count = 1,
#define PATHS(d1, p1, d2, p2)         .at = {{d1, p1, false}, {d2, p2, false}}, .count = 2,
#define CHANGES_PATHS                 .changes = true,
#include "rt/kernel/syscalls.h"
};
/* clang-format on */

static const struct row *row_of(long nr)
{
	static const struct row none;

	return nr >= 0 && nr < SYSCALLS_MAX ? &rows[nr] : &none;
}

uint32_t paths_of_call(long nr, const long arg[6], struct path_arg out[PATHS_MAX])
{
	const struct row *r = row_of(nr);

	for (uint32_t i = 0; i < r->count; i++) {
		out[i].directory = r->at[i].directory == AT_CWD ? AT_FDCWD : (int)arg[r->at[i].directory];
		out[i].path = (const char *)arg[r->at[i].path];
		out[i].follow = r->at[i].follow;
		if (!out[i].path)
			return 0; /* futimens: the file is named by the descriptor */
	}
	return r->count;
}

bool paths_are_changed(long nr, const long arg[6])
{
	if (nr != SYS_open && nr != SYS_openat)
		return row_of(nr)->changes;
	long flags = arg[nr == SYS_open ? 1 : 2];
	return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

size_t path_of_descriptor(long fd, char out[PATH_SIZE])
{
	char link[40];

	text_format(link, sizeof(link), "/proc/self/fd/%ld", fd);
	long n = raw3(SYS_readlink, link, out, PATH_SIZE - 1);
	n = n > 0 && out[0] == '/' ? n : 0;
	out[n] = 0;
	return (size_t)n;
}

static size_t look_up(long directory, const char *path, long flags, char out[PATH_SIZE])
{
	long fd = raw4(SYS_openat, directory, path, flags | O_PATH | O_CLOEXEC, 0);

	if (fd < 0)
		return 0;
	size_t n = path_of_descriptor(fd, out);
	raw1(SYS_close, fd);
	return n;
}

/* For what does not exist yet, or is a link itself: resolves the directory that it is in. */
static size_t look_up_parent(const struct path_arg *n, char out[PATH_SIZE])
{
	static char parent[PATH_SIZE];
	size_t size = strlen(n->path), last;

	while (size > 1 && n->path[size - 1] == '/')
		size--;
	for (last = size; last && n->path[last - 1] != '/';)
		last--;
	size_t rest = size - last;
	bool dots = n->path[last] == '.' && (rest == 1 || (rest == 2 && n->path[last + 1] == '.'));
	if (size >= PATH_SIZE || !rest || dots)
		return 0;
	memcpy(parent, n->path, last);
	memcpy(parent + last, ".", 2);
	size_t at = look_up(n->directory, parent, O_DIRECTORY, out);
	if (!at || at + 1 + rest >= PATH_SIZE)
		return 0;
	if (out[at - 1] != '/')
		out[at++] = '/';
	memcpy(out + at, n->path + last, rest);
	out[at + rest] = 0;
	return at + rest;
}

#define LINKS_MOST 40

/* A link to what does not exist yet: gives the name of what would be made. */
static size_t follow_dangling(char out[PATH_SIZE])
{
	static char target[PATH_SIZE], link[PATH_SIZE];

	for (int links = 0; links < LINKS_MOST; links++) {
		long n = raw3(SYS_readlink, out, target, PATH_SIZE - 1);
		size_t size = strlen(out), last = size;
		if (n <= 0)
			return size;
		target[n] = 0;
		while (last && out[last - 1] != '/')
			last--;
		if (target[0] == '/')
			last = 0;
		if (last + (size_t)n >= PATH_SIZE)
			return size;
		memcpy(link, out, last);
		memcpy(link + last, target, (size_t)n + 1);
		if (!look_up_parent(&(struct path_arg){AT_FDCWD, link, false}, out))
			return size;
	}
	return strlen(out);
}

size_t path_resolve(const struct path_arg *n, char out[PATH_SIZE])
{
	size_t size = n->follow ? look_up(n->directory, n->path, 0, out) : 0;

	if (!size) {
		size = look_up_parent(n, out);
		if (size && n->follow)
			size = follow_dangling(out);
	}
	if (!size)
		size = look_up(n->directory, n->path, O_NOFOLLOW, out);
	if (size)
		return size;
	size = strnlen(n->path, PATH_SIZE - 1);
	memcpy(out, n->path, size);
	out[size] = 0;
	return size;
}
