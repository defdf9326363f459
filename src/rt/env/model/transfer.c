/* Reading and writing, whatever it is from or to. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>

#include "rt/arch/x86_64/raw.h"
#include "rt/env/model/parts.h"

struct vector {
	struct iovec one;
	const struct iovec *iov;
	size_t n;
	uint64_t size;
};

static struct vector vector_of(void *base, uint64_t size)
{
	return (struct vector){.one = {base, size}, .n = 1, .size = size};
}

static const struct iovec *pieces(const struct vector *v) { return v->iov ? v->iov : &v->one; }

static struct vector vector_from(const struct iovec *iov, size_t n)
{
	struct vector v = {.iov = iov, .n = n};

	for (size_t i = 0; i < n; i++)
		v.size += iov[i].iov_len;
	return v;
}

/* The buffers of a call that reads or writes, and where in the file: -1 where it goes on. */
static struct vector buffers(const struct ask *a, int64_t *at)
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
		uint64_t piece = pieces(v)[i].iov_len < n ? pieces(v)[i].iov_len : n;
		memcpy(pieces(v)[i].iov_base, from, piece);
		from += piece;
		n -= piece;
	}
}

/* ---- reading ---- */

static bool is_exposed(const struct open *o) { return o->exposed || (!o->in && !o->out); }

static long read_stream(struct open *o, const struct vector *v, bool peek)
{
	struct arrival *a = arrivals_here(o->stream);
	uint32_t size;

	if (!a) /* a file, a terminal: there is no more. A peer: it may still send. */
		return o->kind == KIND_STREAM || o->ended ? 0 : -EAGAIN;
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
		uint64_t left = size - from - done, piece = pieces(v)[i].iov_len < left ? pieces(v)[i].iov_len : left;
		node_read(o->node, from + done, pieces(v)[i].iov_base, piece);
		done += piece;
	}
	if (at < 0)
		o->offset += done;
	return (long)done;
}

static long read_lower(struct open *o, const struct vector *v, int64_t at)
{
	int64_t from = at >= 0 ? at : (int64_t)o->offset;
	long n = raw5(SYS_preadv, o->real, pieces(v), v->n, from, from >> 31 >> 1);

	if (n > 0 && at < 0)
		o->offset += (uint64_t)n;
	return n;
}

static long read_counter(struct open *o, const struct vector *v)
{
	uint64_t value = o->semaphore ? 1 : o->count;

	if (v->size < sizeof(value))
		return -EINVAL;
	if (!o->count)
		return -EAGAIN;
	o->count -= value;
	scatter(v, (const uint8_t *)&value, sizeof(value));
	return sizeof(value);
}

static long read_open(struct open *o, const struct vector *v, int64_t at, bool peek)
{
	if ((o->flags & O_ACCMODE) == O_WRONLY)
		return -EBADF;
	switch (o->kind) {
	case KIND_NODE:
		return read_node(o, v, at);
	case KIND_LOWER:
		return read_lower(o, v, at);
	case KIND_DEVICE:
		return raw3(SYS_readv, o->real, pieces(v), v->n);
	case KIND_COUNTER:
		return read_counter(o, v);
	case KIND_PIPE:
	case KIND_SOCKET:
		if (!is_exposed(o))
			return o->in ? channel_take(o->in, pieces(v), v->n, peek) : -EBADF;
		return read_stream(o, v, peek);
	case KIND_STREAM:
		return read_stream(o, v, peek);
	default:
		return -EINVAL;
	}
}

/* The recording has read: what that leaves behind. */
static void follow_read(struct open *o, int64_t at, long result)
{
	switch (o->kind) {
	case KIND_NODE:
	case KIND_LOWER:
		if (at < 0)
			o->offset += (uint64_t)result;
		break;
	case KIND_COUNTER:
		o->count = o->semaphore && o->count ? o->count - 1 : 0;
		break;
	default:
		if (o->in)
			channel_drop(o->in, (uint32_t)result + (o->in->packets ? 4 : 0));
		if (o->stream)
			arrivals_take(o->stream, (uint32_t)result);
	}
}

long answer_read(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	int64_t at;
	struct vector v = buffers(a, &at);

	if (!o)
		return -EBADF;
	if (!a->entry)
		return read_open(o, &v, at, false);
	follow_read(o, at, a->entry->result);
	return 0;
}

