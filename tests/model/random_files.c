/* Random calls on files, queries of them, names and mappings. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "random.h"

/* Files. */

void do_open(void)
{
	static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR};
	static const int more[] = {O_CREAT,    O_CREAT,     O_CREAT,    O_EXCL,    O_TRUNC, O_APPEND,
	                           O_NONBLOCK, O_DIRECTORY, O_NOFOLLOW, O_CLOEXEC, O_SYNC,  O_NOCTTY};
	int flags = modes[any(COUNT(modes))];
	mode_t mode = (mode_t)any(01000) | 0600;
	const char *n = name();

	for (int i = (int)any(4); i > 0; i--)
		flags |= more[any(COUNT(more))];
	if (flags & O_CREAT)
		flags &= ~O_DIRECTORY; /* kernels differ */
	if (!(flags & O_CREAT))
		flags &= ~O_EXCL;
	int f = open(n, flags, mode);
	print_result(f, "open(%.20s, 0%o, 0%o)", n, flags, mode);
	keep(f);
}

void do_openat(void)
{
	int d = chance(80) ? fd_of(S_IFDIR) : fd();
	const char *n = name();
	int f = openat(d, n, O_RDWR | (chance(50) ? O_CREAT : 0), 0640);

	print_result(f, "openat(%d, %.20s)", d, n);
	keep(f);
}

void do_directory(void)
{
	static const char *const some[] = {".", "d", "e", "old", "..", "a"};
	const char *n = some[any(COUNT(some))];
	int f = open(n, O_RDONLY | O_DIRECTORY);

	print_result(f, "open directory %s", n);
	keep(f);
}

void do_tmpfile(void)
{
	const char *n = chance(70) ? "." : name();
	int f = open(n, O_TMPFILE | (chance(80) ? O_RDWR : O_RDONLY), 0600);

	print_result(f, "open tmpfile(%.20s)", n);
	keep(f);
}

void do_memfd(void)
{
	int f = memfd_create("m", chance(50) ? MFD_CLOEXEC : 0);

	print_result(f, "memfd");
	keep(f);
}

void do_read(void)
{
	int f = fd();
	size_t n = chance(30) ? any(BIG) : any(400);

	if (would_wait(f, POLLIN))
		return;
	long r = read(f, got, n);
	print_result(r, "read(%d, %zu) %08x", f, n, hash(got, r));
}

void do_pread(void)
{
	int f = fd_of(S_IFREG);
	size_t n = any(500);
	off_t at = chance(5) ? -1 : (off_t)any(10000);

	if (would_wait(f, POLLIN))
		return;
	long r = pread(f, got, n, at);
	print_result(r, "pread(%d, %zu, %ld) %08x", f, n, at, hash(got, r));
}

void do_readv(void)
{
	int f = fd();
	size_t n = any(100);
	struct iovec v[3] = {{got, n}, {got + n, any(3000)}, {got + 10000, any(50)}};
	int count = (int)any(4);

	if (would_wait(f, POLLIN))
		return;
	memset(got, 0, 11000);
	long r = chance(30) ? preadv(f, v, count, any(5000)) : readv(f, v, count);
	print_result(r, "readv(%d, %d) %08x", f, count, hash(got, 11000));
}

void do_write(void)
{
	int f = fd();
	size_t n = amount(f);

	if (!may_send(f, n) || (is_counter(f) && n > 7) || would_wait(f, POLLOUT))
		return; /* whether a counter refuses more than it can hold depends on the kernel */
	fill(n);
	long r = write(f, bytes, n);
	print_result(r, "write(%d, %zu)", f, n);
}

void do_pwrite(void)
{
	int f = fd_of(S_IFREG);
	size_t n = any(5000);
	off_t at = chance(5) ? -1 : (off_t)any(20000);

	if (is_socket(f) || would_wait(f, POLLOUT))
		return;
	fill(n);
	print_result(pwrite(f, bytes, n, at), "pwrite(%d, %zu, %ld)", f, n, at);
}

void do_writev(void)
{
	int f = fd();
	size_t n = amount(f) / 3;
	struct iovec v[3] = {{bytes, n}, {bytes + n, n}, {bytes + 2 * n, any(50)}};
	int count = (int)any(4);

	if (!may_send(f, 3 * n) || is_counter(f) || would_wait(f, POLLOUT))
		return;
	fill(3 * n + 50);
	print_result(writev(f, v, count), "writev(%d, %d, %zu)", f, count, n);
}

