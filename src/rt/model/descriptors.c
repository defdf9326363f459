#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/undo.h"
#include "rt/model/parts.h"
#include "rt/core/text.h"

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
	struct open *o = model_alloc(sizeof(*o));

	o->kind = kind;
	o->flags = flags;
	o->inode = state.inode++;
	o->real = -1;
	return o;
}

static void leave(struct channel *c, struct open **end)
{
	*end = NULL;
	if (!c->reader && !c->writer)
		channel_free(c);
}

void open_free(struct open *o)
{
	struct channel *in = o->in, *out = o->out;

	watches_forget(o);
	if (in && o->kind == KIND_PIPE)
		open_wake(in->writer, false, true);
	if (out && o->kind == KIND_PIPE)
		open_wake(out->reader, true, false);
	if (in)
		leave(in, &in->reader);
	if (out)
		leave(out, &out->writer);
	for (struct watch *w = o->watches, *next; w; w = next) {
		next = w->next;
		model_free(w, sizeof(*w));
	}
	if (o->listing)
		model_free(o->listing, o->listing_room);
	if (o->name)
		model_free(o->name, strlen(o->name) + 1);
	if (o->listed)
		model_free(o->listed, o->listed_room);
	model_free(o, sizeof(*o));
}

static void close_real(long fd)
{
	raw1(SYS_close, fd);
	undo_close(fd);
}

static void drop(struct open *o)
{
	if (--o->refs)
		return;
	if (o->kind == KIND_SOCKET && o->connected)
		arrivals_closed();
	if (o->kind == KIND_SOCKET)
		socket_closed(o);
	if (o->real >= 0 && model.departed)
		close_real(o->real);
	open_free(o);
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
	if (o->real == fd && !model.departed &&
	    o->kind != KIND_OUTPUT) /* the replay closes it, or a copy of it stays */
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

/* How many descriptors the program may have. */
static long descriptors_most(void)
{
	struct rlimit limit = {DESCRIPTORS, DESCRIPTORS};

	raw4(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
	return limit.rlim_cur < DESCRIPTORS ? (long)limit.rlim_cur : DESCRIPTORS;
}

static long lowest(long from)
{
	for (; from < DESCRIPTORS; from++)
		if (!state.at[from])
			break;
	if (from < DESCRIPTORS || descriptors_most() < DESCRIPTORS)
		return from < descriptors_most() ? from : -EMFILE;
	model_unknown("it has more than %d descriptors", DESCRIPTORS);
}

long descriptor_place(const struct request *a, struct open *o, bool cloexec)
{
	long fd = a->entry ? a->entry->result : lowest(0);

	if (fd >= 0)
		descriptor_put(fd, o, cloexec);
	else
		open_free(o);
	return fd;
}

void descriptors_start(void)
{
	for (int fd = 0; fd < 3; fd++) {
		struct open *o = open_new(fd ? KIND_OUTPUT : KIND_STREAM, fd ? O_WRONLY : O_RDONLY);
		o->stream = fd ? NULL : arrivals_standard();
		o->outside = fd ? outputs_standard_stream(fd) : NULL;
		o->real = fd;
		descriptor_put(fd, o, false);
	}
}

static bool is_read_again(const struct open *o) { return o && o->again && o->real >= 0; }

/*
 * Opens a file of the replay again.  One that has changed in the recording, so that it is not read again any more,
 * may be gone.
 */
static void open_again(struct open *o)
{
	char path[40];

	text_format(path, sizeof(path), "/proc/self/fd/%ld", o->real);
	long fd = raw3(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd == -ENOENT && o->node) {
		o->real = -1;
		return;
	}
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

void descriptors_mark_news(void)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		for (struct watch *w = state.at[fd] ? state.at[fd]->watches : NULL; w; w = w->next)
			if (!open_is_internal(w->open) && w->open->kind != KIND_EVENTFD)
				w->seen_in = w->seen_out = UINT64_MAX;
}

static void set_name(struct open *o, const char *name)
{
	char *copy = model_copy_text(name);

	if (o->name)
		model_free(o->name, strlen(o->name) + 1);
	o->name = copy;
}

void descriptors_moved(const char *from, const char *to)
{
	static char name[PATH_SIZE];
	size_t size = strlen(from);

	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		struct open *o = state.at[fd];
		if (!o || !o->name || o->gone || strncmp(o->name, from, size) ||
		    (o->name[size] && o->name[size] != '/'))
			continue;
		if (!to) {
			o->gone = true;
			continue;
		}
		text_format(name, sizeof(name), "%s%s", to, o->name + size);
		set_name(o, name);
	}
}

static bool is_real_file(const struct open *o, const struct stat *st)
{
	struct stat own;

	return o && o->kind == KIND_REAL_FILE && !o->name && raw2(SYS_fstat, o->real, &own) == 0 &&
	       own.st_ino == st->st_ino && own.st_dev == st->st_dev;
}

void descriptors_use_node(struct node *n)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		struct open *o = state.at[fd];
		if (!is_real_file(o, &n->st))
			continue;
		o->kind = KIND_NODE;
		o->node = n;
		if (model.departed) {
			close_real(o->real);
			o->real = -1;
		}
	}
}

void descriptors_unlinked(const struct stat *st)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (is_real_file(state.at[fd], st))
			state.at[fd]->unlinked = true;
}

void descriptors_each(void (*f)(struct open *, void *), void *arg)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (state.at[fd])
			f(state.at[fd], arg);
}

/* ---- calls ---- */

