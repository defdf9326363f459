#include <errno.h>
#include <string.h>
#include <sys/file.h>

#include "rt/arena.h"
#include "rt/arch/x86_64/raw.h"
#include "rt/env/model/parts.h"
#include "rt/text.h"

static struct {
	struct open *at[DESCRIPTORS];
	bool cloexec[DESCRIPTORS];
	uint64_t inode;
} state = {.inode = 1ul << 41};

struct open *descriptor(long fd)
{
	fd = (int)fd;
	struct open *o = fd >= 0 && fd < DESCRIPTORS ? state.at[fd] : NULL;

	if (!o && model.lost && model.departed)
		model_unknown("it uses descriptor %ld, which came in a message", fd);
	return o;
}

struct open *open_new(enum kind kind, long flags)
{
	struct open *o = arena_alloc(sizeof(*o));

	o->kind = kind;
	o->flags = flags;
	o->inode = state.inode++;
	o->real = -1;
	return o;
}

static void drop(struct open *o)
{
	if (--o->refs)
		return;
	watches_forget(o);
	if (o->in)
		o->in->readers--;
	if (o->out)
		o->out->writers--;
	if (o->kind == KIND_SOCKET && o->connected)
		arrivals_closed();
	if (o->real >= 0 && model.departed)
		raw1(SYS_close, o->real);
}

static long another(const struct open *o)
{
	for (long fd = 0; fd < DESCRIPTORS; fd++)
		if (state.at[fd] == o)
			return fd;
	return -1;
}

void descriptor_close(long fd)
{
	struct open *o = fd >= 0 && fd < DESCRIPTORS ? state.at[fd] : NULL;

	if (!o)
		return;
	state.at[fd] = NULL;
	if (o->real == fd && !model.departed) /* the replay closes it, or a copy of it stays */
		o->real = another(o);
	drop(o);
}

void descriptor_put(long fd, struct open *o, bool cloexec)
{
	if (fd < 0 || fd >= DESCRIPTORS)
		model_unknown("it uses descriptor %ld; the model has %d", fd, DESCRIPTORS);
	o->refs++;
	descriptor_close(fd);
	state.at[fd] = o;
	state.cloexec[fd] = cloexec;
}

static long lowest(long from)
{
	for (; from < DESCRIPTORS; from++)
		if (!state.at[from])
			return from;
	return -EMFILE;
}

/* Where the recording had it, or at the lowest number that is free. */
long descriptor_place(const struct ask *a, struct open *o, bool cloexec)
{
	long fd = a->entry ? a->entry->result : lowest(0);

	if (fd >= 0)
		descriptor_put(fd, o, cloexec);
	return fd;
}

void descriptors_start(void)
{
	for (int fd = 0; fd < 3; fd++) {
		struct open *o = open_new(fd ? KIND_OUTPUT : KIND_STREAM, fd ? O_WRONLY : O_RDONLY);
		o->stream = fd ? NULL : arrivals_standard();
		o->real = fd;
		descriptor_put(fd, o, false);
	}
}

static bool is_read_again(const struct open *o) { return o && o->kind == KIND_LOWER && !o->name && o->real >= 0; }

static void open_again(const struct open *o)
{
	char path[40];

	text_format(path, sizeof(path), "/proc/self/fd/%ld", o->real);
	long fd = raw3(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		text_die("cannot open a file again for a snapshot (error %ld)", -fd);
	raw3(SYS_lseek, fd, o->offset, SEEK_SET);
	raw3(SYS_dup3, fd, o->real, O_CLOEXEC);
	raw1(SYS_close, fd);
}

/* A descriptor and its copies get an open file of their own. */
void descriptors_own_files(void)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (is_read_again(state.at[fd]) && state.at[fd]->real == fd)
			open_again(state.at[fd]);
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (is_read_again(state.at[fd]) && state.at[fd]->real != fd)
			raw3(SYS_dup3, state.at[fd]->real, fd, O_CLOEXEC);
}

void descriptors_expose(void)
{
	for (int fd = 3; fd < DESCRIPTORS; fd++)
		if (state.at[fd])
			state.at[fd]->exposed = true;
}

