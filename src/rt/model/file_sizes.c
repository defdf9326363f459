/* Calls that move the position in a file or change its size. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"

static uint64_t size_of(struct open *o)
{
	struct stat st;

	open_stat(o, &st);
	return (uint64_t)st.st_size;
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

long answer_seek(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	if (a->arg[2] < 0 || a->arg[2] > SEEK_HOLE)
		return -EINVAL;
	if (o->kind == KIND_DEVICE || o->kind == KIND_EVENTFD || o->kind == KIND_EPOLL)
		return 0;
	if (o->kind != KIND_NODE && o->kind != KIND_REAL_FILE)
		return -ESPIPE;
	int64_t to = a->entry ? a->entry->result : seek_to(o, a->arg[1], a->arg[2]);
	if (to < 0)
		return to == -ENXIO && a->arg[2] >= SEEK_DATA ? -ENXIO : -EINVAL;
	o->offset = (uint64_t)to;
	directory_list_again(o);
	return to;
}

long answer_truncate(const struct request *a)
{
	struct open *o = NULL;
	struct path_arg name;
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
	if (!paths_of_call(a->nr, a->arg, &name))
		return -EFAULT;
	struct lookup *f = names_find(a, &name, 0, &error);
	if (error || !f->there)
		return error ? error : -ENOENT;
	if (!S_ISREG(f->st.st_mode))
		return S_ISDIR(f->st.st_mode) ? -EISDIR : -EINVAL;
	if (!file_is_allowed(&f->st, W_OK, (uid_t)raw0(SYS_geteuid), (gid_t)raw0(SYS_getegid)))
		return -EACCES;
	node_resize(names_copy_in(f), (uint64_t)a->arg[1]);
	return 0;
}

#define KEEP_SIZE  1
#define PUNCH_HOLE 2

long answer_allocate(const struct request *a)
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

/* Nothing has to reach a disk; a descriptor that has no disk gets an error. */
long answer_sync(const struct request *a)
{
	const struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	return o->kind == KIND_NODE || o->kind == KIND_REAL_FILE || o->kind == KIND_STREAM ? 0 : -EINVAL;
}
