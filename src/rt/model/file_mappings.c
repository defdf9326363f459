/* Calls that map, unmap and protect memory. */
#include <errno.h>
#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"

static bool is_address(long r) { return r >= 0 || r < -4095; }

static void note_mapping(const struct request *a, struct open *o, long at)
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
	else if (o->kind == KIND_REAL_FILE && raw2(SYS_fstat, o->real, &st) == 0)
		node_map_real_file(&st, &m);
}

/* The checks that the kernel makes before it looks at the file. */
static long check_map(const struct request *a, const struct open *o, bool shared)
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

static long map_node(const struct request *a, struct open *o, long flags, bool shared)
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

long answer_map(const struct request *a)
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
	if (shared) /* with other processes, which do not exist here */
		flags = (flags & ~3l) | MAP_PRIVATE;
	if (o && o->kind == KIND_REAL_FILE) {
		r = raw6(SYS_mmap, arg[0], arg[1], arg[2], flags, o->real, arg[5]);
		if (is_address(r) && shared)
			note_mapping(a, o, r);
		return r;
	}
	if (!o || o->kind == KIND_DEVICE)
		return raw6(SYS_mmap, arg[0], arg[1], arg[2], flags | MAP_ANONYMOUS, -1, 0);
	return map_node(a, o, flags, shared);
}

long answer_unmap(const struct request *a)
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

long answer_protect(const struct request *a)
{
	const long *arg = a->arg;
	long r = a->entry ? 0 : raw4(a->nr, arg[0], arg[1], arg[2], arg[3]);

	if (!r)
		node_protect((uint64_t)arg[0], (uint64_t)arg[0] + (uint64_t)arg[1], arg[2]);
	return r;
}
