/*
 * random SEED COUNT: makes COUNT syscalls on files, pipes, sockets and epolls; the seed chooses them.  It prints each
 * result with a hash of the bytes that arrived.  It does not print what kernels answer differently: inode and port
 * numbers, times, sizes of directories, how much a socket holds.
 */
// flags: -D_GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define SLOTS    14
#define MAPS     3
#define BIG      150000
#define PAGE     4096
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static uint64_t rng;
static int slot[SLOTS]; /* descriptors, or -1 */
static int queued;      /* bytes in transit through sockets, at most */
static uint8_t bytes[BIG], got[BIG];

static struct map {
	uint8_t *at;
	size_t size;
	dev_t dev;
	ino_t ino;
	bool shared, writable;
	int fd; /* a copy of the descriptor, to ask for the size of the file */
} maps[MAPS];

static uint32_t any(uint32_t below)
{
	rng = rng * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(rng >> 33) % below;
}

static bool chance(uint32_t percent) { return any(100) < percent; }

static uint32_t hash(const void *data, long n)
{
	uint32_t h = 2166136261u;

	for (long i = 0; i < n; i++)
		h = (h ^ ((const uint8_t *)data)[i]) * 16777619u;
	return h;
}

/* Prints one line: the call and its result. */
static void told(long result, const char *format, ...)
{
	int error = errno;
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf(" = %ld%s%s\n", result, result < 0 ? " " : "", result < 0 ? strerrorname_np(error) : "");
}

/* What the calls work on. */

static const char *const names[] = {
        "a",  "b",     "c",   "d",       "d/x",          "d/y",  "e",      "e/z",       "e/d", "l",
        "m",  "there", "old", "old/one", "old/two",      "./a",  "d/../b", "nowhere/x", "a/x", "d/",
        "a/", "",      "..",  ".",       "old/../there", ".//a", "l/x",
};

static const char *name(void)
{
	if (chance(2)) {
		static char long_name[300];
		memset(long_name, 'n', 299);
		return long_name;
	}
	return names[chance(60) ? any(15) : any(COUNT(names))];
}

static int any_slot(void) { return slot[any(SLOTS)]; }

/* Usually an open descriptor. */
static int fd(void)
{
	if (chance(3))
		return chance(50) ? -1 : 333;
	for (int i = 0; i < 20; i++) {
		int f = any_slot();
		if (f >= 0)
			return f;
	}
	return 333;
}

static bool is(int f, mode_t type)
{
	struct stat st;

	return f >= 0 && !fstat(f, &st) && (st.st_mode & S_IFMT) == type;
}

/* An open descriptor of this type, if one is found. */
static int fd_of(mode_t type)
{
	for (int i = 0; i < 30; i++) {
		int f = any_slot();
		if (is(f, type))
			return f;
	}
	return fd();
}

static void drop(int i)
{
	if (slot[i] >= 0)
		told(close(slot[i]), "close(%d)", slot[i]);
	slot[i] = -1;
}

/* The new descriptor takes the place of another. */
static void keep(int f)
{
	int i = (int)any(SLOTS);

	if (f < 0)
		return;
	drop(i);
	slot[i] = f;
}

static bool can(int f, short events)
{
	struct pollfd p = {.fd = f, .events = events};

	return poll(&p, 1, 0) != 0;
}

static bool blocks(int f) { return f >= 0 && !(fcntl(f, F_GETFL) & O_NONBLOCK); }

/* No other thread would wake this one. */
static bool would_wait(int f, short events) { return blocks(f) && !can(f, events); }

static bool is_socket(int f) { return is(f, S_IFSOCK); }

static bool is_counter(int f)
{
	struct stat st;

	return f >= 0 && !fstat(f, &st) && !(st.st_mode & S_IFMT);
}

/* How much to write: little to what blocks, and to sockets, whose capacity differs. */
static size_t amount(int f)
{
	static const size_t sizes[] = {0, 1, 7, 100, 1000, 4000, 4096, 4097, 5000, 12288, 65536, 70000, 100001};
	size_t n = chance(50) ? sizes[any(COUNT(sizes))] : any(300);

	if (n > 300 && (is_socket(f) || (f >= 0 && is(f, S_IFIFO) && blocks(f))))
		n = any(300);
	return n;
}

