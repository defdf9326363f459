/* Calls that copy from one open file to another: sendfile, splice, copy_file_range. */
#include <errno.h>

#include "rt/model/parts.h"
#include "rt/model/transfer.h"

struct route {
	struct open *in, *out;
	int64_t *from, *to; /* NULL: the position of the open file */
	uint64_t size;
};

static struct route route_of(const struct request *a)
{
	const long *arg = a->arg;

	if (a->nr == SYS_sendfile)
		return (struct route){descriptor(arg[1]), descriptor(arg[0]), (int64_t *)arg[2], NULL,
		                      (uint64_t)arg[3]};
	return (struct route){descriptor(arg[0]), descriptor(arg[2]), (int64_t *)arg[1], (int64_t *)arg[3],
	                      (uint64_t)arg[4]};
}

static uint8_t copied[65536];

static bool is_file(const struct open *o) { return o->kind == KIND_NODE || o->kind == KIND_REAL_FILE; }

/* Are its bytes known: those of a file, or what the program has sent itself? */
static bool is_known(const struct open *o) { return is_file(o) || open_is_internal(o); }

/* sendfile from a file to itself, both at its position: the position moves, and nothing else changes. */
static bool is_onto_itself(const struct route *r) { return is_file(r->in) && r->in == r->out && !r->from && !r->to; }

/* The recording has copied `size` bytes, and the program's positions are moved already. */
static void follow_copy(const struct route *r, uint64_t size)
{
	int64_t from = r->from ? *r->from - (int64_t)size : -1, to = r->to ? *r->to - (int64_t)size : -1;

	if (is_onto_itself(r)) {
		r->in->offset += size;
		return;
	}
	for (uint64_t done = 0; done < size;) {
		uint64_t n = size - done < sizeof(copied) ? size - done : sizeof(copied);
		struct vector v = vector_of(copied, n);
		if (is_known(r->in)) {
			long got = open_read(r->in, &v, from < 0 ? -1 : from + (int64_t)done);
			if (got <= 0)
				return;
			n = (uint64_t)got;
			v = vector_of(copied, n);
		} else {
			open_follow_read(r->in, &v, from, (long)n);
			outputs_lose(r->out->outside);
		}
		open_follow_write(r->out, &v, to < 0 ? -1 : to + (int64_t)done, (long)n);
		transfer_note_output(r->out, &v, (long)n);
		done += n;
	}
}

static bool can_read(const struct open *o) { return (o->flags & O_ACCMODE) != O_WRONLY && !(o->flags & O_PATH); }
static bool can_write(const struct open *o) { return (o->flags & O_ACCMODE) != O_RDONLY && !(o->flags & O_PATH); }

static bool is_directory(const struct open *o) { return is_file(o) && o->name; }

/* Do the two parts overlap, as far as there is something to copy? */
static bool overlaps(const struct route *r, uint64_t size)
{
	uint64_t from = r->from ? (uint64_t)*r->from : r->in->offset, to = r->to ? (uint64_t)*r->to : r->out->offset;

	if (!r->in->node || r->in->node != r->out->node || from >= (uint64_t)r->in->node->st.st_size)
		return false;
	uint64_t left = (uint64_t)r->in->node->st.st_size - from;
	size = size < left ? size : left;
	return from < to + size && to < from + size;
}

static long check_file_range(const struct route *r, uint64_t size)
{
	if (is_directory(r->in) || is_directory(r->out))
		return -EISDIR;
	if (!is_file(r->in) || !is_file(r->out))
		return -EINVAL;
	if (!can_read(r->in) || !can_write(r->out) || r->out->flags & O_APPEND)
		return -EBADF;
	struct stat in, out;
	open_stat(r->in, &in);
	open_stat(r->out, &out);
	if (in.st_dev != out.st_dev)
		return -EXDEV;
	return overlaps(r, size) ? -EINVAL : 0;
}

/* Calls cannot move data from there or to there. */
static bool is_counter(const struct open *o) { return o->kind == KIND_EVENTFD || o->kind == KIND_EPOLL; }

