/* Files: opening, asking, changing, mapping. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/kernel/kernel.h"
#include "rt/model/parts.h"
#include "rt/core/text.h"

#define HIDDEN 700 /* descriptors of ours begin here, where there is room */

static char *copy_of(const char *text)
{
	size_t n = strlen(text) + 1;
	char *copy = model_alloc(n);

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

static bool writes(long flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC); }

/* What F_GETFL tells of it. */
static long kept_flags(long flags)
{
	return (flags & ~(long)(O_CLOEXEC | O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY)) | 0100000 /* O_LARGEFILE */;
}

/* May this process, by the mode of a file? R_OK, W_OK, X_OK. */
static bool is_allowed(const struct stat *st, long wanted, uid_t uid, gid_t gid)
{
	uint32_t mode = st->st_mode;

	if (!uid)
		return !(wanted & X_OK) || S_ISDIR(mode) || mode & 0111;
	mode = uid == st->st_uid ? mode >> 6 : gid == st->st_gid ? mode >> 3 : mode;
	return ((long)mode & wanted) == wanted;
}

static bool may_open(const struct stat *st, long flags)
{
	long wanted = ((flags & O_ACCMODE) != O_WRONLY ? R_OK : 0) | (writes(flags) ? W_OK : 0);

	return is_allowed(st, wanted, (uid_t)raw0(SYS_geteuid), (gid_t)raw0(SYS_getegid));
}

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
	*out = open_new(device ? KIND_DEVICE : KIND_LOWER, kept_flags(flags));
	(*out)->real = real;
	if (S_ISDIR(f->st.st_mode))
		(*out)->name = copy_of(f->name);
	return 0;
}

static struct open *open_node(struct node *n, const char *name, long flags)
{
	struct open *o = open_new(KIND_NODE, kept_flags(flags));

	o->node = n;
	if (S_ISDIR(n->st.st_mode))
		o->name = copy_of(name);
	return o;
}

static long create(struct found *f, long flags, uint32_t mode, struct open **out)
{
	if (!(flags & O_CREAT) || !places_parent(f->name))
		return -ENOENT;
	struct node *n = node_new(S_IFREG | (mode & 07777 & ~places_umask()));
	places_make(f->name, n);
	*out = open_node(n, f->name, flags);
	return 0;
}

/* The kernel's checks, in its order. */
static long check_open(const struct found *f, long flags)
{
	bool directory = S_ISDIR(f->st.st_mode);

	if (flags & O_CREAT && flags & O_EXCL)
		return -EEXIST;
	if (flags & O_CREAT && directory)
		return -EISDIR;
	if (flags & O_DIRECTORY && !directory)
		return -ENOTDIR;
	if (S_ISLNK(f->st.st_mode))
		return -ELOOP;
	if (directory && writes(flags))
		return -EISDIR;
	if (f->known && !may_open(&f->st, flags))
		return -EACCES;
	return f->known && S_ISSOCK(f->st.st_mode) ? -ENXIO : 0;
}

static long open_found(struct found *f, long flags, uint32_t mode, struct open **out)
{
	if (flags & O_CREAT && f->slash && f->last == LAST_NAME)
		return -EISDIR;
	if (!f->there)
		return create(f, flags, mode, out);
	long r = check_open(f, flags);
	if (r)
		return r;
	if (!f->known && (!writes(flags) || !S_ISREG(f->st.st_mode)))
		return open_lower(f, flags, out);
	if (!f->node) {
		r = raw2(SYS_access, f->name, W_OK);
		if (r < 0)
			return r;
	}
	struct node *n = places_own(f);
	if (flags & O_TRUNC)
		node_resize(n, 0);
	*out = open_node(n, f->name, flags);
	return 0;
}

/* The recording has opened it: a file that is read again has its own descriptor, what else is read stands in the log.
 */
static struct open *follow_open(const struct ask *a, struct found *f, long flags, uint32_t mode)
{
	struct open *o = NULL;

