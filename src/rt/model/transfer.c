/* Reading and writing, whatever it is from or to. */
#include "rt/model/transfer.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"

/* ---- buffers ---- */

struct vector vector_of(void *base, uint64_t size)
{
	return (struct vector){.one = {base, size}, .n = 1, .size = size};
}

const struct iovec *vector_iov(const struct vector *v) { return v->iov ? v->iov : &v->one; }

struct vector vector_from(const struct iovec *iov, size_t n)
{
	struct vector v = {.iov = iov, .n = n};

	for (size_t i = 0; i < n; i++)
		v.size += iov[i].iov_len;
	return v;
}

/* The buffers of a call that reads or writes.  *at: the position in the file, or -1 for that of the open file. */
static struct vector buffers_of(const struct request *a, int64_t *at)
{
	bool vectored = a->nr == SYS_readv || a->nr == SYS_preadv || a->nr == SYS_writev || a->nr == SYS_pwritev;
	bool placed = a->nr == SYS_pread64 || a->nr == SYS_preadv || a->nr == SYS_pwrite64 || a->nr == SYS_pwritev;

	*at = placed ? a->arg[3] : -1;
	return vectored ? vector_from((const void *)a->arg[1], (size_t)a->arg[2])
	                : vector_of((void *)a->arg[1], (uint64_t)a->arg[2]);
}

static void scatter(const struct vector *v, const uint8_t *from, uint64_t n)
{
	for (size_t i = 0; i < v->n && n; i++) {
		uint64_t piece = vector_iov(v)[i].iov_len < n ? vector_iov(v)[i].iov_len : n;
		memcpy(vector_iov(v)[i].iov_base, from, piece);
		from += piece;
		n -= piece;
	}
}

/* ---- reading ---- */

static long read_stream(struct open *o, const struct vector *v, bool peek)
{
	struct arrival *a = arrivals_ready(o->stream);
	uint32_t size;

	if (!a) /* a file or terminal has no more; a peer may still send */
		return o->kind == KIND_STREAM || o->shut & SHUT_READ ? 0 : -EAGAIN;
	if (a->kind == ARRIVAL_END)
		return a->entry->result;
	const uint8_t *bytes = arrival_bytes(a, &size);
	bool whole = o->kind == KIND_SOCKET && (o->type == SOCK_DGRAM || o->type == SOCK_SEQPACKET);
	uint64_t n = v->size < size ? v->size : size;
	scatter(v, bytes, n);
	if (!peek)
		arrivals_take(o->stream, whole ? size : (uint32_t)n);
	return (long)n;
}

static long read_node(struct open *o, const struct vector *v, int64_t at)
{
	uint64_t from = at >= 0 ? (uint64_t)at : o->offset, size = (uint64_t)o->node->st.st_size, done = 0;

	if (S_ISDIR(o->node->st.st_mode))
		return -EISDIR;
	for (size_t i = 0; i < v->n && from + done < size; i++) {
		uint64_t left = size - from - done,
		         piece = vector_iov(v)[i].iov_len < left ? vector_iov(v)[i].iov_len : left;
		node_read(o->node, from + done, vector_iov(v)[i].iov_base, piece);
		done += piece;
	}
	if (at < 0)
		o->offset += done;
	return (long)done;
}

static long read_real_file(struct open *o, const struct vector *v, int64_t at)
{
	int64_t from = at >= 0 ? at : (int64_t)o->offset;

	if (o->name)
		return -EISDIR;
	long n = raw5(SYS_preadv, o->real, vector_iov(v), v->n, from, from >> 31 >> 1);

	if (n > 0 && at < 0)
		o->offset += (uint64_t)n;
	return n;
}

static long read_eventfd(struct open *o, const struct vector *v)
{
	uint64_t value = o->semaphore ? 1 : o->count;

	if (v->size < sizeof(value))
		return -EINVAL;
	if (!o->count)
		return -EAGAIN;
	o->count -= value;
	open_wake(o, false, true);
	scatter(v, (const uint8_t *)&value, sizeof(value));
	return sizeof(value);
}

static long read_pipe(struct open *o, const struct vector *v)
{
	if (!o->in)
		return -EBADF;
	if (!v->size)
		return 0;
	if (!o->in->count)
		return o->in->writer ? -EAGAIN : 0;
	struct taken t = channel_take(o->in, vector_iov(v), v->n, false);
	if (t.was_full && t.emptied)
		open_wake(o->in->writer, false, true);
	return (long)t.bytes;
}

/* The answer of a socket without another end. */
static long not_connected(const struct open *o)
{
	if (o->domain == AF_UNIX && o->type == SOCK_STREAM)
		return -EINVAL;
	if (o->domain != AF_UNIX && o->type == SOCK_STREAM && o->shut & SHUT_READ && !o->listening)
		return 0;
	return -ENOTCONN;
}

long open_read_socket(struct open *o, const struct vector *v, bool peek, uint64_t *whole)
{
	if (!o->connected && o->type != SOCK_DGRAM)
		return not_connected(o);
	return open_is_internal(o) && o->in ? socket_take(o, vector_iov(v), v->n, peek, whole)
	                                    : read_stream(o, v, peek);
}