void descriptors_arrive(void)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		for (struct watch *w = state.at[fd] ? state.at[fd]->watches : NULL; w; w = w->next)
			w->seen_in = w->seen_out = UINT64_MAX;
}

void descriptors_each(void (*f)(struct open *, void *), void *arg)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (state.at[fd])
			f(state.at[fd], arg);
}

/* ---- calls ---- */

long answer_dup(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	long to = (int)a->arg[1];

	if (!o)
		return -EBADF;
	if (a->nr == SYS_dup)
		return descriptor_place(a, o, false);
	if (to < 0 || to >= DESCRIPTORS)
		return -EBADF;
	if (to == (int)a->arg[0])
		return a->nr == SYS_dup3 ? -EINVAL : to;
	descriptor_put(to, o, a->nr == SYS_dup3 && (a->arg[2] & O_CLOEXEC));
	return to;
}

long answer_close(const struct ask *a)
{
	if (!descriptor(a->arg[0]))
		return -EBADF;
	descriptor_close((int)a->arg[0]);
	return 0;
}

long answer_close_range(const struct ask *a)
{
	uint32_t last = (uint32_t)a->arg[1];

	if (a->arg[2]) /* only marks them */
		return 0;
	for (uint32_t fd = (uint32_t)a->arg[0]; fd <= last && fd < DESCRIPTORS; fd++)
		descriptor_close(fd);
	return 0;
}

#define CHANGEABLE (O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME)

long answer_fcntl(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	int fd = (int)a->arg[0];

	if (!o)
		return -EBADF;
	switch (a->arg[1]) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC: {
		long to = a->entry ? a->entry->result : lowest((int)a->arg[2]);
		if (to >= 0)
			descriptor_put(to, o, a->arg[1] == F_DUPFD_CLOEXEC);
		return to;
	}
	case F_GETFD:
		return state.cloexec[fd] ? FD_CLOEXEC : 0;
	case F_SETFD:
		state.cloexec[fd] = a->arg[2] & FD_CLOEXEC;
		return 0;
	case F_GETFL:
		return o->flags;
	case F_SETFL:
		o->flags = (o->flags & ~(long)CHANGEABLE) | (a->arg[2] & CHANGEABLE);
		return 0;
	case F_GETLK: /* locks of one process never stand against each other */
	case F_OFD_GETLK:
		((struct flock *)a->arg[2])->l_type = F_UNLCK;
		return 0;
	case F_GETPIPE_SZ:
	case F_SETPIPE_SZ:
		return o->in ? o->in->room : o->out ? o->out->room : -EBADF;
	default:
		return 0;
	}
}

long answer_ioctl(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	switch ((uint32_t)a->arg[1]) {
	case 0x541b: /* FIONREAD */
		*(int *)a->arg[2] = (int)open_available(o);
		return 0;
	case 0x5421: /* FIONBIO */
		o->flags = *(const int *)a->arg[2] ? o->flags | O_NONBLOCK : o->flags & ~(long)O_NONBLOCK;
		return 0;
	case 0x5450: /* FIONCLEX */
	case 0x5451: /* FIOCLEX */
		state.cloexec[(int)a->arg[0]] = (uint32_t)a->arg[1] == 0x5451;
		return 0;
	default:
		return -ENOTTY;
	}
}

struct rival {
	const struct open *asks;
	uint8_t lock;
	bool found;
};

static void look_for_rival(struct open *o, void *arg)
{
	struct rival *r = arg;

	if (o != r->asks && o->node && o->node == r->asks->node && o->lock && (o->lock == 2 || r->lock == 2))
		r->found = true;
}

long answer_flock(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint8_t lock = a->arg[1] & LOCK_EX ? 2 : a->arg[1] & LOCK_SH ? 1 : 0;
	struct rival r = {.asks = o, .lock = lock};

	if (!o)
		return -EBADF;
	if (lock)
		descriptors_each(look_for_rival, &r);
	if (r.found)
		return -EWOULDBLOCK;
	o->lock = lock;
	return 0;
}