	if (a->entry->flags & WORLD_FILE) {
		o = f->node ? open_node(f->node, f->name, flags) : open_new(KIND_LOWER, kept_flags(flags));
		o->real = a->entry->result;
		o->again = true;
		return o;
	}
	bool file = *f->name == '/' &&
	            (!f->there || S_ISREG(f->st.st_mode) || S_ISDIR(f->st.st_mode) || keeps_nothing(&f->st));
	if (file && strncmp(f->name, "/proc/", 6) && open_found(f, flags & ~(long)O_EXCL, mode, &o) == 0)
		return o;
	o = open_new(KIND_STREAM, kept_flags(flags));
	o->outside = given_new(GIVEN_SENT, "%s", f->name);
	return o;
}

static long open_temporary(const struct ask *a, const struct found *f, long flags, uint32_t mode, struct open **out)
{
	if (!a->entry && (!writes(flags) || flags & O_CREAT))
		return -EINVAL;
	if (!a->entry && (!f->there || !S_ISDIR(f->st.st_mode)))
		return f->there ? -ENOTDIR : -ENOENT;
	*out = open_new(KIND_NODE, kept_flags(flags));
	(*out)->node = node_new(S_IFREG | (mode & 07777 & ~places_umask()));
	(*out)->node->st.st_nlink = 0;
	if (f->there)
		(*out)->node->st.st_dev = f->st.st_dev;
	return 0;
}

long answer_open(const struct ask *a)
{
	long flags = a->nr == SYS_openat ? a->arg[2] : a->nr == SYS_open ? a->arg[1] : O_CREAT | O_WRONLY | O_TRUNC;
	uint32_t mode = (uint32_t)(a->nr == SYS_openat ? a->arg[3] : a->nr == SYS_open ? a->arg[2] : a->arg[1]);
	bool temporary = (flags & O_TMPFILE) == O_TMPFILE;
	struct open *o = NULL;
	struct name name;
	long error;

	if (!names_of(a->nr, a->arg, &name))
		return -EFAULT;
	name.follow = !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	size_t length = strnlen(name.path, NAME_SIZE);
	if (flags & O_CREAT && length && name.path[length - 1] == '/')
		name.follow = false;
	if (temporary && !a->entry && (!writes(flags) || flags & O_CREAT))
		return -EINVAL;
	struct found *f = flags & O_CREAT ? places_find_place(a, &name, 0, &error) : places_find(a, &name, 0, &error);
	if (flags & O_PATH && !a->entry)
		model_unknown("it opens a place only (O_PATH)");
	if (error)
		return error;
	if (temporary)
		error = open_temporary(a, f, flags, mode, &o);
	else if (a->entry)
		o = follow_open(a, f, flags, mode);
	else
		error = open_found(f, flags, mode, &o);
	if (error)
		return error;
	if (a->entry)
		o->stream = arrivals_born();
	return descriptor_place(a, o, flags & O_CLOEXEC);
}

long answer_memfd(const struct ask *a)
{
	struct open *o = open_new(KIND_NODE, O_RDWR | 0100000 /* O_LARGEFILE */);

	o->node = node_new(S_IFREG | 0777);
	o->node->st.st_nlink = 0;
	if (a->entry)
		o->stream = arrivals_born();
	return descriptor_place(a, o, a->arg[1] & 1);
}

/* The node of an open file; one of the real file system is copied. */
static struct node *node_of(struct open *o)
{
	static char name[NAME_SIZE];

	if (o->node || o->kind != KIND_LOWER)
		return o->node;
	if (o->name)
		return places_own(places_look(o->name));
	if (!names_of_descriptor(o->real, name))
		model_unknown("it changes a file that has no name any more");
	places_own(places_look(name));
	return o->node;
}

/* ---- positions and sizes ---- */

static uint64_t size_of(struct open *o)
{
	struct stat st;

	open_stat(o, &st);
	return (uint64_t)st.st_size;
}

/* Another place in a directory: what is listed is looked for again. */
static void list_again(struct open *o)
{
	if (!o->name || o->offset)
		return;
	model_free(o->listing, o->listing_room);
	model_free(o->given, o->given_room);
	o->listing = NULL;
	o->given = NULL;
	o->given_size = 0;
}

