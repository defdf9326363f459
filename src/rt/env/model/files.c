/* Files: opening, asking, changing, mapping. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "rt/arena.h"
#include "rt/arch/x86_64/raw.h"
#include "rt/env/model/parts.h"
#include "rt/text.h"

#define HIDDEN 700 /* descriptors of ours begin here, where there is room */

static char *copy_of(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = arena_alloc(n);

	memcpy(copy, text, n);
	return copy;
}

/* ---- opening ---- */

static long open_for_real(const char *name, long flags)
{
	long fd = raw3(SYS_open, name, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);

	if (fd < 0)
		return fd;
	long away = raw3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIDDEN);
	if (away < 0)
		return fd;
	raw1(SYS_close, fd);
	return away;
}

/* null, zero, full, random, urandom: whoever uses them leaves nothing behind. */
static bool keeps_nothing(const struct stat *st)
{
	unsigned minor = minor(st->st_rdev);

	return S_ISCHR(st->st_mode) && major(st->st_rdev) == 1 && minor >= 3 && minor <= 9 && minor != 4 && minor != 6;
}

static long writes(long flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC); }

/* Something that is there, and that we do not have. */
static long open_lower(struct found *f, long flags, struct open **out)
{
	bool device = !S_ISREG(f->st.st_mode) && !S_ISDIR(f->st.st_mode);

	if (device && !keeps_nothing(&f->st)) {
		model_invents("a device, socket or pipe of the file system cannot be opened");
		return -ENXIO;
	}
	long real = open_for_real(f->name, device ? flags & O_ACCMODE : O_RDONLY);
	if (real < 0)
		return real;
	*out = open_new(device ? KIND_DEVICE : KIND_LOWER, flags & ~(long)O_CLOEXEC);
	(*out)->real = real;
	return 0;
}

static long open_found(struct found *f, long flags, uint32_t mode, struct open **out)
{
	struct node *n = f->node;

	if (!f->there) {
		if (!(flags & O_CREAT))
			return -ENOENT;
		if (!places_parent(f->name))
			return -ENOENT;
		n = node_new(S_IFREG | (mode & 07777));
		places_put(f->name, n);
	} else if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
		return -EEXIST;
	} else if (S_ISDIR(f->st.st_mode) && writes(flags)) {
		return -EISDIR;
	} else if (!S_ISDIR(f->st.st_mode) && (flags & O_DIRECTORY)) {
		return -ENOTDIR;
	} else if (!f->known && (!writes(flags) || !S_ISREG(f->st.st_mode))) {
		long r = open_lower(f, flags, out);
		if (r == 0 && S_ISDIR(f->st.st_mode))
			(*out)->name = copy_of(f->name);
		return r;
	} else if (!n) {
		long r = raw2(SYS_access, f->name, 2 /* writing */);
		if (r < 0)
			return r;
		n = places_own(f);
	}
	if (flags & O_TRUNC)
		node_resize(n, 0);
	*out = open_new(KIND_NODE, flags & ~(long)(O_CLOEXEC | O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY));
	(*out)->node = n;
	if (S_ISDIR(n->st.st_mode))
		(*out)->name = copy_of(f->name);
	return 0;
}

/* The recording has opened it: a file that is read again has its own descriptor, what else is read stands in the log. */
static struct open *follow_open(const struct ask *a, struct found *f, long flags, uint32_t mode)
{
	struct open *o = NULL;

	if (a->entry->flags & WORLD_FILE) {
		o = open_new(KIND_LOWER, flags & ~(long)O_CLOEXEC);
		o->real = a->entry->result;
		return o;
	}
	bool file = *f->name == '/' && (!f->there || S_ISREG(f->st.st_mode) || S_ISDIR(f->st.st_mode) ||
	                                keeps_nothing(&f->st));
	if (file && strncmp(f->name, "/proc/", 6) && open_found(f, flags & ~(long)O_EXCL, mode, &o) == 0)
		return o;
	o = open_new(KIND_STREAM, flags & ~(long)O_CLOEXEC);
	return o;
}