void do_seek(void)
{
	int f = chance(80) ? fd_of(S_IFREG) : fd(), whence = (int)any(chance(5) ? 9 : 3);
	off_t to = (off_t)any(9000) - (whence ? 4500 : 100);

	if (is(f, S_IFDIR) || whence == SEEK_DATA || whence == SEEK_HOLE)
		return;
	print_result(lseek(f, to, whence), "lseek(%d, %ld, %d)", f, to, whence);
}

void do_truncate(void)
{
	off_t size = chance(5) ? -5 : (off_t)any(20000);

	if (chance(60)) {
		int f = fd_of(S_IFREG);
		print_result(ftruncate(f, size), "ftruncate(%d, %ld)", f, size);
	} else {
		const char *n = name();
		print_result(truncate(n, size), "truncate(%.20s, %ld)", n, size);
	}
}

void do_allocate(void)
{
	static const int modes[] = {0, 0, FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	                            FALLOC_FL_PUNCH_HOLE};
	int f = fd_of(S_IFREG), mode = modes[any(COUNT(modes))];
	off_t from = chance(5) ? -1 : (off_t)any(9000), size = any(9000);

	print_result(fallocate(f, mode, from, size), "fallocate(%d, %d, %ld, %ld)", f, mode, from, size);
}

/* Queries. */

static void tell_stat(long r, const struct stat *st, const char *what)
{
	if (r)
		print_result(r, "%s", what);
	else if (S_ISDIR(st->st_mode))
		printf("%s directory 0%o\n", what, st->st_mode);
	else
		printf("%s 0%o size %ld links %lu\n", what, st->st_mode, (long)st->st_size,
		       (unsigned long)st->st_nlink);
}

void do_stat(void)
{
	struct stat st = {0}, other = {0};
	struct statx x = {0};
	const char *n = name();
	char what[60];
	int f = fd();
	long r;

	switch (any(5)) {
	case 0:
		snprintf(what, sizeof what, "stat(%.20s)", n);
		r = stat(n, &st);
		tell_stat(r, &st, what);
		break;
	case 1:
		snprintf(what, sizeof what, "lstat(%.20s)", n);
		r = lstat(n, &st);
		tell_stat(r, &st, what);
		break;
	case 2:
		snprintf(what, sizeof what, "fstat(%d)", f);
		r = fstat(f, &st);
		tell_stat(r, &st, what);
		break;
	case 3:
		r = statx(AT_FDCWD, n, chance(50) ? AT_SYMLINK_NOFOLLOW : 0, STATX_BASIC_STATS, &x);
		st.st_mode = x.stx_mode;
		st.st_size = (off_t)x.stx_size;
		st.st_nlink = x.stx_nlink;
		snprintf(what, sizeof what, "statx(%.20s)", n);
		tell_stat(r, &st, what);
		break;
	default: {
		const char *m = name();
		if (!stat(n, &st) && !(chance(50) ? stat(m, &other) : fstat(f, &other)))
			printf("%.20s and %.20s or %d: %s\n", n, m, f,
			       st.st_ino == other.st_ino && st.st_dev == other.st_dev ? "same" : "different");
	}
	}
}