static long check_splice(const struct route *r)
{
	bool in = r->in->kind == KIND_PIPE, out = r->out->kind == KIND_PIPE;

	if ((in && r->from) || (out && r->to))
		return -ESPIPE;
	if (!can_read(r->in) || !can_write(r->out))
		return -EBADF;
	if (!in && !out)
		return -EINVAL;
	if (in && out && (r->in->in ? r->in->in : r->in->out) == (r->out->in ? r->out->in : r->out->out))
		return -EINVAL;
	if ((!in && r->from && !is_file(r->in)) || (!out && r->to && !is_file(r->out)))
		return -EINVAL;
	if (is_file(r->out) && r->out->flags & O_APPEND)
		return -EINVAL;
	if (is_counter(r->in) || is_counter(r->out))
		return -EINVAL;
	return is_directory(r->in) || is_directory(r->out) ? -EINVAL : 0;
}

static long check_sendfile(const struct route *r)
{
	if (!r->in || !can_read(r->in))
		return -EBADF;
	if (r->from && !is_file(r->in))
		return -ESPIPE;
	if (r->from && *r->from < 0)
		return -EINVAL;
	if (!r->out || !can_write(r->out))
		return -EBADF;
	if (!open_has_positions(r->in) || (is_file(r->out) && r->out->flags & O_APPEND))
		return -EINVAL;
	return is_directory(r->in) || is_directory(r->out) ? -EINVAL : 0;
}

static long check_copy(const struct request *a, const struct route *r)
{
	switch (a->nr) {
	case SYS_sendfile:
		return check_sendfile(r);
	case SYS_splice:
		return check_splice(r);
	default:
		return check_file_range(r, r->size);
	}
}

/* How much can be written at once: what was read cannot be put back. */
static uint64_t room_of(const struct open *o, uint64_t size)
{
	const struct channel *c = open_is_internal(o) ? o->out : NULL;
	uint64_t room = !c ? size : c->kind == CHANNEL_PIPE ? (c->most - c->count) * 4096ul : c->room - c->used;

	return room < size ? room : size;
}

static long copy_onto_itself(struct open *o, uint64_t size)
{
	int64_t left = open_available(o);
	uint64_t n = left < 0 ? 0 : (uint64_t)left < size ? (uint64_t)left : size;

	o->offset += n;
	return (long)n;
}

long answer_copy(const struct request *a)
{
	struct route r = route_of(a);

	if ((!r.in || !r.out) && a->nr != SYS_sendfile)
		return -EBADF;
	if (a->entry) {
		follow_copy(&r, (uint64_t)a->entry->result);
		return 0;
	}
	long error = check_copy(a, &r);
	if (error || !r.size)
		return error;
	if (is_onto_itself(&r))
		return copy_onto_itself(r.in, r.size);
	if (r.out->kind == KIND_PIPE && open_is_internal(r.out) && !r.out->out->reader)
		return open_write_pipe(r.out, &(struct vector){.one = {copied, 1}, .n = 1, .size = 1});
	uint64_t size = room_of(r.out, r.size), done = 0;
	if (!size)
		return -EAGAIN;
	while (done < size) {
		uint64_t some = size - done < sizeof(copied) ? size - done : sizeof(copied);
		struct vector v = vector_of(copied, some);
		long got = open_read(r.in, &v, r.from ? *r.from : -1);
		if (got <= 0)
			return done ? (long)done : got;
		v = vector_of(copied, (uint64_t)got);
		long put = open_write(r.out, &v, r.to ? *r.to : -1, (uint64_t)got);
		transfer_note_output(r.out, &v, put);
		if (put <= 0) {
			if (is_file(r.in) && !r.from)
				r.in->offset -= (uint64_t)got;
			return done ? (long)done : put;
		}
		if (r.from)
			*r.from += put;
		if (r.to)
			*r.to += put;
		done += (uint64_t)put;
		if (!is_file(r.in) && r.in->kind != KIND_PIPE)
			break;
	}
	return (long)done;
}