long answer_open(const struct ask *a)
{
	long flags = a->nr == SYS_openat ? a->arg[2] : a->nr == SYS_open ? a->arg[1] : O_CREAT | O_WRONLY | O_TRUNC;
	uint32_t mode = (uint32_t)(a->nr == SYS_openat ? a->arg[3] : a->nr == SYS_open ? a->arg[2] : a->arg[1]);
	struct open *o = NULL;
	struct name name;
	long error;

	if (!names_of(a->nr, a->arg, &name))
		return -EFAULT;
	name.follow = !(flags & O_NOFOLLOW);
	struct found *f = places_find(a, &name, 0, &error);
	if (error)
		return error;
	if ((flags & O_TMPFILE) == O_TMPFILE) {
		o = open_new(KIND_NODE, O_RDWR);
		o->node = node_new(S_IFREG | mode);
	} else if (a->entry) {
		o = follow_open(a, f, flags, mode);
	} else {
		if (f->there && S_ISLNK(f->st.st_mode))
			return -ELOOP;
		error = open_found(f, flags, mode, &o);
		if (error)
			return error;
	}
	if (a->entry)
		o->stream = arrivals_born();
	return descriptor_place(a, o, flags & O_CLOEXEC);
}

long answer_memfd(const struct ask *a)
{
	struct open *o = open_new(KIND_NODE, O_RDWR);

	o->node = node_new(S_IFREG | 0777);
	if (a->entry)
		o->stream = arrivals_born();
	return descriptor_place(a, o, a->arg[1] & 1);
}

/* ---- positions and sizes ---- */

static uint64_t size_of(struct open *o)
{
	struct stat st;

	open_stat(o, &st);
	return (uint64_t)st.st_size;
}

long answer_seek(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	if (o->kind == KIND_DEVICE)
		return 0;
	if (o->kind != KIND_NODE && o->kind != KIND_LOWER)
		return -ESPIPE;
	if (a->entry) {
		o->offset = (uint64_t)a->entry->result;
		return 0;
	}
	int64_t to = a->arg[1];
	switch (a->arg[2]) {
	case SEEK_SET:
		break;
	case SEEK_CUR:
		to += (int64_t)o->offset;
		break;
	case SEEK_END:
		to += (int64_t)size_of(o);
		break;
	default:
		return -EINVAL;
	}
	if (to < 0)
		return -EINVAL;
	o->offset = (uint64_t)to;
	return to;
}

long answer_truncate(const struct ask *a)
{
	struct open *o = NULL;
	struct name name;
	struct node *n;
	long error = 0;

	if (a->nr == SYS_ftruncate) {
		o = descriptor(a->arg[0]);
		n = o ? o->node : NULL;
		if (!n || (o->flags & O_ACCMODE) == O_RDONLY)
			return o ? -EINVAL : -EBADF;
	} else {
		names_of(a->nr, a->arg, &name);
		struct found *f = places_find(a, &name, 0, &error);
		if (error || !f->there)
			return error ? error : -ENOENT;
		n = places_own(f);
	}
	if (a->arg[1] < 0 || S_ISDIR(n->st.st_mode))
		return a->arg[1] < 0 ? -EINVAL : -EISDIR;
	node_resize(n, (uint64_t)a->arg[1]);
	return 0;
}

long answer_allocate(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint64_t end = (uint64_t)(a->arg[2] + a->arg[3]);

	if (!o || !o->node)
		return -EBADF;
	if (a->arg[1] > 1) /* holes and moves */
		return -EOPNOTSUPP;
	if (!a->arg[1] && end > (uint64_t)o->node->st.st_size)
		node_resize(o->node, end);
	return 0;
}

/* ---- asking ---- */

/* Both ends of a pipe are one file. */
static uint64_t *inode_of(struct open *o)
{
	struct channel *c = o->kind != KIND_PIPE ? NULL : o->in ? o->in : o->out;

	if (c && !c->inode)
		c->inode = o->inode;
	return c ? &c->inode : &o->inode;
}

void open_stat(struct open *o, struct stat *st)
{
	static const uint32_t modes[] = {[KIND_OUTPUT] = S_IFIFO | 0600, [KIND_PIPE] = S_IFIFO | 0600,
	                                 [KIND_SOCKET] = S_IFSOCK | 0777, [KIND_STREAM] = S_IFCHR | 0600,
	                                 [KIND_COUNTER] = 0600, [KIND_WATCHER] = 0600};

	if (o->node) {
		*st = o->node->st;
	} else if (o->real >= 0 && o->kind != KIND_OUTPUT && o->kind != KIND_STREAM) {
		raw2(SYS_fstat, o->real, st);
	} else {
		memset(st, 0, sizeof(*st));
		st->st_mode = modes[o->kind];
		st->st_ino = *inode_of(o);
		st->st_nlink = 1;
		st->st_blksize = 4096;
	}
}