long answer_dup(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	long to = (int)a->arg[1];

	if (a->nr == SYS_dup3 && (a->arg[2] & ~(long)O_CLOEXEC || to == (int)a->arg[0]))
		return -EINVAL;
	if (!o)
		return -EBADF;
	if (a->nr == SYS_dup) {
		long fd = a->entry ? a->entry->result : lowest(0);
		if (fd >= 0)
			descriptor_put(fd, o, false);
		return fd;
	}
	if (to < 0 || (!a->entry && to >= descriptors_most()))
		return -EBADF;
	if (to != (int)a->arg[0])
		descriptor_put(to, o, a->nr == SYS_dup3 && (a->arg[2] & O_CLOEXEC));
	return to;
}

long answer_close(const struct request *a)
{
	if (!descriptor(a->arg[0]))
		return -EBADF;
	descriptor_close((int)a->arg[0]);
	return 0;
}

long answer_close_range(const struct request *a)
{
	uint32_t first = (uint32_t)a->arg[0], last = (uint32_t)a->arg[1];

	if (first > last || a->arg[2] & ~6l /* CLOSE_RANGE_UNSHARE, CLOSE_RANGE_CLOEXEC */)
		return -EINVAL;
	for (uint32_t fd = first; fd <= last && fd < DESCRIPTORS; fd++)
		if (a->arg[2] & 4)
			state.cloexec[fd] = true;
		else
			descriptor_close(fd);
	return 0;
}

#define CHANGEABLE (O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME)

/* Locks of one process never conflict; only the request is checked. */
static long lock_region(const struct request *a, const struct open *o)
{
	struct flock *l = (void *)a->arg[2];
	long access = o->flags & O_ACCMODE;
	bool asks = a->arg[1] == F_GETLK;

	if (l->l_type != F_RDLCK && l->l_type != F_WRLCK && (asks || l->l_type != F_UNLCK))
		return -EINVAL;
	if (l->l_whence < SEEK_SET || l->l_whence > SEEK_END || (l->l_whence == SEEK_SET && l->l_start < 0))
		return -EINVAL;
	if (asks)
		l->l_type = F_UNLCK;
	else if ((l->l_type == F_RDLCK && access == O_WRONLY) || (l->l_type == F_WRLCK && access == O_RDONLY))
		return -EBADF;
	return 0;
}

static long pipe_size(const struct request *a, struct open *o)
{
	struct channel *c = o->kind != KIND_PIPE ? NULL : o->in ? o->in : o->out;
	uint32_t pages = 1;

	if (!c)
		return -EBADF;
	if (a->arg[1] == F_GETPIPE_SZ)
		return c->room;
	if (a->arg[2] <= 0 || a->arg[2] > 1 << 20)
		return a->arg[2] > 0 ? -EPERM : -EINVAL;
	while (pages * 4096l < a->arg[2])
		pages *= 2;
	return channel_resize(c, pages) ? (long)c->room : -EBUSY;
}

long answer_fcntl(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	int fd = (int)a->arg[0];

	if (!o)
		return -EBADF;
	switch (a->arg[1]) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC: {
		if (!a->entry && ((int)a->arg[2] < 0 || (int)a->arg[2] >= descriptors_most()))
			return -EINVAL;
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
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
		return lock_region(a, o);
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		if (a->entry)
			return 0;
		model_unknown("it locks a part of a file for one open file");
	case F_GETPIPE_SZ:
	case F_SETPIPE_SZ:
		return pipe_size(a, o);
	case F_SETOWN:
	case F_SETSIG:
	case F_GETOWN:
	case F_GETSIG:
		return 0;
	default:
		if (a->entry)
			return 0;
		model_invents("an fcntl is refused");
		return -EINVAL;
	}
}

static long available(struct open *o, int *out)
{
	bool file = o->kind == KIND_NODE || o->kind == KIND_REAL_FILE;

	if (o->kind == KIND_EVENTFD || o->kind == KIND_EPOLL || (file && o->name))
		return -ENOTTY;
	if (o->listening)
		return -EINVAL;
	*out = (int)open_available(o);
	return 0;
}

long answer_ioctl(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	switch ((uint32_t)a->arg[1]) {
	case 0x541b: /* FIONREAD */
		return a->entry ? 0 : available(o, (int *)a->arg[2]);
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

struct lock_conflict {
	const struct open *asks;
	struct stat st;
	uint8_t lock;
	bool found;
};

static void look_for_conflict(struct open *o, void *arg)
{
	struct lock_conflict *r = arg;
	struct stat st;

	if (o == r->asks || !o->lock || (o->lock != 2 && r->lock != 2))
		return;
	open_stat(o, &st);
	r->found |= st.st_ino == r->st.st_ino && st.st_dev == r->st.st_dev;
}

/* Changing the kind of a lock takes two steps: if the second fails, the first lock is gone too. */
long answer_flock(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	long how = a->arg[1] & ~(long)LOCK_NB;
	uint8_t lock = how == LOCK_EX ? 2 : how == LOCK_SH ? 1 : 0;
	struct lock_conflict r = {.asks = o, .lock = lock};

	if (!o)
		return -EBADF;
	if (how != LOCK_EX && how != LOCK_SH && how != LOCK_UN)
		return -EINVAL;
	if (lock == o->lock)
		return 0;
	o->lock = 0;
	open_stat(o, &r.st);
	if (lock)
		descriptors_each(look_for_conflict, &r);
	if (!r.found)
		o->lock = lock;
	else if (!(a->arg[1] & LOCK_NB) && !a->entry)
		model_unknown("it waits for a lock on a file that it holds itself");
	return r.found ? -EWOULDBLOCK : 0;
}