static int type_of(int f)
{
	int type = 0;
	socklen_t size = sizeof type;

	return getsockopt(f, SOL_SOCKET, SO_TYPE, &type, &size) ? 0 : type;
}

static bool may_send(int f, size_t n)
{
	if (!is_socket(f))
		return true;
	if (queued > 40 || (!n && type_of(f) != SOCK_STREAM)) /* kernels differ about empty packets */
		return false;
	queued++;
	return n < 1000;
}

static void fill(size_t n)
{
	uint8_t c = (uint8_t)any(256);

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(c + i * 7 + (i >> 8));
}

/* Files. */

static void do_open(void)
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
	told(f, "open(%.20s, 0%o, 0%o)", n, flags, mode);
	keep(f);
}

static void do_openat(void)
{
	int d = chance(80) ? fd_of(S_IFDIR) : fd();
	const char *n = name();
	int f = openat(d, n, O_RDWR | (chance(50) ? O_CREAT : 0), 0640);

	told(f, "openat(%d, %.20s)", d, n);
	keep(f);
}

static void do_directory(void)
{
	static const char *const some[] = {".", "d", "e", "old", "..", "a"};
	const char *n = some[any(COUNT(some))];
	int f = open(n, O_RDONLY | O_DIRECTORY);

	told(f, "open directory %s", n);
	keep(f);
}

static void do_tmpfile(void)
{
	const char *n = chance(70) ? "." : name();
	int f = open(n, O_TMPFILE | (chance(80) ? O_RDWR : O_RDONLY), 0600);

	told(f, "open tmpfile(%.20s)", n);
	keep(f);
}

static void do_memfd(void)
{
	int f = memfd_create("m", chance(50) ? MFD_CLOEXEC : 0);

	told(f, "memfd");
	keep(f);
}

static void do_read(void)
{
	int f = fd();
	size_t n = chance(30) ? any(BIG) : any(400);

	if (would_wait(f, POLLIN))
		return;
	long r = read(f, got, n);
	told(r, "read(%d, %zu) %08x", f, n, hash(got, r));
}

static void do_pread(void)
{
	int f = fd_of(S_IFREG);
	size_t n = any(500);
	off_t at = chance(5) ? -1 : (off_t)any(10000);

	if (would_wait(f, POLLIN))
		return;
	long r = pread(f, got, n, at);
	told(r, "pread(%d, %zu, %ld) %08x", f, n, at, hash(got, r));
}

static void do_readv(void)
{
	int f = fd();
	size_t n = any(100);
	struct iovec v[3] = {{got, n}, {got + n, any(3000)}, {got + 10000, any(50)}};
	int count = (int)any(4);

	if (would_wait(f, POLLIN))
		return;
	memset(got, 0, 11000);
	long r = chance(30) ? preadv(f, v, count, any(5000)) : readv(f, v, count);
	told(r, "readv(%d, %d) %08x", f, count, hash(got, 11000));
}

static void do_write(void)
{
	int f = fd();
	size_t n = amount(f);

	if (!may_send(f, n) || (is_counter(f) && n > 7) || would_wait(f, POLLOUT))
		return; /* whether a counter refuses more than it can hold depends on the kernel */
	fill(n);
	long r = write(f, bytes, n);
	told(r, "write(%d, %zu)", f, n);
}

static void do_pwrite(void)
{
	int f = fd_of(S_IFREG);
	size_t n = any(5000);
	off_t at = chance(5) ? -1 : (off_t)any(20000);

	if (is_socket(f) || would_wait(f, POLLOUT))
		return;
	fill(n);
	told(pwrite(f, bytes, n, at), "pwrite(%d, %zu, %ld)", f, n, at);
}

static void do_writev(void)
{
	int f = fd();
	size_t n = amount(f) / 3;
	struct iovec v[3] = {{bytes, n}, {bytes + n, n}, {bytes + 2 * n, any(50)}};
	int count = (int)any(4);

	if (!may_send(f, 3 * n) || is_counter(f) || would_wait(f, POLLOUT))
		return;
	fill(3 * n + 50);
	told(writev(f, v, count), "writev(%d, %d, %zu)", f, count, n);
}