void do_access(void)
{
	const char *n = name();
	int how = (int)any(8);

	print_result(access(n, how), "access(%.20s, %d)", n, how);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void do_list(void)
{
	static const char *const some[] = {".", "d", "e", "old", "a", "l"};
	const char *n = some[any(COUNT(some))];
	DIR *d = opendir(n);
	char *found[64];
	size_t count = 0;

	if (!d) {
		print_result(-1, "opendir(%s)", n);
		return;
	}
	struct dirent *e;
	while ((e = readdir(d)) && count < 64) {
		char text[300];
		snprintf(text, sizeof text, "%.250s:%d", e->d_name, e->d_type);
		found[count++] = strdup(text);
	}
	qsort(found, count, sizeof *found, by_name);
	printf("list %s:", n);
	for (size_t i = 0; i < count; i++) {
		printf(" %s", found[i]);
		free(found[i]);
	}
	putchar('\n');
	closedir(d);
}

void do_here(void)
{
	char here[PATH_MAX];
	const char *last;

	if (chance(60)) {
		last = getcwd(here, sizeof here) ? strstr(here, "/scratch") : NULL;
		printf("getcwd %s\n", last ? last : "elsewhere");
		print_result(getcwd(here, 3) ? 0 : -1, "getcwd in 3 bytes");
		return;
	}
	static const char *const some[] = {"d", "..", "e", "a", "old", "nowhere", "l"};
	const char *n = some[any(COUNT(some))];
	last = getcwd(here, sizeof here);
	if (!strcmp(n, "..") && last && strlen(last) > 8 && !strcmp(last + strlen(last) - 8, "/scratch"))
		return;
	if (chance(15)) {
		int f = fd_of(S_IFDIR);
		print_result(fchdir(f), "fchdir(%d)", f);
	} else {
		print_result(chdir(n), "chdir(%s)", n);
	}
}

/* Names. */

void do_names(void)
{
	const char *n = name(), *m = name();
	char text[300];
	long r;

	switch (any(12)) {
	case 0:
	case 1:
		print_result(rename(n, m), "rename(%.20s, %.20s)", n, m);
		break;
	case 2:
		print_result(renameat2(AT_FDCWD, n, AT_FDCWD, m, RENAME_NOREPLACE), "rename no replace(%.20s, %.20s)",
		             n, m);
		break;
	case 3:
		print_result(link(n, m), "link(%.20s, %.20s)", n, m);
		break;
	case 4:
	case 5:
		print_result(unlink(n), "unlink(%.20s)", n);
		break;
	case 6:
		print_result(symlink(n, chance(60) ? "l" : m), "symlink(%.20s, l or %.20s)", n, m);
		break;
	case 7:
		r = readlink(chance(60) ? "l" : n, text, any(sizeof text));
		print_result(r, "readlink(l or %.20s) %08x", n, hash(text, r));
		break;
	case 8:
	case 9:
		n = chance(60) ? (chance(50) ? "d" : "e") : n;
		print_result(mkdir(n, any(01000) | 0700), "mkdir(%.20s)", n);
		break;
	case 10:
		print_result(rmdir(n), "rmdir(%.20s)", n);
		break;
	default:
		print_result(unlinkat(AT_FDCWD, n, chance(50) ? AT_REMOVEDIR : 0), "unlinkat(%.20s)", n);
	}
}

void do_mode(void)
{
	const char *n = name();
	int f = fd();
	mode_t mode = (mode_t)any(01000) | 0600;

	switch (any(3)) {
	case 0:
		if (*n && n[0] != '.' && n[0] != '/')
			print_result(chmod(n, mode | 0700), "chmod(%.20s)", n);
		break;
	case 1:
		if (is(f, S_IFREG))
			print_result(fchmod(f, mode), "fchmod(%d)", f);
		break;
	default:
		print_result(umask((mode_t)any(0100)), "umask");
	}
}

/* Memory. */

static void unmap(struct map *m)
{
	if (m->shared && chance(30))
		print_result(msync(m->at, m->size, MS_SYNC), "msync");
	print_result(munmap(m->at, m->size), "munmap");
	close(m->fd);
	m->at = NULL;
}

void do_map(void)
{
	struct map *m = &maps[any(MAPS)];
	int f = fd_of(S_IFREG), prot = PROT_READ | (chance(70) ? PROT_WRITE : 0);
	struct stat st;

	if (m->at) {
		unmap(m);
		return;
	}
	if (!is(f, S_IFREG) || fstat(f, &st))
		return;
	m->shared = chance(70);
	for (int i = 0; i < MAPS; i++) /* a part of a file is mapped only once at a time */
		if (maps[i].at && maps[i].ino == st.st_ino && maps[i].dev == st.st_dev)
			return;
	m->size = (1 + any(3)) * PAGE;
	m->writable = prot & PROT_WRITE;
	m->ino = st.st_ino;
	m->dev = st.st_dev;
	void *at = mmap(NULL, m->size, prot, m->shared ? MAP_SHARED : MAP_PRIVATE, f, 0);
	print_result(at == MAP_FAILED ? -1 : 0, "mmap(%d, %zu, %d, %d)", f, m->size, prot, m->shared);
	if (at == MAP_FAILED)
		return;
	m->at = at;
	m->fd = dup(f);
}

/* As far as the file reaches. */
void do_touch(void)
{
	struct map *m = &maps[any(MAPS)];
	struct stat st;

	if (!m->at || fstat(m->fd, &st))
		return;
	size_t n = (size_t)st.st_size < m->size ? (size_t)st.st_size : m->size;
	if (m->shared && n && !m->writable && chance(20) && (fcntl(m->fd, F_GETFL) & O_ACCMODE) == O_RDWR) {
		print_result(mprotect(m->at, m->size, PROT_READ | PROT_WRITE), "mprotect");
		m->writable = true;
	}
	if (m->shared)
		printf("mapped %08x\n", hash(m->at, (long)n));
	if (!n || !m->writable || chance(40))
		return;
	size_t from = any((uint32_t)n), size = any((uint32_t)(n - from) + 1);
	memset(m->at + from, (int)any(256), size);
	printf("stored %zu %zu\n", from, size);
}