static long seek_to(struct open *o, int64_t to, long whence)
{
	int64_t size = (int64_t)size_of(o);

	switch (whence) {
	case SEEK_SET:
		return to;
	case SEEK_CUR:
		return to + (int64_t)o->offset;
	case SEEK_END:
		return to + size;
	case SEEK_DATA: /* files have no holes here */
		return to < 0 || to >= size ? -ENXIO : to;
	case SEEK_HOLE:
		return to < 0 || to >= size ? -ENXIO : size;
	default:
		return -EINVAL;
	}
}

long answer_seek(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	if (a->arg[2] < 0 || a->arg[2] > SEEK_HOLE)
		return -EINVAL;
	if (o->kind == KIND_DEVICE || o->kind == KIND_COUNTER || o->kind == KIND_WATCHER)
		return 0;
	if (o->kind != KIND_NODE && o->kind != KIND_LOWER)
		return -ESPIPE;
	int64_t to = a->entry ? a->entry->result : seek_to(o, a->arg[1], a->arg[2]);
	if (to < 0)
		return to == -ENXIO && a->arg[2] >= SEEK_DATA ? -ENXIO : -EINVAL;
	o->offset = (uint64_t)to;
	list_again(o);
	return to;
}

long answer_truncate(const struct ask *a)
{
	struct open *o = NULL;
	struct name name;
	long error = 0;

	if (a->arg[1] < 0)
		return -EINVAL;
	if (a->nr == SYS_ftruncate) {
		o = descriptor(a->arg[0]);
		if (!o)
			return -EBADF;
		if (!o->node || !S_ISREG(o->node->st.st_mode) || (o->flags & O_ACCMODE) == O_RDONLY)
			return -EINVAL;
		node_resize(o->node, (uint64_t)a->arg[1]);
		return 0;
	}
	if (!names_of(a->nr, a->arg, &name))
		return -EFAULT;
	struct found *f = places_find(a, &name, 0, &error);
	if (error || !f->there)
		return error ? error : -ENOENT;
	if (!S_ISREG(f->st.st_mode))
		return S_ISDIR(f->st.st_mode) ? -EISDIR : -EINVAL;
	if (!is_allowed(&f->st, W_OK, (uid_t)raw0(SYS_geteuid), (gid_t)raw0(SYS_getegid)))
		return -EACCES;
	node_resize(places_own(f), (uint64_t)a->arg[1]);
	return 0;
}

#define KEEP_SIZE  1
#define PUNCH_HOLE 2