static void fill_statx(const struct stat *st, struct statx *x)
{
	memset(x, 0, sizeof(*x));
	x->stx_mask = STATX_BASIC_STATS;
	x->stx_blksize = (uint32_t)st->st_blksize;
	x->stx_nlink = (uint32_t)st->st_nlink;
	x->stx_uid = st->st_uid;
	x->stx_gid = st->st_gid;
	x->stx_mode = (uint16_t)st->st_mode;
	x->stx_ino = st->st_ino;
	x->stx_size = (uint64_t)st->st_size;
	x->stx_blocks = (uint64_t)st->st_blocks;
	x->stx_atime.tv_sec = st->st_atim.tv_sec;
	x->stx_mtime.tv_sec = st->st_mtim.tv_sec;
	x->stx_ctime.tv_sec = st->st_ctim.tv_sec;
	x->stx_dev_major = major(st->st_dev);
	x->stx_dev_minor = minor(st->st_dev);
}

/* The file that is asked about: by name, or where that is empty by descriptor. */
static long asked(const struct ask *a, const struct name *n, bool by_descriptor, struct stat *st)
{
	long error;

	if (by_descriptor) {
		struct open *o = descriptor(n->directory);
		if (!o)
			return -EBADF;
		open_stat(o, st);
		return 0;
	}
	const struct found *f = places_find(a, n, 0, &error);
	if (error || !f->there)
		return error ? error : -ENOENT;
	*st = f->st;
	return 0;
}

long answer_stat(const struct ask *a)
{
	const long *arg = a->arg;
	struct stat st;
	long r;

	if (a->entry) { /* what the recording called it, it stays */
		struct open *o = a->nr == SYS_fstat ? descriptor(arg[0]) : NULL;
		if (o)
			*inode_of(o) = ((const struct stat *)arg[1])->st_ino;
		return 0;
	}
	switch (a->nr) {
	case SYS_fstat:
		r = asked(a, &(struct name){arg[0], "", true}, true, &st);
		break;
	case SYS_stat:
	case SYS_lstat:
		r = asked(a, &(struct name){AT_FDCWD, (const char *)arg[0], a->nr == SYS_stat}, false, &st);
		break;
	default: {
		long flags = a->nr == SYS_statx ? arg[2] : arg[3];
		const char *path = (const char *)arg[1];
		struct name n = {(int)arg[0], path ? path : "", !(flags & AT_SYMLINK_NOFOLLOW)};
		r = asked(a, &n, !*n.path && (flags & AT_EMPTY_PATH), &st);
	}
	}
	if (r)
		return r;
	if (a->nr == SYS_statx)
		fill_statx(&st, (void *)arg[4]);
	else
		memcpy((void *)arg[a->nr == SYS_newfstatat ? 2 : 1], &st, sizeof(st));
	return 0;
}

long answer_access(const struct ask *a)
{
	bool at = a->nr != SYS_access;
	struct name n = {at ? (int)a->arg[0] : AT_FDCWD, (const char *)a->arg[at ? 1 : 0], true};
	long error, wanted = a->arg[at ? 2 : 1];
	const struct found *f = places_find(a, &n, 0, &error);

	if (error || !f->there)
		return error ? error : -ENOENT;
	return f->known ? 0 : raw2(SYS_access, f->name, wanted);
}

long answer_readlink(const struct ask *a)
{
	bool at = a->nr == SYS_readlinkat;
	struct name n = {at ? (int)a->arg[0] : AT_FDCWD, (const char *)a->arg[at ? 1 : 0], false};
	char *out = (char *)a->arg[at ? 2 : 1];
	uint64_t room = (uint64_t)a->arg[at ? 3 : 2];
	long error;
	const struct found *f = places_find(a, &n, 0, &error);

	if (error || !f->there)
		return error ? error : -ENOENT;
	if (!S_ISLNK(f->st.st_mode))
		return -EINVAL;
	if (!f->node)
		return raw3(SYS_readlink, f->name, out, room);
	uint64_t size = strlen(f->node->target);
	size = size < room ? size : room;
	memcpy(out, f->node->target, size);
	return (long)size;
}

struct head {
	uint64_t ino;
	int64_t off;
	uint16_t size;
};

