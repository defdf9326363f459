/* Calls that ask about a file: what it is, who may use it, where a link leads. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/sysmacros.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"

bool file_is_allowed(const struct stat *st, long wanted, uid_t uid, gid_t gid)
{
	uint32_t mode = st->st_mode;

	if (!uid)
		return !(wanted & X_OK) || S_ISDIR(mode) || mode & 0111;
	mode = uid == st->st_uid ? mode >> 6 : gid == st->st_gid ? mode >> 3 : mode;
	return ((long)mode & wanted) == wanted;
}

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
	        [KIND_STREAM] = S_IFCHR | 0600, [KIND_EVENTFD] = 0600,        [KIND_EPOLL] = 0600};

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

/* The file that is asked about: by its path, or by descriptor if that is empty. */
static long status_of(const struct request *a, const struct path_arg *n, bool by_descriptor, struct stat *st)
{
	long error;

	if (by_descriptor) {
		struct open *o = descriptor(n->directory);
		if (!o)
			return -EBADF;
		open_stat(o, st);
		return 0;
	}
	const struct lookup *f = names_find(a, n, 0, &error);
	if (error || !f->there)
		return error ? error : -ENOENT;
	*st = f->st;
	return 0;
}

static struct path_arg stat_name(const struct request *a, bool *by_descriptor)
{
	const long *arg = a->arg;

	*by_descriptor = a->nr == SYS_fstat;
	if (a->nr == SYS_fstat)
		return (struct path_arg){(int)arg[0], "", true};
	if (a->nr == SYS_stat || a->nr == SYS_lstat)
		return (struct path_arg){AT_FDCWD, (const char *)arg[0], a->nr == SYS_stat};
	long flags = a->nr == SYS_statx ? arg[2] : arg[3];
	const char *path = (const char *)arg[1];
	*by_descriptor = (flags & AT_EMPTY_PATH) && (!path || !*path);
	return (struct path_arg){(int)arg[0], path, !(flags & AT_SYMLINK_NOFOLLOW)};
}

/* A file keeps the inode and the times that the recording has shown. */
static void follow_stat(const struct request *a, const struct path_arg *n, bool by_descriptor)
{
	struct request unrecorded = {0};
	struct open *o = by_descriptor ? descriptor(n->directory) : NULL;
	struct node *node = o ? o->node : NULL;
	const struct stat *st = (const void *)a->arg[a->nr == SYS_newfstatat ? 2 : 1];
	const struct statx *x = (const void *)a->arg[4];
	long error;

	if (!by_descriptor) {
		const struct lookup *f = names_find(&unrecorded, n, 0, &error);
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

long answer_stat(const struct request *a)
{
	const long *arg = a->arg;
	bool by_descriptor;
	struct stat st;
	long r;

	struct path_arg n = stat_name(a, &by_descriptor);
	if (a->entry) {
		follow_stat(a, &n, by_descriptor);
		return 0;
	}
	r = status_of(a, &n, by_descriptor, &st);
	if (r)
		return r;
	if (a->nr == SYS_statx)
		fill_statx(&st, (void *)arg[4]);
	else
		memcpy((void *)arg[a->nr == SYS_newfstatat ? 2 : 1], &st, sizeof(st));
	return 0;
}

long answer_access(const struct request *a)
{
	bool at = a->nr != SYS_access, effective = a->nr == SYS_faccessat2 && (a->arg[3] & AT_EACCESS);
	bool follow = a->nr != SYS_faccessat2 || !(a->arg[3] & AT_SYMLINK_NOFOLLOW);
	struct path_arg n = {at ? (int)a->arg[0] : AT_FDCWD, (const char *)a->arg[at ? 1 : 0], follow};
	long error, wanted = a->arg[at ? 2 : 1];

	if (wanted & ~(long)(R_OK | W_OK | X_OK))
		return -EINVAL;
	const struct lookup *f = names_find(a, &n, 0, &error);
	if (error || !f->there)
		return error ? error : -ENOENT;
	if (!f->known)
		return raw2(SYS_access, f->name, wanted);
	uid_t uid = (uid_t)raw0(effective ? SYS_geteuid : SYS_getuid);
	gid_t gid = (gid_t)raw0(effective ? SYS_getegid : SYS_getgid);
	return file_is_allowed(&f->st, wanted, uid, gid) ? 0 : -EACCES;
}

long answer_readlink(const struct request *a)
{
	bool at = a->nr == SYS_readlinkat;
	struct path_arg n = {at ? (int)a->arg[0] : AT_FDCWD, (const char *)a->arg[at ? 1 : 0], false};
	char *out = (char *)a->arg[at ? 2 : 1];
	int64_t room = (int)a->arg[at ? 3 : 2];
	long error;

	if (room <= 0)
		return -EINVAL;
	const struct lookup *f = names_find(a, &n, 0, &error);
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