long answer_allocate(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	int64_t from = a->arg[2], size = a->arg[3];
	long mode = a->arg[1];

	if (!o)
		return -EBADF;
	if (from < 0 || size <= 0)
		return -EINVAL;
	if (mode == PUNCH_HOLE)
		return -EOPNOTSUPP;
	if ((o->flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	if (o->kind == KIND_PIPE || !o->node)
		return o->kind == KIND_PIPE || o->kind == KIND_OUTPUT ? -ESPIPE : -ENODEV;
	if (mode & ~(long)(KEEP_SIZE | PUNCH_HOLE)) {
		model_invents("moving parts of a file (fallocate) is refused");
		return -EOPNOTSUPP;
	}
	if (mode & PUNCH_HOLE)
		node_clear(o->node, (uint64_t)from, (uint64_t)size);
	else if (!mode && from + size > o->node->st.st_size)
		node_resize(o->node, (uint64_t)(from + size));
	return 0;
}

/* Nothing needs to reach a disk; what has none is told so. */
long answer_sync(const struct ask *a)
{
	const struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	return o->kind == KIND_NODE || o->kind == KIND_LOWER || o->kind == KIND_STREAM ? 0 : -EINVAL;
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
	static const uint32_t modes[] = {
	        [KIND_OUTPUT] = S_IFIFO | 0600, [KIND_PIPE] = S_IFIFO | 0600, [KIND_SOCKET] = S_IFSOCK | 0777,
	        [KIND_STREAM] = S_IFCHR | 0600, [KIND_COUNTER] = 0600,        [KIND_WATCHER] = 0600};

	if (o->node) {
		*st = o->node->st;
	} else if (o->real >= 0 && o->kind != KIND_OUTPUT && o->kind != KIND_STREAM) {
		raw2(SYS_fstat, o->real, st);
		st->st_nlink -= o->unlinked;
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

static struct name stat_name(const struct ask *a, bool *by_descriptor)
{
	const long *arg = a->arg;

	*by_descriptor = a->nr == SYS_fstat;
	if (a->nr == SYS_fstat)
		return (struct name){(int)arg[0], "", true};
	if (a->nr == SYS_stat || a->nr == SYS_lstat)
		return (struct name){AT_FDCWD, (const char *)arg[0], a->nr == SYS_stat};
	long flags = a->nr == SYS_statx ? arg[2] : arg[3];
	const char *path = (const char *)arg[1];
	*by_descriptor = (flags & AT_EMPTY_PATH) && (!path || !*path);
	return (struct name){(int)arg[0], path, !(flags & AT_SYMLINK_NOFOLLOW)};
}

/* What the recording called it, it stays. */
static void follow_stat(const struct ask *a, const struct name *n, bool by_descriptor)
{
	struct ask unrecorded = {0};
	struct open *o = by_descriptor ? descriptor(n->directory) : NULL;
	struct node *node = o ? o->node : NULL;
	const struct stat *st = (const void *)a->arg[a->nr == SYS_newfstatat ? 2 : 1];
	const struct statx *x = (const void *)a->arg[4];
	long error;

	if (!by_descriptor) {
		const struct found *f = places_find(&unrecorded, n, 0, &error);
		node = error ? NULL : f->node;
	}
	uint64_t inode = a->nr == SYS_statx ? x->stx_ino : st->st_ino;
	if (!node && o)
		*inode_of(o) = inode;
	if (!node)
		return;
	node->st.st_ino = inode;
	node->st.st_dev = a->nr == SYS_statx ? makedev(x->stx_dev_major, x->stx_dev_minor) : st->st_dev;
	if (a->nr != SYS_statx) {
		node->st.st_mtim = st->st_mtim;
		node->st.st_ctim = st->st_ctim;
	}
}

long answer_stat(const struct ask *a)
{
	const long *arg = a->arg;
	bool by_descriptor;
	struct stat st;
	long r;

	struct name n = stat_name(a, &by_descriptor);
	if (a->entry) {
		follow_stat(a, &n, by_descriptor);
		return 0;
	}
	r = asked(a, &n, by_descriptor, &st);
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
	bool at = a->nr != SYS_access, effective = a->nr == SYS_faccessat2 && (a->arg[3] & AT_EACCESS);
	bool follow = a->nr != SYS_faccessat2 || !(a->arg[3] & AT_SYMLINK_NOFOLLOW);
	struct name n = {at ? (int)a->arg[0] : AT_FDCWD, (const char *)a->arg[at ? 1 : 0], follow};
	long error, wanted = a->arg[at ? 2 : 1];

	if (wanted & ~(long)(R_OK | W_OK | X_OK))
		return -EINVAL;
	const struct found *f = places_find(a, &n, 0, &error);
	if (error || !f->there)
		return error ? error : -ENOENT;
	if (!f->known)
		return raw2(SYS_access, f->name, wanted);
	uid_t uid = (uid_t)raw0(effective ? SYS_geteuid : SYS_getuid);
	gid_t gid = (gid_t)raw0(effective ? SYS_getegid : SYS_getgid);
	return is_allowed(&f->st, wanted, uid, gid) ? 0 : -EACCES;
}

long answer_readlink(const struct ask *a)
{
	bool at = a->nr == SYS_readlinkat;
	struct name n = {at ? (int)a->arg[0] : AT_FDCWD, (const char *)a->arg[at ? 1 : 0], false};
	char *out = (char *)a->arg[at ? 2 : 1];
	int64_t room = (int)a->arg[at ? 3 : 2];
	long error;

	if (room <= 0)
		return -EINVAL;
	const struct found *f = places_find(a, &n, 0, &error);
	if (error || !f->there)
		return error ? error : -ENOENT;
	if (!S_ISLNK(f->st.st_mode))
		return -EINVAL;
	if (!f->node)
		return raw3(SYS_readlink, f->name, out, room);
	int64_t size = f->node->target ? (int64_t)strlen(f->node->target) : 0;
	size = size < room ? size : room;
	memcpy(out, f->node->target, (size_t)size);
	return size;
}

struct head {
	uint64_t ino;
	int64_t off;
	uint16_t size;
	uint8_t type;
	char name[];
};

/* The recording has listed these: they are not listed again after it was left. */
static void follow_list(struct open *o, const uint8_t *list, uint64_t size)
{
	for (uint64_t at = 0; at < size;) {
		const struct head *h = (const void *)(list + at);
		uint64_t n = strlen(h->name) + 1;
		if (o->given_size + n > o->given_room) {
			uint64_t room = o->given_room ? 2 * o->given_room : 4096;
			char *more = model_alloc(room);
			if (o->given)
				memcpy(more, o->given, o->given_size);
			model_free(o->given, o->given_room);
			o->given = more;
			o->given_room = room;
		}
		memcpy(o->given + o->given_size, h->name, n);
		o->given_size += n;
		at += h->size ? h->size : size;
	}
	o->offset += size;
}

static bool was_given(const struct open *o, const char *name)
{
	for (uint64_t at = 0; at < o->given_size; at += strlen(o->given + at) + 1)
		if (!strcmp(o->given + at, name))
			return true;
	return false;
}

/* Entries are given out in whole pieces; `offset` counts bytes of the whole listing. */
long answer_list(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint64_t done = 0, room = (uint32_t)a->arg[2];

	if (!o || !o->name)
		return o ? -ENOTDIR : -EBADF;
	if (a->entry) {
		follow_list(o, (const uint8_t *)a->arg[1], (uint64_t)a->entry->result);
		return 0;
	}
	if (o->gone)
		return -ENOENT;
	if (!o->listing) {
		o->listing_size = places_list(o->name, &o->listing, &o->listing_room);
		o->offset = o->given_size ? 0 : o->offset;
	}
	while (o->offset < o->listing_size) {
		const struct head *h = (const void *)(o->listing + o->offset);
		bool skip = was_given(o, h->name);
		if (!skip && done + h->size > room)
			return done ? (long)done : -EINVAL;
		if (!skip) {
			memcpy((char *)a->arg[1] + done, h, h->size);
			done += h->size;
		}
		o->offset += h->size;
	}
	return (long)done;
}

long answer_here(const struct ask *a)
{
	const char *here = places_here();
	size_t n = here ? strlen(here) + 1 : 0;
	struct open *o;
	struct name name;
	long error;

	switch (a->nr) {
	case SYS_getcwd:
		if (!here)
			return -ENOENT;
		if (n > (uint64_t)a->arg[1])
			return -ERANGE;
		memcpy((char *)a->arg[0], here, n);
		return (long)n;
	case SYS_fchdir:
		o = descriptor(a->arg[0]);
		if (!o || !o->name)
			return o ? -ENOTDIR : -EBADF;
		if (o->gone)
			model_unknown("it goes to a directory that was removed");
		places_start(o->name);
		return 0;
	default: {
		if (!names_of(a->nr, a->arg, &name))
			return -EFAULT;
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
	bool is_directory = f->there && S_ISDIR(f->st.st_mode);

	if (f->last != LAST_NAME)
		return !directory             ? -EISDIR
		       : f->last == LAST_DOT  ? -EINVAL
		       : f->last == LAST_DOTS ? -ENOTEMPTY
		                              : -EBUSY;
	if (!f->there)
		return -ENOENT;
	if (f->slash && !is_directory)
		return -ENOTDIR;
	if (directory != is_directory)
		return directory ? -ENOTDIR : -EISDIR;
	if (directory && !places_is_empty(f->name))
		return -ENOTEMPTY;
	places_remove(f);
	return 0;
}

/* Can something be made there? */
static long check_new(const struct found *f, bool directory)
{
	if (f->last != LAST_NAME || f->there)
		return -EEXIST;
	if (!places_parent(f->name) || (f->slash && !directory))
		return -ENOENT;
	return 0;
}

static long make_name(struct found *f, uint32_t mode)
{
	long error = check_new(f, true);

	if (!error)
		places_make(f->name, node_new(S_IFDIR | (mode & 01777 & ~places_umask())));
	return error;
}

#define NO_REPLACE 1 /* RENAME_NOREPLACE */

static long check_rename(const struct found *from, const struct found *to, long flags)
{
	bool directory = S_ISDIR(from->st.st_mode);

	if (from->last != LAST_NAME)
		return -EBUSY;
	if (to->last != LAST_NAME)
		return flags & NO_REPLACE ? -EEXIST : -EBUSY;
	if (!from->there || !places_parent(to->name))
		return -ENOENT;
	if (to->there && flags & NO_REPLACE)
		return -EEXIST;
	if (!directory && (from->slash || to->slash))
		return -ENOTDIR;
	if (places_is_above(from->name, to->name))
		return -EINVAL;
	if (places_is_above(to->name, from->name))
		return -ENOTEMPTY;
	return 0;
}

static long rename_to(struct found *from, struct found *to, long flags)
{
	bool directory = S_ISDIR(from->st.st_mode);
	long error = check_rename(from, to, flags);

	if (error)
		return error;
	if (to->there && from->st.st_ino == to->st.st_ino && from->st.st_dev == to->st.st_dev)
		return 0;
	if (to->there && directory != S_ISDIR(to->st.st_mode))
		return directory ? -ENOTDIR : -EISDIR;
	if (to->there && directory && !places_is_empty(to->name))
		return -ENOTEMPTY;
	if (to->there && from->st.st_dev != to->st.st_dev)
		return -EXDEV;
	places_move(from, to);
	return 0;
}

static long link_to(struct found *from, struct found *to)
{
	if (!from->there)
		return -ENOENT;
	long error = check_new(to, false);
	if (error)
		return error;
	if (S_ISDIR(from->st.st_mode))
		return -EPERM;
	struct node *n = places_own(from);
	places_put(to->name, n);
	n->st.st_nlink++;
	return 0;
}

static struct node *new_link(const char *target)
{
	struct node *n = node_new(S_IFLNK | 0777);

	n->target = copy_of(target);
	n->st.st_size = (off_t)strlen(target);
	return n;
}

static long link_symbolic(const struct ask *a, struct found *f)
{
	const char *target = (const char *)a->arg[0];
	long error = check_new(f, false);

	if (!error)
		places_make(f->name, new_link(target));
	return error;
}

/* Of two names that are both wrong: where the second cannot be that is told first, but whether the first is there at
 * all before how long the second may be. */
static long find_two(const struct ask *a, const struct name *name, struct found **f)
{
	long first, second;
	bool links = a->nr == SYS_link || a->nr == SYS_linkat;

	f[0] = links ? places_find(a, &name[0], 0, &first) : places_find_place(a, &name[0], 0, &first);
	if (links && (first || !f[0]->there))
		return first ? first : -ENOENT;
	f[1] = places_find_place(a, &name[1], 1, &second);
	bool late = first && f[0]->too_long, later = second && f[1]->too_long; /* what the last steps say */
	if (!links && (f[0]->last != LAST_NAME || f[1]->last != LAST_NAME) && (!first || late) && (!second || later))
		return 0; /* that is told before */
	if (first && !late)
		return first;
	if (second && !later)
		return second;
	if (late)
		return first;
	return later && !f[0]->there ? -ENOENT : second;
}

static long find_names(const struct ask *a, const struct name *name, uint32_t n, struct found **f)
{
	long error = n ? 0 : -EFAULT;

	if (n == 2)
		return find_two(a, name, f);
	if (n)
		f[0] = places_find_place(a, name, 0, &error);
	return error;
}

long answer_change(const struct ask *a)
{
	struct name name[NAMES_MOST];
	struct found *f[NAMES_MOST] = {0};
	uint32_t n = names_of(a->nr, a->arg, name);
	bool symbolic = a->nr == SYS_symlink || a->nr == SYS_symlinkat;

	if (symbolic && !*(const char *)a->arg[0])
		return -ENOENT;
	if (a->nr == SYS_linkat && !a->entry && a->arg[4])
		model_unknown("it links with flags");
	if (a->nr == SYS_renameat2 && a->arg[4] & ~(long)NO_REPLACE)
		model_unknown("it exchanges two names");
	long error = find_names(a, name, n, f);
	if (error)
		return error;
	switch (a->nr) {
	case SYS_unlink:
		return remove_name(f[0], false);
	case SYS_rmdir:
		return remove_name(f[0], true);
	case SYS_unlinkat:
		return remove_name(f[0], a->arg[2] & AT_REMOVEDIR);
	case SYS_mkdir:
	case SYS_mkdirat:
		return make_name(f[0], (uint32_t)a->arg[a->nr == SYS_mkdir ? 1 : 2]);
	case SYS_symlink:
	case SYS_symlinkat:
		return link_symbolic(a, f[0]);
	case SYS_link:
	case SYS_linkat:
		return link_to(f[0], f[1]);
	default:
		return rename_to(f[0], f[1], a->nr == SYS_renameat2 ? a->arg[4] : 0);
	}
}

static void set_times(struct node *n, const struct timespec *t)
{
	struct timespec now;

	env_clock(CLOCK_REALTIME, &now);
	for (int i = 0; i < 2; i++) {
		struct timespec *to = i ? &n->st.st_mtim : &n->st.st_atim;
		if (!t || t[i].tv_nsec == UTIME_NOW)
			*to = now;
		else if (t[i].tv_nsec != UTIME_OMIT)
			*to = t[i];
	}
}

static void set_owner(struct node *n, long uid, long gid)
{
	if ((int)uid != -1)
		n->st.st_uid = (uid_t)uid;
	if ((int)gid != -1)
		n->st.st_gid = (gid_t)gid;
}

/* chmod and its kin. */
long answer_mode(const struct ask *a)
{
	const long *arg = a->arg;
	struct name name;
	struct node *n = NULL;
	long error = 0;

	if (a->nr == SYS_fchmod || a->nr == SYS_fchown || !names_of(a->nr, arg, &name)) {
		struct open *o = descriptor(arg[0]);
		if (!o)
			return -EBADF;
		n = node_of(o);
	} else {
		struct found *f = places_find(a, &name, 0, &error);
		if (error || !f->there)
			return error ? error : -ENOENT;
		n = places_own(f);
	}
	if (!n) /* pipes and sockets */
		return 0;
	given_changes(n);
	switch (a->nr) {
	case SYS_utimensat:
		set_times(n, (const void *)arg[2]);
		break;
	case SYS_chown:
	case SYS_lchown:
	case SYS_fchown:
		set_owner(n, arg[1], arg[2]);
		break;
	case SYS_fchownat:
		set_owner(n, arg[2], arg[3]);
		break;
	default:
		n->st.st_mode = (n->st.st_mode & S_IFMT) | (uint32_t)(arg[a->nr == SYS_fchmodat ? 2 : 1] & 07777);
	}
	return 0;
}

/* ---- mapping ---- */

static bool is_address(long r) { return r >= 0 || r < -4095; }

static void note_mapping(const struct ask *a, struct open *o, long at)
{
	struct mapping m = {.address = (uint64_t)at,
	                    .size = ((uint64_t)a->arg[1] + 4095) & ~4095ul,
	                    .offset = (uint64_t)a->arg[5],
	                    .prot = a->arg[2],
	                    .written = a->arg[2] & PROT_WRITE};
	struct stat st;

	if (o->node && o->again)
		node_replace(o->node, &m);
	if (o->node)
		node_map(o->node, &m);
	else if (o->kind == KIND_LOWER && raw2(SYS_fstat, o->real, &st) == 0)
		node_map_lower(&st, &m);
}

/* What the kernel says before it looks at the file. */
static long check_map(const struct ask *a, const struct open *o, bool shared)
{
	long access = o->flags & O_ACCMODE;

	if (o->flags & O_PATH)
		return -EBADF;
	if (shared && (a->arg[2] & PROT_WRITE) && access != O_RDWR)
		return -EACCES;
	if (access == O_WRONLY)
		return -EACCES;
	return 0;
}

static long map_node(const struct ask *a, struct open *o, long flags, bool shared)
{
	const long *arg = a->arg;

	if (!o->node || !S_ISREG(o->node->st.st_mode))
		return -ENODEV;
	long r = raw6(SYS_mmap, arg[0], arg[1], PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	if (!is_address(r))
		return r;
	uint64_t size = (uint64_t)o->node->st.st_size, offset = (uint64_t)arg[5];
	uint64_t have = size > offset ? size - offset : 0;
	if (have)
		node_read(o->node, offset, (void *)r, have < (uint64_t)arg[1] ? have : (uint64_t)arg[1]);
	raw3(SYS_mprotect, r, arg[1], arg[2]);
	if (shared)
		note_mapping(a, o, r);
	return r;
}

long answer_map(const struct ask *a)
{
	const long *arg = a->arg;
	long flags = arg[3], fd = (int)arg[4];
	bool anonymous = flags & MAP_ANONYMOUS, shared = (flags & 3) != MAP_PRIVATE;
	struct open *o = anonymous ? NULL : descriptor(fd);
	long r = a->entry ? a->entry->result : 0;

	if (a->entry) {
		if (is_address(r) && flags & MAP_FIXED)
			node_unmap((uint64_t)r, (uint64_t)r + (uint64_t)arg[1]);
		if (is_address(r) && shared && o)
			note_mapping(a, o, r);
		return 0;
	}
	if (!anonymous && !o)
		return -EBADF;
	r = o && o->kind != KIND_DEVICE ? check_map(a, o, shared) : 0;
	if (r)
		return r;
	if (flags & MAP_FIXED)
		node_unmap((uint64_t)arg[0], (uint64_t)arg[0] + (uint64_t)arg[1]);
	if (shared) /* with other processes, which there are none of */
		flags = (flags & ~3l) | MAP_PRIVATE;
	if (o && o->kind == KIND_LOWER) {
		r = raw6(SYS_mmap, arg[0], arg[1], arg[2], flags, o->real, arg[5]);
		if (is_address(r) && shared)
			note_mapping(a, o, r);
		return r;
	}
	if (!o || o->kind == KIND_DEVICE)
		return raw6(SYS_mmap, arg[0], arg[1], arg[2], flags | MAP_ANONYMOUS, -1, 0);
	return map_node(a, o, flags, shared);
}

long answer_unmap(const struct ask *a)
{
	const long *arg = a->arg;

	if (a->nr == SYS_munmap) {
		if (!(arg[0] & 4095) && arg[1])
			node_unmap((uint64_t)arg[0], (uint64_t)arg[0] + (uint64_t)arg[1]);
		return a->entry ? 0 : raw2(SYS_munmap, arg[0], arg[1]);
	}
	long r = a->entry ? a->entry->result : raw5(SYS_mremap, arg[0], arg[1], arg[2], arg[3], arg[4]);
	if (is_address(r))
		node_remap((uint64_t)arg[0], (uint64_t)arg[1], (uint64_t)r, (uint64_t)arg[2], !a->entry);
	return r;
}

long answer_protect(const struct ask *a)
{
	const long *arg = a->arg;
	long r = a->entry ? 0 : raw4(a->nr, arg[0], arg[1], arg[2], arg[3]);

	if (!r)
		node_protect((uint64_t)arg[0], (uint64_t)arg[0] + (uint64_t)arg[1], arg[2]);
	return r;
}