static void do_seek(void)
{
	int f = chance(80) ? fd_of(S_IFREG) : fd(), whence = (int)any(chance(5) ? 9 : 3);
	off_t to = (off_t)any(9000) - (whence ? 4500 : 100);

	if (is(f, S_IFDIR) || whence == SEEK_DATA || whence == SEEK_HOLE)
		return;
	told(lseek(f, to, whence), "lseek(%d, %ld, %d)", f, to, whence);
}

static void do_truncate(void)
{
	off_t size = chance(5) ? -5 : (off_t)any(20000);

	if (chance(60)) {
		int f = fd_of(S_IFREG);
		told(ftruncate(f, size), "ftruncate(%d, %ld)", f, size);
	} else {
		const char *n = name();
		told(truncate(n, size), "truncate(%.20s, %ld)", n, size);
	}
}

static void do_allocate(void)
{
	static const int modes[] = {0, 0, FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	                            FALLOC_FL_PUNCH_HOLE};
	int f = fd_of(S_IFREG), mode = modes[any(COUNT(modes))];
	off_t from = chance(5) ? -1 : (off_t)any(9000), size = any(9000);

	told(fallocate(f, mode, from, size), "fallocate(%d, %d, %ld, %ld)", f, mode, from, size);
}

/* Queries. */

static void tell_stat(long r, const struct stat *st, const char *what)
{
	if (r)
		told(r, "%s", what);
	else if (S_ISDIR(st->st_mode))
		printf("%s directory 0%o\n", what, st->st_mode);
	else
		printf("%s 0%o size %ld links %lu\n", what, st->st_mode, (long)st->st_size,
		       (unsigned long)st->st_nlink);
}

static void do_stat(void)
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

