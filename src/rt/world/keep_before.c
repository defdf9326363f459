#include "rt/world/keep_before.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/rt.h"
#include "rt/world/changed_names.h"
#include "rt/world/log.h"
#include "rt/world/reread.h"
#include "rt/world/world_state.h"

/* Reads a file into the log.  Returns how many bytes it got. */
static uint32_t log_contents(const char *name, uint64_t at, const struct stat *st)
{
	uint64_t done = 0, size = (uint64_t)st->st_size;

	if (S_ISLNK(st->st_mode)) {
		long got = raw3(SYS_readlink, name, log_at(at), PATH_SIZE);
		return got > 0 ? (uint32_t)got : 0;
	}
	long fd = raw3(SYS_open, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0), n;

	if (fd < 0)
		return 0;
	while (done < size && (n = raw4(SYS_pread64, fd, log_at(at + done), size - done, done)) > 0)
		done += (uint64_t)n;
	raw1(SYS_close, fd);
	return (uint32_t)done;
}

/* Keeps what stands under a name, before the program changes it for the first time. */
static void keep_file(const char *name, uint32_t size)
{
	static struct call_memory p;
	static struct stat st;
	struct world_entry e = {.kind = WORLD_BEFORE, .bytes = size};
	uint64_t start = omen.board->log_bytes;

	if (changed_names_has(name))
		return;
	changed_names_add(name);
	p.n = 0;
	call_memory_add(&p, name, size);
	e.result = raw2(SYS_lstat, name, &st);
	if (e.result == 0 && S_ISREG(st.st_mode))
		reread_stop(&st);
	if (e.result == 0) {
		call_memory_add(&p, &st, sizeof(st));
		e.bytes += sizeof(st);
	}
	if (e.result == 0 && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) && st.st_size <= WORLD_BEFORE_MOST &&
	    start + sizeof(e) + e.bytes + WORLD_BEFORE_MOST < WORLD_LOG_SIZE)
		e.bytes += log_contents(name, start + sizeof(e) + e.bytes, &st);
	log_append(&e, &p);
}

#define TREE_MOST 4096 /* at most so many names below a directory are kept when it is moved */
#define TREE_DEEP 32

/* Keeps what stands under the name that the file will have when its directory is moved to `to`. */
static void keep_target(const char *name, size_t skip, const char *to)
{
	static char there[PATH_SIZE];
	size_t size = strlen(to), more = strlen(name + skip) + 1;

	if (size + more > PATH_SIZE)
		return;
	memcpy(there, to, size);
	memcpy(there + size, name + skip, more);
	keep_file(there, (uint32_t)(size + more));
}

struct tree {
	char name[PATH_SIZE];
	size_t skip; /* so many bytes of the name are the directory's */
	const char *to;
	uint32_t count;
};

/* A directory is about to be moved, and everything below it with it: keeps all of that.  False: it is too much. */
static bool keep_below(struct tree *t, uint32_t depth)
{
	char list[2048] __attribute__((aligned(8)));
	size_t size = strlen(t->name);
	long fd = raw3(SYS_open, t->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0), n;
	bool all = depth < TREE_DEEP;

	while (fd >= 0 && all && (n = raw3(SYS_getdents64, fd, list, sizeof(list))) > 0)
		for (long i = 0; i < n && all;) {
			const struct dirent64 *d = (const void *)(list + i);
			size_t more = strlen(d->d_name) + 1;
			i += d->d_reclen;
			if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
				continue;
			all = ++t->count < TREE_MOST && size + 1 + more <= PATH_SIZE;
			if (!all)
				break;
			t->name[size] = '/';
			memcpy(t->name + size + 1, d->d_name, more);
			keep_file(t->name, (uint32_t)(size + 1 + more));
			keep_target(t->name, t->skip, t->to);
			if (d->d_type == DT_DIR || d->d_type == DT_UNKNOWN)
				all = keep_below(t, depth + 1);
			t->name[size] = 0;
		}
	if (fd >= 0)
		raw1(SYS_close, fd);
	return all;
}

/* Keeps what is below `from` if that is a directory.  False: it is too much. */
static bool keep_moved(const char *from, const char *to)
{
	static struct tree tree;
	size_t size = strlen(from) + 1;
	struct stat st;

	if (raw2(SYS_lstat, from, &st) || !S_ISDIR(st.st_mode))
		return true;
	memcpy(tree.name, from, size);
	tree.skip = size - 1;
	tree.to = to;
	tree.count = 0;
	return keep_below(&tree, 0);
}

/* The directory was moved, and not everything below it was kept. */
void keep_incomplete(const char *name, uint32_t size)
{
	static struct call_memory p;

	p.n = 0;
	call_memory_add(&p, name, size);
	log_append(&(struct world_entry){.kind = WORLD_BEFORE, .bytes = size, .result = -E2BIG}, &p);
}

/* The kernel does not move such a path. */
static bool ends_in_dots(const char *path)
{
	size_t n = strlen(path);

	while (n && path[n - 1] == '/')
		n--;
	return n && path[n - 1] == '.' &&
	       (n == 1 || path[n - 2] == '/' || (path[n - 2] == '.' && (n == 2 || path[n - 3] == '/')));
}

/* A local socket makes a file. */
static void keep_socket(const struct sockaddr_un *address, uint32_t size)
{
	static char path[sizeof(*address)], name[PATH_SIZE];
	uint32_t before = offsetof(struct sockaddr_un, sun_path);

	if (size <= before || size > sizeof(*address) || address->sun_family != AF_UNIX || !address->sun_path[0])
		return;
	memcpy(path, address->sun_path, size - before);
	path[size - before] = 0;
	keep_file(name, (uint32_t)path_resolve(&(struct path_arg){AT_FDCWD, path, false}, name) + 1);
}

/* Before the call: after it the names may be gone. */
void keep_named(struct named_files *named, long nr, const long arg[6])
{
	struct path_arg name[PATHS_MAX];
	bool changed = paths_are_changed(nr, arg);

	named->incomplete = false;
	if (nr == SYS_fchmod || nr == SYS_fchown || (nr == SYS_utimensat && !arg[1])) {
		size_t size = path_of_descriptor(arg[0], named->name[0]);
		if (size)
			keep_file(named->name[0], (uint32_t)size + 1);
	}
	named->count = changed || nr == SYS_chdir ? paths_of_call(nr, arg, name) : 0;
	if ((nr == SYS_bind || nr == SYS_connect) && arg[1] && (uint64_t)arg[2] <= sizeof(struct sockaddr_storage)) {
		named->count = 1;
		named->size[0] = (uint32_t)arg[2] + 1;
		memcpy(named->name[0], (const void *)arg[1], (size_t)arg[2]);
		named->name[0][arg[2]] = 0;
		if (nr == SYS_bind)
			keep_socket((const void *)arg[1], (uint32_t)arg[2]);
		return;
	}
	for (uint32_t i = 0; i < named->count; i++)
		if (raw2(SYS_access, name[i].path, 0) == -EFAULT)
			named->count = 0;
	bool moves = nr == SYS_rename || nr == SYS_renameat || nr == SYS_renameat2;
	for (uint32_t i = 0; i < named->count; i++) {
		named->size[i] = (uint32_t)path_resolve(&name[i], named->name[i]) + 1;
		if (changed)
			keep_file(named->name[i], named->size[i]);
	}
	named->incomplete = moves && named->count == 2 && !ends_in_dots(name[0].path) &&
	                    !keep_moved(named->name[0], named->name[1]);
}