/* Entries are given out in whole pieces; `offset` counts bytes of the whole listing. */
long answer_list(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint64_t done = 0, room = (uint64_t)a->arg[2];

	if (!o || !o->name)
		return o ? -ENOTDIR : -EBADF;
	if (a->entry) {
		o->offset += (uint64_t)a->entry->result; /* as far as names are the same */
		return 0;
	}
	if (!o->listing)
		o->listing_size = places_list(o->name, &o->listing);
	while (o->offset < o->listing_size) {
		const struct head *h = (const void *)(o->listing + o->offset);
		if (done + h->size > room)
			return done ? (long)done : -EINVAL;
		memcpy((char *)a->arg[1] + done, h, h->size);
		done += h->size;
		o->offset += h->size;
	}
	return (long)done;
}

long answer_here(const struct ask *a)
{
	size_t n = strlen(places_here()) + 1;
	struct open *o;
	struct name name;
	long error;

	switch (a->nr) {
	case SYS_getcwd:
		if (n > (uint64_t)a->arg[1])
			return -ERANGE;
		memcpy((char *)a->arg[0], places_here(), n);
		return (long)n;
	case SYS_fchdir:
		o = descriptor(a->arg[0]);
		if (!o || !o->name)
			return o ? -ENOTDIR : -EBADF;
		places_start(o->name);
		return 0;
	default: {
		names_of(a->nr, a->arg, &name);
		const struct found *f = places_find(a, &name, 0, &error);
		if (error || !f->there)
			return error ? error : -ENOENT;
		if (!S_ISDIR(f->st.st_mode))
			return -ENOTDIR;
		places_start(f->name);
		return 0;
	}
	}
}

/* ---- changing names ---- */

static long remove_name(struct found *f, bool directory)
{
	if (!f->there)
		return -ENOENT;
	if (directory != S_ISDIR(f->st.st_mode))
		return directory ? -ENOTDIR : -EISDIR;
	if (directory && places_has_below(f->name))
		return -ENOTEMPTY;
	if (f->node)
		f->node->st.st_nlink--;
	places_remove(f->name);
	return 0;
}

static long make_name(struct found *f, struct node *n)
{
	if (f->there)
		return -EEXIST;
	if (!places_parent(f->name))
		return -ENOENT;
	places_put(f->name, n);
	return 0;
}

static long rename_to(struct found *from, struct found *to, long flags)
{
	if (!from->there)
		return -ENOENT;
	if (!places_parent(to->name))
		return -ENOENT;
	if (to->there && (flags & 1 /* RENAME_NOREPLACE */))
		return -EEXIST;
	if (flags & ~1l)
		model_unknown("it exchanges two names");
	if (to->there && S_ISDIR(to->st.st_mode) && (!S_ISDIR(from->st.st_mode) || places_has_below(to->name)))
		return S_ISDIR(from->st.st_mode) ? -ENOTEMPTY : -EISDIR;
	if (!from->node && S_ISDIR(from->st.st_mode))
		model_unknown("it renames a directory of the file system");
	if (!places_own(from))
		return -EACCES;
	places_move(from->name, to->name);
	return 0;
}

static long link_to(struct found *from, struct found *to)
{
	if (!from->there)
		return -ENOENT;
	struct node *n = places_own(from);
	long r = make_name(to, n);
	if (!r)
		n->st.st_nlink++;
	return r;
}

static struct node *new_link(const char *target)
{
	struct node *n = node_new(S_IFLNK | 0777);

	n->target = copy_of(target);
	n->st.st_size = (off_t)strlen(target);
	return n;
}

long answer_change(const struct ask *a)
{
	struct name name[NAMES_MOST];
	struct found *f[NAMES_MOST] = {0};
	uint32_t n = names_of(a->nr, a->arg, name);
	long error;

	for (uint32_t i = 0; i < n; i++) {
		f[i] = places_find(a, &name[i], i, &error);
		if (error)
			return error;
	}
	if (!n)
		return -EFAULT;
	switch (a->nr) {
	case SYS_unlink:
		return remove_name(f[0], false);
	case SYS_rmdir:
		return remove_name(f[0], true);
	case SYS_unlinkat:
		return remove_name(f[0], a->arg[2] & AT_REMOVEDIR);
	case SYS_mkdir:
	case SYS_mkdirat:
		return make_name(f[0], node_new(S_IFDIR | (uint32_t)(a->arg[a->nr == SYS_mkdir ? 1 : 2] & 07777)));
	case SYS_symlink:
	case SYS_symlinkat:
		return make_name(f[0], new_link((const char *)a->arg[0]));
	case SYS_link:
	case SYS_linkat:
		return link_to(f[0], f[1]);
	default:
		return rename_to(f[0], f[1], a->nr == SYS_renameat2 ? a->arg[4] : 0);
	}
}