static void do_access(void)
{
	const char *n = name();
	int how = (int)any(8);

	told(access(n, how), "access(%.20s, %d)", n, how);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void do_list(void)
{
	static const char *const some[] = {".", "d", "e", "old", "a", "l"};
	const char *n = some[any(COUNT(some))];
	DIR *d = opendir(n);
	char *found[64];
	size_t count = 0;

	if (!d) {
		told(-1, "opendir(%s)", n);
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

static void do_here(void)
{
	char here[PATH_MAX];
	const char *last;

	if (chance(60)) {
		last = getcwd(here, sizeof here) ? strstr(here, "/scratch") : NULL;
		printf("getcwd %s\n", last ? last : "elsewhere");
		told(getcwd(here, 3) ? 0 : -1, "getcwd in 3 bytes");
		return;
	}
	static const char *const some[] = {"d", "..", "e", "a", "old", "nowhere", "l"};
	const char *n = some[any(COUNT(some))];
	last = getcwd(here, sizeof here);
	if (!strcmp(n, "..") && last && strlen(last) > 8 && !strcmp(last + strlen(last) - 8, "/scratch"))
		return;
	if (chance(15)) {
		int f = fd_of(S_IFDIR);
		told(fchdir(f), "fchdir(%d)", f);
	} else {
		told(chdir(n), "chdir(%s)", n);
	}
}

/* Names. */

static void do_names(void)
{
	const char *n = name(), *m = name();
	char text[300];
	long r;

	switch (any(12)) {
	case 0:
	case 1:
		told(rename(n, m), "rename(%.20s, %.20s)", n, m);
		break;
	case 2:
		told(renameat2(AT_FDCWD, n, AT_FDCWD, m, RENAME_NOREPLACE), "rename no replace(%.20s, %.20s)", n, m);
		break;
	case 3:
		told(link(n, m), "link(%.20s, %.20s)", n, m);
		break;
	case 4:
	case 5:
		told(unlink(n), "unlink(%.20s)", n);
		break;
	case 6:
		told(symlink(n, chance(60) ? "l" : m), "symlink(%.20s, l or %.20s)", n, m);
		break;
	case 7:
		r = readlink(chance(60) ? "l" : n, text, any(sizeof text));
		told(r, "readlink(l or %.20s) %08x", n, hash(text, r));
		break;
	case 8:
	case 9:
		n = chance(60) ? (chance(50) ? "d" : "e") : n;
		told(mkdir(n, any(01000) | 0700), "mkdir(%.20s)", n);
		break;
	case 10:
		told(rmdir(n), "rmdir(%.20s)", n);
		break;
	default:
		told(unlinkat(AT_FDCWD, n, chance(50) ? AT_REMOVEDIR : 0), "unlinkat(%.20s)", n);
	}
}

static void do_mode(void)
{
	const char *n = name();
	int f = fd();
	mode_t mode = (mode_t)any(01000) | 0600;

	switch (any(3)) {
	case 0:
		if (*n && n[0] != '.' && n[0] != '/')
			told(chmod(n, mode | 0700), "chmod(%.20s)", n);
		break;
	case 1:
		if (is(f, S_IFREG))
			told(fchmod(f, mode), "fchmod(%d)", f);
		break;
	default:
		told(umask((mode_t)any(0100)), "umask");
	}
}

/* Descriptors. */

static void do_dup(void)
{
	int f = fd(), i = (int)any(SLOTS), r;

	if (slot[i] < 0)
		return;
	switch (any(4)) {
	case 0:
		r = dup(f);
		told(r, "dup(%d)", f);
		keep(r);
		break;
	case 1:
		r = dup2(f, slot[i]);
		told(r, "dup2(%d, %d)", f, slot[i]);
		break;
	case 2:
		r = dup3(f, slot[i], O_CLOEXEC);
		told(r, "dup3(%d, %d)", f, slot[i]);
		break;
	default:
		r = fcntl(f, chance(50) ? F_DUPFD : F_DUPFD_CLOEXEC, (int)any(60));
		told(r, "dupfd(%d)", f);
		keep(r);
	}
}

static void do_fcntl(void)
{
	int f = fd(), flags;
	struct flock l = {.l_type = (short)(chance(50) ? F_WRLCK : F_RDLCK), .l_whence = SEEK_SET, .l_len = any(100)};

	switch (any(6)) {
	case 0:
		told(fcntl(f, F_GETFL), "getfl(%d)", f);
		break;
	case 1:
		flags = fcntl(f, F_GETFL);
		if (flags >= 0 && !is_socket(f)) { /* sockets keep their flags, so that no call waits */
			flags = chance(50) ? flags ^ O_NONBLOCK : flags ^ O_APPEND;
			told(fcntl(f, F_SETFL, flags), "setfl(%d, 0%o)", f, flags);
		}
		break;
	case 2:
		told(fcntl(f, F_GETFD), "getfd(%d)", f);
		break;
	case 3:
		told(fcntl(f, F_SETFD, (int)any(2)), "setfd(%d)", f);
		break;
	case 4:
		f = fd_of(S_IFREG);
		told(fcntl(f, F_SETLK, &l), "setlk(%d, %d)", f, l.l_type);
		break;
	default:
		told(fcntl(f, F_GETLK, &l), "getlk(%d) %d", f, l.l_type);
	}
}

static void do_ioctl(void)
{
	int f = fd(), n = 0;

	if (is_socket(f) && chance(50))
		return;
	long r = ioctl(f, FIONREAD, &n);
	told(r, "available(%d) %d", f, r ? 0 : n);
}

static void do_flock(void)
{
	int f = chance(80) ? fd_of(S_IFREG) : fd_of(S_IFIFO), how = (chance(50)   ? LOCK_SH
	                                                             : chance(50) ? LOCK_EX
	                                                                          : LOCK_UN) |
	                                                            LOCK_NB;

	told(flock(f, how), "flock(%d, %d)", f, how);
}

static void do_close(void) { drop((int)any(SLOTS)); }

static void do_wrong(void)
{
	int f = chance(50) ? -1 : 444;

	switch (any(6)) {
	case 0:
		told(close(f), "close(%d)", f);
		break;
	case 1:
		told(close_range(400, 300, 0), "close_range");
		break;
	case 2:
		told(fsync(f), "fsync(%d)", f);
		break;
	case 3:
		f = fd();
		told(fdatasync(f), "fdatasync(%d)", f);
		break;
	case 4:
		told(socket(AF_UNIX, 77, 0), "socket of no type");
		break;
	default:
		told(epoll_create1(12345), "epoll_create1 with flags");
	}
}

/* Channels. */

static void do_pipe(void)
{
	int p[2], flags = (chance(70) ? O_NONBLOCK : 0) | (chance(10) ? O_DIRECT : 0) | (chance(20) ? O_CLOEXEC : 0);
	int r = pipe2(p, flags);

	told(r, "pipe2(0%o) %d %d", flags, r ? 0 : p[0], r ? 0 : p[1]);
	if (!r) {
		keep(p[0]);
		keep(p[1]);
	}
}

static void do_pair(void)
{
	static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	int type = types[any(3)] | SOCK_NONBLOCK, p[2];
	int r = socketpair(AF_UNIX, type, 0, p);

	told(r, "socketpair(%d) %d %d", type, r ? 0 : p[0], r ? 0 : p[1]);
	if (!r) {
		keep(p[0]);
		keep(p[1]);
	}
}

static int listener(bool inet, struct sockaddr_storage *at, socklen_t *size)
{
	static int number;
	int s = socket(inet ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	memset(at, 0, sizeof *at);
	if (inet) {
		struct sockaddr_in *in = (void *)at;
		in->sin_family = AF_INET;
		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		*size = sizeof *in;
	} else {
		struct sockaddr_un *un = (void *)at;
		un->sun_family = AF_UNIX;
		snprintf(un->sun_path, sizeof un->sun_path, "s%d", number++);
		*size = sizeof *un;
	}
	told(bind(s, (void *)at, *size), "bind(%d)", s);
	told(bind(s, (void *)at, *size), "bind again");
	told(listen(s, 8), "listen");
	socklen_t n = sizeof *at;
	if (inet)
		told(getsockname(s, (void *)at, &n), "getsockname %u", n);
	return s;
}

/* Waits until what was sent has arrived. */
static void at_once(int f)
{
	int yes = 1;

	setsockopt(f, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/* A connection to this program. */
static void do_connect(void)
{
	struct sockaddr_storage at, peer, own;
	socklen_t size, peer_size = sizeof peer, own_size = sizeof own;
	bool inet = chance(50);
	int l = listener(inet, &at, &size), c = socket(at.ss_family, SOCK_STREAM, 0);

	told(accept(l, NULL, NULL), "accept of nobody");
	if (chance(20))
		told(write(c, bytes, 5), "write before connect");
	if (chance(20))
		told(getpeername(c, (void *)&peer, &peer_size), "getpeername before connect");
	told(connect(c, (void *)&at, size), "connect(%d, %s)", c, inet ? "inet" : "unix");
	told(can(l, POLLIN), "somebody waits");
	int s = accept4(l, (void *)&peer, &peer_size, SOCK_NONBLOCK);
	told(s, "accept %u", peer_size);
	if (chance(30))
		told(connect(c, (void *)&at, size), "connect again");
	if (inet && !getsockname(c, (void *)&own, &own_size))
		printf("ports %s\n", ((struct sockaddr_in *)&own)->sin_port == ((struct sockaddr_in *)&peer)->sin_port
		                             ? "agree"
		                             : "differ");
	told(fcntl(c, F_SETFL, O_NONBLOCK), "nonblocking");
	at_once(c);
	at_once(s);
	keep(c);
	keep(s);
	if (chance(50)) {
		told(close(l), "close listener");
		int again = socket(at.ss_family, SOCK_STREAM, 0);
		told(connect(again, (void *)&at, size), "connect to nobody");
		close(again);
	} else {
		keep(l);
	}
}

static void do_send(void)
{
	int f = fd_of(S_IFSOCK), flags = MSG_NOSIGNAL | (chance(30) ? MSG_DONTWAIT : 0);
	size_t n = any(300);

	if (!may_send(f, n) || (!is_socket(f) && would_wait(f, POLLOUT)))
		return;
	fill(n);
	told(send(f, bytes, n, flags), "send(%d, %zu)", f, n);
}

static void do_receive(void)
{
	int f = fd_of(S_IFSOCK), flags = (chance(30) ? MSG_PEEK : 0) | (chance(20) ? MSG_TRUNC : 0);
	size_t n = any(600);
	long r;

	if (would_wait(f, POLLIN))
		return;
	if (type_of(f) <= SOCK_STREAM)
		flags &= ~MSG_TRUNC;
	if (chance(70)) {
		r = recv(f, got, n, flags);
		told(r, "recv(%d, %zu, %d) %08x", f, n, flags, hash(got, r < (long)n ? r : (long)n));
	} else {
		struct iovec v[2] = {{got, n / 2}, {got + n / 2, n / 2}};
		struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
		r = recvmsg(f, &m, flags);
		told(r, "recvmsg(%d, %zu, %d) %d %08x", f, n, flags, r >= 0 ? m.msg_flags : 0,
		     hash(got, r < (long)n ? r : (long)n));
	}
}

static void do_shutdown(void)
{
	int f = fd_of(S_IFSOCK), how = (int)any(3);

	if (type_of(f) == SOCK_DGRAM) /* which of two errors comes first depends on the kernel */
		return;
	told(shutdown(f, how), "shutdown(%d, %d)", f, how);
}

static void do_option(void)
{
	static const int options[] = {SO_TYPE, SO_DOMAIN, SO_ACCEPTCONN, SO_ERROR};
	int f = fd_of(S_IFSOCK), value = 0, option = options[any(COUNT(options))];
	socklen_t size = sizeof value;
	long r = getsockopt(f, SOL_SOCKET, option, &value, &size);

	told(r, "getsockopt(%d, %d) %d", f, option, r ? 0 : value);
}

static void do_counter(void)
{
	int flags = EFD_NONBLOCK | (chance(30) ? EFD_SEMAPHORE : 0), f = eventfd(any(4), flags);

	told(f, "eventfd(%d)", flags);
	keep(f);
}

static void do_count(void)
{
	uint64_t values[] = {0, 1, 5, UINT64_MAX, UINT64_MAX - 1}, value = values[any(5)];
	int f = any_slot();

	if (is_counter(f))
		told(write(f, &value, sizeof value), "count(%d, %lu)", f, value);
}

/* From one descriptor to another. */

static dev_t device_of(int f)
{
	struct stat st;

	return f < 0 || fstat(f, &st) ? 0 : st.st_dev;
}

static void do_copy(void)
{
	int in = fd(), out = fd();
	off_t from = any(4000), to = any(4000), *at = chance(50) ? &from : NULL, *where = chance(50) ? &to : NULL;
	size_t n = 1 + any(3000);
	long r;

	if (would_wait(in, POLLIN) || would_wait(out, POLLOUT) || is_socket(out) || is_socket(in) || is(out, S_IFIFO))
		return;
	switch (any(3)) {
	case 0:
		r = sendfile(out, in, at, n);
		told(r, "sendfile(%d, %d, %s%zu) %ld", out, in, at ? "at " : "", n, from);
		break;
	case 1:
		r = splice(in, at, out, where, n, SPLICE_F_NONBLOCK);
		told(r, "splice(%d, %d, %s%s%zu) %ld %ld", in, out, at ? "at " : "", where ? "to " : "", n, from, to);
		break;
	default:
		if (is(in, S_IFREG) && is(out, S_IFREG) && device_of(in) != device_of(out)) /* kernels differ */
			return;
		r = copy_file_range(in, at, out, where, n, 0);
		told(r, "copy_file_range(%d, %d, %s%s%zu) %ld %ld", in, out, at ? "at " : "", where ? "to " : "", n,
		     from, to);
	}
}

/* Moves a file into a pipe that has room, and out again. */
static void do_splice(void)
{
	int p[2], f = fd_of(S_IFREG);
	size_t n = 1 + any(3000);

	if (!is(f, S_IFREG) || pipe2(p, O_NONBLOCK))
		return;
	long r = chance(50) ? splice(f, NULL, p[1], NULL, n, 0) : sendfile(p[1], f, NULL, n);
	told(r, "into a pipe(%d, %zu)", f, n);
	if (r > 0)
		told(read(p[0], got, BIG), "out of it %08x", hash(got, r));
	close(p[0]);
	close(p[1]);
}

/* Readiness. */

static void do_poll(void)
{
	struct pollfd p[4];
	int n = (int)any(5);

	for (int i = 0; i < n; i++)
		p[i] = (struct pollfd){.fd = fd(), .events = (short)(any(8) | (chance(20) ? POLLRDHUP : 0))};
	long r = poll(p, (nfds_t)n, 0);
	printf("poll");
	for (int i = 0; i < n; i++)
		printf(" %d:%x:%x", p[i].fd, p[i].events, p[i].revents);
	told(r, " ");
}

static void do_select(void)
{
	fd_set in, out;
	struct timeval none = {0, 0};

	FD_ZERO(&in);
	FD_ZERO(&out);
	for (int i = 0; i < 4; i++) {
		int f = any_slot();
		if (f >= 0 && chance(60))
			FD_SET(f, &in);
		if (f >= 0 && chance(60))
			FD_SET(f, &out);
	}
	long r = select(100, &in, &out, NULL, &none);
	told(r, "select %08x %08x", r >= 0 ? hash(&in, sizeof in) : 0, r >= 0 ? hash(&out, sizeof out) : 0);
}

static int watcher = -1;

static void do_watch(void)
{
	static const uint32_t kinds[] = {EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT, EPOLLIN | EPOLLRDHUP};
	struct epoll_event e = {.events = kinds[any(4)]};
	int f = fd(), what = 1 + (int)any(chance(5) ? 5 : 3);

	if (watcher < 0 || chance(3)) {
		if (watcher >= 0)
			close(watcher);
		watcher = epoll_create1(0);
		told(watcher, "epoll_create");
	}
	bool datagrams =
	        is_socket(f) && type_of(f) == SOCK_DGRAM; /* whether a failed call wakes depends on the kernel */
	e.events |= (chance(40) && !datagrams ? EPOLLET : 0) | (chance(20) ? EPOLLONESHOT : 0);
	e.data.fd = f;
	told(epoll_ctl(watcher, what, f, &e), "epoll_ctl(%d, %d, %x)", what, f, e.events);
}

static int by_fd(const void *a, const void *b)
{
	return ((const struct epoll_event *)a)->data.fd - ((const struct epoll_event *)b)->data.fd;
}

static void do_watched(void)
{
	struct epoll_event e[32];

	if (watcher < 0)
		return;
	int n = epoll_wait(watcher, e, 32, 0);
	qsort(e, n > 0 ? (size_t)n : 0, sizeof *e, by_fd);
	printf("epoll");
	for (int i = 0; i < n; i++)
		printf(" %d:%x", e[i].data.fd, e[i].events);
	told(n, " ");
}

/* Memory. */

static void unmap(struct map *m)
{
	if (m->shared && chance(30))
		told(msync(m->at, m->size, MS_SYNC), "msync");
	told(munmap(m->at, m->size), "munmap");
	close(m->fd);
	m->at = NULL;
}

static void do_map(void)
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
	told(at == MAP_FAILED ? -1 : 0, "mmap(%d, %zu, %d, %d)", f, m->size, prot, m->shared);
	if (at == MAP_FAILED)
		return;
	m->at = at;
	m->fd = dup(f);
}

/* As far as the file reaches. */
static void do_touch(void)
{
	struct map *m = &maps[any(MAPS)];
	struct stat st;

	if (!m->at || fstat(m->fd, &st))
		return;
	size_t n = (size_t)st.st_size < m->size ? (size_t)st.st_size : m->size;
	if (m->shared && n && !m->writable && chance(20) && (fcntl(m->fd, F_GETFL) & O_ACCMODE) == O_RDWR) {
		told(mprotect(m->at, m->size, PROT_READ | PROT_WRITE), "mprotect");
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

/* The main loop. */

static void (*const what[])(void) = {
        do_open,     do_open,   do_open,    do_open,    do_openat,  do_directory, do_tmpfile,  do_memfd,   do_read,
        do_read,     do_read,   do_read,    do_pread,   do_readv,   do_write,     do_write,    do_write,   do_write,
        do_write,    do_pwrite, do_writev,  do_seek,    do_seek,    do_truncate,  do_allocate, do_stat,    do_stat,
        do_stat,     do_access, do_list,    do_here,    do_names,   do_names,     do_names,    do_names,   do_names,
        do_mode,     do_dup,    do_dup,     do_fcntl,   do_fcntl,   do_ioctl,     do_flock,    do_close,   do_wrong,
        do_pipe,     do_pipe,   do_pair,    do_pair,    do_connect, do_send,      do_send,     do_receive, do_receive,
        do_shutdown, do_option, do_counter, do_count,   do_copy,    do_splice,    do_poll,     do_poll,    do_select,
        do_watch,    do_watch,  do_watched, do_watched, do_map,     do_touch,     do_touch,
};

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 300;

	rng = (uint64_t)(argc > 1 ? atol(argv[1]) : 1) * 0x9e3779b97f4a7c15u;
	setvbuf(stdout, NULL, _IOLBF, 1 << 16);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < SLOTS; i++)
		slot[i] = -1;
	if (chdir("scratch"))
		return 2;
	for (int i = 0; i < count; i++) {
		printf("%d ", i);
		what[any(COUNT(what))]();
		putchar('\n');
	}
	puts("done");
	return 0;
}