uint64_t open_available(struct open *o)
{
	struct arrival *a = arrivals_here(o->stream);
	uint32_t size = 0;

	if (o->kind == KIND_NODE)
		return (uint64_t)o->node->st.st_size > o->offset ? (uint64_t)o->node->st.st_size - o->offset : 0;
	if (o->in && !is_exposed(o))
		return o->in->used;
	if (a && a->kind == ARRIVAL_BYTES)
		arrival_bytes(a, &size);
	return size;
}

/* ---- writing ---- */

static long write_node(struct open *o, const struct vector *v, int64_t at, uint64_t most)
{
	uint64_t to = o->flags & O_APPEND ? (uint64_t)o->node->st.st_size : at >= 0 ? (uint64_t)at : o->offset;
	uint64_t done = 0;

	for (size_t i = 0; i < v->n && done < most; i++) {
		uint64_t piece = pieces(v)[i].iov_len < most - done ? pieces(v)[i].iov_len : most - done;
		node_write(o->node, to + done, pieces(v)[i].iov_base, piece);
		done += piece;
	}
	if (at < 0)
		o->offset = to + done;
	return (long)done;
}

static long write_counter(struct open *o, const struct vector *v)
{
	uint64_t value;

	if (v->size < sizeof(value))
		return -EINVAL;
	memcpy(&value, pieces(v)[0].iov_base, sizeof(value));
	if (value == UINT64_MAX)
		return -EINVAL;
	if (value > UINT64_MAX - 1 - o->count)
		return -EAGAIN;
	o->count += value;
	o->count_changes++;
	return sizeof(value);
}

static long write_channel(struct open *o, const struct vector *v)
{
	long r = channel_put(o->out, pieces(v), v->n, false);

	model.broken_pipe |= r == -EPIPE;
	return r;
}

static long write_open(struct open *o, const struct vector *v, int64_t at, uint64_t most)
{
	if ((o->flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	switch (o->kind) {
	case KIND_NODE:
		return write_node(o, v, at, most);
	case KIND_OUTPUT:
	case KIND_DEVICE:
		return raw3(SYS_writev, o->real, pieces(v), v->n);
	case KIND_COUNTER:
		return write_counter(o, v);
	case KIND_PIPE:
	case KIND_SOCKET:
		if (!is_exposed(o))
			return o->out ? write_channel(o, v) : -EBADF;
		if (o->kind == KIND_SOCKET && o->type == SOCK_STREAM && !o->connected)
			return -ENOTCONN;
		/* fallthrough: it goes nowhere */
	case KIND_STREAM:
		if (o->stream)
			o->stream->sent += v->size;
		return (long)v->size;
	default:
		return -EBADF;
	}
}

/* The recording has written. Standard output was shown already. */
static void follow_write(struct open *o, const struct vector *v, int64_t at, long result)
{
	if (o->stream)
		o->stream->sent += (uint64_t)result;
	if (o->kind == KIND_NODE)
		write_node(o, v, at, (uint64_t)result);
	else if (o->kind == KIND_COUNTER)
		write_counter(o, v);
	else if (o->out && o->out->readers)
		channel_put(o->out, pieces(v), v->n, false);
}

long answer_write(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	int64_t at;
	struct vector v = buffers(a, &at);

	if (!o)
		return -EBADF;
	if (!a->entry)
		return write_open(o, &v, at, v.size);
	follow_write(o, &v, at, a->entry->result);
	return 0;
}

/* ---- messages ---- */

static void sender(const struct open *o, void *address, uint32_t *size)
{
	if (!address || !size)
		return;
	uint32_t n = o->peer_size < *size ? o->peer_size : *size;
	memcpy(address, o->peer, n);
	*size = o->peer_size;
}

long answer_receive(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	struct msghdr *m = a->nr == SYS_recvmsg ? (void *)a->arg[1] : NULL;
	struct vector v = m ? vector_from(m->msg_iov, m->msg_iovlen)
	                    : vector_of((void *)a->arg[1], (uint64_t)a->arg[2]);
	bool peek = (m ? a->arg[2] : a->arg[3]) & MSG_PEEK;

	if (!o)
		return -EBADF;
	if (a->entry) {
		model.lost |= m && m->msg_controllen;
		if (!peek)
			follow_read(o, -1, a->entry->result);
		return 0;
	}
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	long r = read_open(o, &v, -1, peek);
	if (r >= 0 && m) {
		sender(o, m->msg_name, &m->msg_namelen);
		m->msg_controllen = 0;
		m->msg_flags = 0;
	} else if (r >= 0) {
		sender(o, (void *)a->arg[4], (uint32_t *)a->arg[5]);
	}
	return r;
}

/* To one of the program's own sockets, by its address; everything else that is sent has gone nowhere. */
static struct open *addressee(struct open *o, const void *address, uint32_t size)
{
	struct open *to = address && o->type == SOCK_DGRAM ? socket_at(SOCK_DGRAM, address, size, false) : NULL;

	if (to && !to->in) {
		to->in = channel_new(1u << 18, true);
		to->in->readers = to->in->writers = 1;
	}
	return to;
}

long answer_send(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]), *to;
	const struct msghdr *m = a->nr == SYS_sendmsg ? (const void *)a->arg[1] : NULL;
	struct vector v = m ? vector_from(m->msg_iov, m->msg_iovlen)
	                    : vector_of((void *)a->arg[1], (uint64_t)a->arg[2]);
	long flags = m ? a->arg[2] : a->arg[3];

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	to = m ? addressee(o, m->msg_name, m->msg_namelen) : addressee(o, (void *)a->arg[4], (uint32_t)a->arg[5]);
	if (to) {
		memcpy(to->peer, o->local, sizeof(to->peer));
		to->peer_size = o->local_size;
		return channel_put(to->in, pieces(&v), v.n, true);
	}
	if (a->entry) {
		follow_write(o, &v, -1, a->entry->result);
		return 0;
	}
	long r = write_open(o, &v, -1, v.size);
	if (r == -EPIPE && (flags & MSG_NOSIGNAL))
		model.broken_pipe = false;
	return r;
}