/* chmod and its kin: the mode is kept, owners and times are not. */
long answer_mode(const struct ask *a)
{
	struct name name;
	struct node *n = NULL;
	long error = 0;

	if (a->nr == SYS_fchmod || a->nr == SYS_fchown || !names_of(a->nr, a->arg, &name)) {
		struct open *o = descriptor(a->arg[0]);
		if (!o)
			return -EBADF;
		n = o->node;
	} else {
		struct found *f = places_find(a, &name, 0, &error);
		if (error || !f->there)
			return error ? error : -ENOENT;
		n = places_own(f);
	}
	long mode = a->nr == SYS_fchmodat ? a->arg[2] : a->arg[1];
	if (n && (a->nr == SYS_chmod || a->nr == SYS_fchmod || a->nr == SYS_fchmodat))
		n->st.st_mode = (n->st.st_mode & S_IFMT) | (uint32_t)(mode & 07777);
	return 0;
}

/* ---- mapping ---- */

long answer_map(const struct ask *a)
{
	const long *arg = a->arg;
	long flags = arg[3], fd = (int)arg[4];
	bool anonymous = (flags & MAP_ANONYMOUS) || fd < 0, shared = (flags & 3) != MAP_PRIVATE;
	struct open *o = anonymous ? NULL : descriptor(fd);
	long r = a->entry ? a->entry->result : 0;

	if (a->entry && r < 0 && r > -4096)
		return r;
	if (!anonymous && !o)
		return -EBADF;
	if (a->entry) {
		if (shared && o && o->node)
			node_map(o->node, &(struct mapping){.address = (uint64_t)r,
			                                    .size = (uint64_t)arg[1],
			                                    .offset = (uint64_t)arg[5],
			                                    .writable = arg[2] & PROT_WRITE});
		return 0;
	}
	if (flags & MAP_FIXED)
		node_unmap((uint64_t)arg[0], (uint64_t)arg[0] + (uint64_t)arg[1]);
	if (shared) /* with other processes, which there are none of */
		flags = (flags & ~3l) | MAP_PRIVATE;
	if (o && o->kind == KIND_LOWER)
		return raw6(SYS_mmap, arg[0], arg[1], arg[2], flags, o->real, arg[5]);
	if (!o || o->kind == KIND_DEVICE)
		return raw6(SYS_mmap, arg[0], arg[1], arg[2], flags | MAP_ANONYMOUS, -1, 0);
	if (!o->node || !S_ISREG(o->node->st.st_mode))
		return -ENODEV;
	if (shared && (arg[2] & PROT_WRITE) && (o->flags & O_ACCMODE) != O_RDWR)
		return -EACCES;
	r = raw6(SYS_mmap, arg[0], arg[1], PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	if (r < 0 && r > -4096)
		return r;
	uint64_t size = (uint64_t)o->node->st.st_size, offset = (uint64_t)arg[5];
	uint64_t have = size > offset ? size - offset : 0;
	if (have)
		node_read(o->node, offset, (void *)r, have < (uint64_t)arg[1] ? have : (uint64_t)arg[1]);
	raw3(SYS_mprotect, r, arg[1], arg[2]);
	if (shared)
		node_map(o->node, &(struct mapping){.address = (uint64_t)r,
		                                    .size = (uint64_t)arg[1],
		                                    .offset = offset,
		                                    .writable = arg[2] & PROT_WRITE});
	return r;
}

long answer_unmap(const struct ask *a)
{
	const long *arg = a->arg;

	if (a->nr == SYS_munmap) {
		node_unmap((uint64_t)arg[0], (uint64_t)arg[0] + (uint64_t)arg[1]);
		return a->entry ? 0 : raw2(SYS_munmap, arg[0], arg[1]);
	}
	long r = a->entry ? a->entry->result : raw5(SYS_mremap, arg[0], arg[1], arg[2], arg[3], arg[4]);
	if (r > 0 || r < -4095)
		node_remap((uint64_t)arg[0], (uint64_t)r, (uint64_t)arg[2]);
	return r;
}
