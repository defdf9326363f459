/* Calls that open files: those that exist, those that they make, and those without a name. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/sysmacros.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/undo.h"
#include "rt/model/parts.h"

#define FIRST_OWN_FD 700 /* descriptors of the model begin here, where there is room */

static long open_for_real(const char *name, long flags)
{
	long fd = raw3(SYS_open, name, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);

	if (fd < 0)
		return fd;
	long away = raw3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
	if (away >= 0)
		raw1(SYS_close, fd);
	undo_opened(away < 0 ? fd : away);
	return away < 0 ? fd : away;
}

/* null, zero, full, random, urandom: using them has no effect on later reads. */
static bool is_memory_device(const struct stat *st)
{
	unsigned minor = minor(st->st_rdev);

	return S_ISCHR(st->st_mode) && major(st->st_rdev) == 1 && minor >= 3 && minor <= 9 && minor != 4 && minor != 6;
}

static bool opens_to_write(long flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC); }

/* The flags that F_GETFL shows. */
static long kept_flags(long flags)
{
	return (flags & ~(long)(O_CLOEXEC | O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY)) | 0100000 /* O_LARGEFILE */;
}

static bool may_open(const struct stat *st, long flags)
{
	long wanted = ((flags & O_ACCMODE) != O_WRONLY ? R_OK : 0) | (opens_to_write(flags) ? W_OK : 0);

	return file_is_allowed(st, wanted, (uid_t)raw0(SYS_geteuid), (gid_t)raw0(SYS_getegid));
}

/* Opens something that exists in the real file system only. */
static long open_real_file(struct lookup *f, long flags, struct open **out)
{
	bool device = !S_ISREG(f->st.st_mode) && !S_ISDIR(f->st.st_mode);

	if (device && !is_memory_device(&f->st)) {
		model_invents("a device, socket or pipe of the file system cannot be opened");
		return -ENXIO;
	}
	long real = open_for_real(f->name, device ? flags & O_ACCMODE : O_RDONLY);
	if (real < 0)
		return real;
	*out = open_new(device ? KIND_DEVICE : KIND_REAL_FILE, kept_flags(flags));
	(*out)->real = real;
	if (S_ISDIR(f->st.st_mode))
		(*out)->name = model_copy_text(f->name);
	return 0;
}

static struct open *open_node(struct node *n, const char *name, long flags)
{
	struct open *o = open_new(KIND_NODE, kept_flags(flags));

	o->node = n;
	if (S_ISDIR(n->st.st_mode))
		o->name = model_copy_text(name);
	return o;
}

static long create_file(struct lookup *f, long flags, uint32_t mode, struct open **out)
{
	if (!(flags & O_CREAT) || !names_has_parent(f->name))
		return -ENOENT;
	struct node *n = node_new(S_IFREG | (mode & 07777 & ~names_umask()));
	names_make(f->name, n);
	*out = open_node(n, f->name, flags);
	return 0;
}

/* The checks of the kernel, in its order. */
static long check_open(const struct lookup *f, long flags)
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
	if (directory && opens_to_write(flags))
		return -EISDIR;
	if (f->known && !may_open(&f->st, flags))
		return -EACCES;
	return f->known && S_ISSOCK(f->st.st_mode) ? -ENXIO : 0;
}

static long open_found(struct lookup *f, long flags, uint32_t mode, struct open **out)
{
	if (flags & O_CREAT && f->slash && f->last == LAST_NAME)
		return -EISDIR;
	if (!f->there)
		return create_file(f, flags, mode, out);
	long r = check_open(f, flags);
	if (r)
		return r;
	if (!f->known && (!opens_to_write(flags) || !S_ISREG(f->st.st_mode)))
		return open_real_file(f, flags, out);
	if (!f->node) {
		r = raw2(SYS_access, f->name, W_OK);
		if (r < 0)
			return r;
	}
	struct node *n = names_copy_in(f);
	if (flags & O_TRUNC)
		node_resize(n, 0);
	*out = open_node(n, f->name, flags);
	return 0;
}

/*
 * The recording has opened it.  A file that is read again has a descriptor of its own; what is read from others is in
 * the log.
 */
static struct open *follow_open(const struct request *a, struct lookup *f, long flags, uint32_t mode)
{
	struct open *o = NULL;

	if (a->entry->flags & WORLD_FILE) {
		o = f->node ? open_node(f->node, f->name, flags) : open_new(KIND_REAL_FILE, kept_flags(flags));
		o->real = a->entry->result;
		o->again = true;
		return o;
	}
	bool file = *f->name == '/' &&
	            (!f->there || S_ISREG(f->st.st_mode) || S_ISDIR(f->st.st_mode) || is_memory_device(&f->st));
	if (file && strncmp(f->name, "/proc/", 6) && open_found(f, flags & ~(long)O_EXCL, mode, &o) == 0)
		return o;
	o = open_new(KIND_STREAM, kept_flags(flags));
	o->outside = outputs_new_stream(OUTPUT_STREAM, "%s", f->name);
	return o;
}

static long open_temporary(const struct request *a, const struct lookup *f, long flags, uint32_t mode,
                           struct open **out)
{
	if (!a->entry && (!opens_to_write(flags) || flags & O_CREAT))
		return -EINVAL;
	if (!a->entry && (!f->there || !S_ISDIR(f->st.st_mode)))
		return f->there ? -ENOTDIR : -ENOENT;
	*out = open_new(KIND_NODE, kept_flags(flags));
	(*out)->node = node_new(S_IFREG | (mode & 07777 & ~names_umask()));
	(*out)->node->st.st_nlink = 0;
	if (f->there)
		(*out)->node->st.st_dev = f->st.st_dev;
	return 0;
}

long answer_open(const struct request *a)
{
	long flags = a->nr == SYS_openat ? a->arg[2] : a->nr == SYS_open ? a->arg[1] : O_CREAT | O_WRONLY | O_TRUNC;
	uint32_t mode = (uint32_t)(a->nr == SYS_openat ? a->arg[3] : a->nr == SYS_open ? a->arg[2] : a->arg[1]);
	bool temporary = (flags & O_TMPFILE) == O_TMPFILE;
	struct open *o = NULL;
	struct path_arg name;
	long error;

	if (!paths_of_call(a->nr, a->arg, &name))
		return -EFAULT;
	name.follow = !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	size_t length = strnlen(name.path, PATH_SIZE);
	if (flags & O_CREAT && length && name.path[length - 1] == '/')
		name.follow = false;
	if (temporary && !a->entry && (!opens_to_write(flags) || flags & O_CREAT))
		return -EINVAL;
	struct lookup *f = flags & O_CREAT ? names_find_target(a, &name, 0, &error) : names_find(a, &name, 0, &error);
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
		o->stream = arrivals_next_stream();
	return descriptor_place(a, o, flags & O_CLOEXEC);
}

long answer_memfd(const struct request *a)
{
	struct open *o = open_new(KIND_NODE, O_RDWR | 0100000 /* O_LARGEFILE */);

	o->node = node_new(S_IFREG | 0777);
	o->node->st.st_nlink = 0;
	if (a->entry)
		o->stream = arrivals_next_stream();
	return descriptor_place(a, o, a->arg[1] & 1);
}