bool open_has_positions(const struct open *o)
{
	return o->kind == KIND_NODE || o->kind == KIND_REAL_FILE || o->kind == KIND_DEVICE;
}

long open_read(struct open *o, const struct vector *v, int64_t at)
{
	uint64_t whole;

	if ((o->flags & O_ACCMODE) == O_WRONLY || o->flags & O_PATH)
		return -EBADF;
	switch (o->kind) {
	case KIND_NODE:
		return read_node(o, v, at);
	case KIND_REAL_FILE:
		return read_real_file(o, v, at);
	case KIND_DEVICE:
		return raw3(SYS_readv, o->real, vector_iov(v), v->n);
	case KIND_EVENTFD:
		return read_eventfd(o, v);
	case KIND_PIPE:
		return open_is_internal(o) ? read_pipe(o, v) : read_stream(o, v, false);
	case KIND_SOCKET:
		return v->size ? open_read_socket(o, v, false, &whole) : 0;
	case KIND_STREAM:
		return read_stream(o, v, false);
	default:
		return -EINVAL;
	}
}

/* The same buffers without addresses: what is read goes nowhere. */
static struct vector without_addresses(const struct vector *v)
{
	static struct iovec iov[IOV_MAX];
	size_t n = v->n < IOV_MAX ? v->n : IOV_MAX;

	for (size_t i = 0; i < n; i++)
		iov[i] = (struct iovec){NULL, vector_iov(v)[i].iov_len};
	return (struct vector){.iov = iov, .n = n, .size = v->size};
}

/*
 * The recording has read this: does what that does to the open file.  Where both ends are the program's, the channel
 * is read.
 */
void open_follow_read(struct open *o, const struct vector *v, int64_t at, long result)
{
	bool inside = open_is_internal(o) && (o->kind == KIND_PIPE || (o->kind == KIND_SOCKET && o->in));

	if (inside) {
		struct vector w = without_addresses(v);
		open_read(o, &w, at);
	}
	if (result < 0)
		return;
	if (open_has_positions(o) && at < 0)
		o->offset += (uint64_t)result;
	if (o->kind == KIND_EVENTFD && result > 0) {
		o->count = o->semaphore && o->count ? o->count - 1 : 0;
		open_wake(o, false, true);
	}
	if (!open_has_positions(o) && o->kind != KIND_EVENTFD && o->stream)
		arrivals_take(o->stream, (uint32_t)result);
}

void open_follow_receive(struct open *o, const struct vector *v, bool peek, long result)
{
	uint64_t whole;

	if (open_is_internal(o) && o->in) {
		struct vector w = without_addresses(v);
		open_read_socket(o, &w, peek, &whole);
	}
	if (result >= 0 && !peek && o->stream)
		arrivals_take(o->stream, (uint32_t)result);
}

/* The checks of position and vector that come before the file. */
static long check_position(const struct request *a, const struct open *o, const struct vector *v, int64_t at)
{
	bool placed = a->nr == SYS_pread64 || a->nr == SYS_preadv || a->nr == SYS_pwrite64 || a->nr == SYS_pwritev;

	if (placed && at < 0)
		return -EINVAL;
	if (!o)
		return -EBADF;
	if (placed && !open_has_positions(o))
		return -ESPIPE;
	if (v->iov && (a->arg[2] < 0 || a->arg[2] > IOV_MAX))
		return -EINVAL;
	return 0;
}

/* A vector of no bytes succeeds without asking the file. */
static bool is_nothing(const struct open *o, const struct vector *v, long not)
{
	return v->iov && !v->size && (o->flags & O_ACCMODE) != not && !(o->flags & O_PATH) && o->kind != KIND_EPOLL;
}

long answer_read(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	int64_t at;
	struct vector v = buffers_of(a, &at);
	long error = check_position(a, o, &v, at);

	if (error || is_nothing(o, &v, O_WRONLY))
		return error;
	if (!a->entry)
		return open_read(o, &v, at);
	open_follow_read(o, &v, at, a->entry->result);
	return 0;
}

static int64_t available_inside(const struct open *o)
{
	const struct channel *c = o->in || o->kind != KIND_PIPE ? o->in : o->out; /* of a pipe either end will do */
	bool first = o->kind == KIND_SOCKET && o->type == SOCK_DGRAM;

	if (!c || !c->count)
		return 0;
	return first ? c->pieces[c->first].left : c->used;
}

int64_t open_available(struct open *o)
{
	struct arrival *a;
	struct stat st;
	uint32_t size = 0;

	if (o->kind == KIND_NODE || o->kind == KIND_REAL_FILE) {
		open_stat(o, &st);
		return st.st_size - (int64_t)o->offset;
	}
	if (open_is_internal(o))
		return available_inside(o);
	a = arrivals_ready(o->stream);
	if (a && a->kind == ARRIVAL_BYTES)
		arrival_bytes(a, &size);
	return size;
}