/* ---- from one to another: sendfile, splice, copy_file_range ---- */

struct route {
	struct open *in, *out;
	int64_t *from, *to; /* NULL: where it goes on */
	uint64_t size;
};

static struct route route_of(const struct ask *a)
{
	const long *arg = a->arg;

	if (a->nr == SYS_sendfile)
		return (struct route){descriptor(arg[1]), descriptor(arg[0]), (int64_t *)arg[2], NULL, (uint64_t)arg[3]};
	return (struct route){descriptor(arg[0]), descriptor(arg[2]), (int64_t *)arg[1], (int64_t *)arg[3],
	                      (uint64_t)arg[4]};
}

static uint8_t copied[65536];

/* The recording has copied `size` bytes, and moved the positions already. */
static void follow_copy(const struct route *r, uint64_t size)
{
	int64_t from = r->from ? *r->from - (int64_t)size : -1, to = r->to ? *r->to - (int64_t)size : -1;

	for (uint64_t done = 0; done < size;) {
		uint64_t n = size - done < sizeof(copied) ? size - done : sizeof(copied);
		struct vector v = vector_of(copied, n);
		bool readable = r->in->kind == KIND_NODE || r->in->kind == KIND_LOWER || !is_exposed(r->in);
		if (!readable)
			follow_read(r->in, from, (long)n);
		else if (read_open(r->in, &v, from < 0 ? -1 : from + (int64_t)done, false) != (long)n)
			return;
		follow_write(r->out, &v, to < 0 ? -1 : to + (int64_t)done, (long)n);
		done += n;
	}
}

long answer_copy(const struct ask *a)
{
	struct route r = route_of(a);
	uint64_t size = r.size < sizeof(copied) ? r.size : sizeof(copied);

	if (!r.in || !r.out)
		return -EBADF;
	if (a->entry) {
		follow_copy(&r, (uint64_t)a->entry->result);
		return 0;
	}
	if (r.out->out && !is_exposed(r.out) && r.out->out->room - r.out->out->used < size)
		return -EAGAIN;
	struct vector v = vector_of(copied, size);
	long got = read_open(r.in, &v, r.from ? *r.from : -1, false);
	if (got <= 0)
		return got;
	v = vector_of(copied, (uint64_t)got);
	long put = write_open(r.out, &v, r.to ? *r.to : -1, (uint64_t)got);
	if (put > 0 && r.from)
		*r.from += put;
	if (put > 0 && r.to)
		*r.to += put;
	return put;
}