/* ---- writing ---- */

static long write_node(struct open *o, const struct vector *v, int64_t at, uint64_t most)
{
	uint64_t to = o->flags & O_APPEND ? (uint64_t)o->node->st.st_size : at >= 0 ? (uint64_t)at : o->offset;
	uint64_t done = 0;

	if (!most)
		return 0;
	for (size_t i = 0; i < v->n && done < most; i++) {
		uint64_t piece = vector_iov(v)[i].iov_len < most - done ? vector_iov(v)[i].iov_len : most - done;
		node_write(o->node, to + done, vector_iov(v)[i].iov_base, piece);
		done += piece;
	}
	if (at < 0)
		o->offset = to + done;
	return (long)done;
}

static long write_eventfd(struct open *o, const struct vector *v)
{
	uint64_t value;

	if (v->size != sizeof(value))
		return -EINVAL;
	memcpy(&value, vector_iov(v)[0].iov_base, sizeof(value));
	if (value == UINT64_MAX)
		return -EINVAL;
	if (value > UINT64_MAX - 1 - o->count)
		return -EAGAIN;
	o->count += value;
	open_wake(o, true, false);
	return sizeof(value);
}

long open_write_pipe(struct open *o, const struct vector *v)
{
	if (!o->out)
		return -EBADF;
	if (!v->size)
		return 0;
	open_wake(o->out->reader, true, false);
	if (o->out->reader)
		return channel_put(o->out, vector_iov(v), v->n, o->flags & O_DIRECT);
	model.broken_pipe = true;
	return -EPIPE;
}

long open_write_socket(struct open *o, const struct vector *v, bool quiet)
{
	bool inet = o->domain != AF_UNIX;

	if (!o->connected && o->type == SOCK_STREAM && inet) {
		model.broken_pipe |= !quiet;
		return -EPIPE;
	}
	if (!o->connected)
		return inet ? -EDESTADDRREQ : -ENOTCONN;
	if (open_is_internal(o))
		return socket_put(o, vector_iov(v), v->n, quiet);
	if (o->shut & SHUT_WRITE) {
		model.broken_pipe |= !quiet;
		return -EPIPE;
	}
	if (o->stream)
		arrivals_sent(o->stream, v->size);
	return (long)v->size;
}

long open_write(struct open *o, const struct vector *v, int64_t at, uint64_t most)
{
	if ((o->flags & O_ACCMODE) == O_RDONLY || o->flags & O_PATH)
		return -EBADF;
	switch (o->kind) {
	case KIND_NODE:
		return write_node(o, v, at, most);
	case KIND_OUTPUT:
	case KIND_DEVICE:
		return raw3(SYS_writev, o->real, vector_iov(v), v->n);
	case KIND_EVENTFD:
		return write_eventfd(o, v);
	case KIND_PIPE:
		if (open_is_internal(o))
			return open_write_pipe(o, v);
		break;
	case KIND_SOCKET:
		return open_write_socket(o, v, false);
	case KIND_STREAM:
		break;
	default:
		return -EINVAL;
	}
	/* it goes nowhere */
	if (o->stream)
		arrivals_sent(o->stream, v->size);
	return (long)v->size;
}

/* The recording has written this.  The replay has shown standard output already. */
void open_follow_write(struct open *o, const struct vector *v, int64_t at, long result)
{
	if (o->kind == KIND_PIPE || o->kind == KIND_SOCKET) {
		uint64_t sent = o->stream ? o->stream->sent : 0;
		if (open_is_internal(o))
			open_write(o, v, at, v->size);
		if (o->stream)
			o->stream->sent = sent;
	}
	if (result < 0)
		return;
	if (o->stream)
		arrivals_sent(o->stream, (uint64_t)result);
	if (o->kind == KIND_NODE)
		write_node(o, v, at, (uint64_t)result);
	else if (o->kind == KIND_EVENTFD)
		write_eventfd(o, v);
}

/* Only a child reads it. */
static bool goes_to_child(const struct open *o) { return o->exposed && o->out && !o->out->reader; }

void transfer_note_output(struct open *o, const struct vector *v, long bytes)
{
	bool packet = o->kind == KIND_SOCKET && o->type != SOCK_STREAM;

	if (!o->outside && (o->kind == KIND_PIPE || o->kind == KIND_SOCKET) && bytes > 0 && goes_to_child(o))
		o->outside = outputs_new_stream(OUTPUT_STREAM,
		                                o->kind == KIND_PIPE ? "pipe to a child" : "socket to a child");
	outputs_put(o->outside, vector_iov(v), v->n, bytes, packet);
}

long answer_write(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	int64_t at;
	struct vector v = buffers_of(a, &at);
	long error = check_position(a, o, &v, at);

	if (error || is_nothing(o, &v, O_RDONLY))
		return error;
	long r = a->entry ? a->entry->result : open_write(o, &v, at, v.size);
	if (a->entry)
		open_follow_write(o, &v, at, r);
	transfer_note_output(o, &v, r);
	return r;
}
