/* Reading and writing, whatever it is from or to. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"

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

static long read_stream(struct open *o, const struct vector *v, bool peek)
{
	struct arrival *a = arrivals_here(o->stream);
	uint32_t size;

	if (!a) /* a file, a terminal: there is no more. A peer: it may still send. */
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

	if (o->name)
		return -EISDIR;
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
	struct taken t = channel_take(o->in, pieces(v), v->n, false);
	if (t.was_full && t.emptied)
		open_wake(o->in->writer, false, true);
	return (long)t.bytes;
}

/* Of a socket whose other end is not here, or that has none. */
static long not_connected(const struct open *o)
{
	if (o->domain == AF_UNIX && o->type == SOCK_STREAM)
		return -EINVAL;
	if (o->domain != AF_UNIX && o->type == SOCK_STREAM && o->shut & SHUT_READ && !o->listening)
		return 0;
	return -ENOTCONN;
}

static long read_socket(struct open *o, const struct vector *v, bool peek, uint64_t *whole)
{
	if (!o->connected && o->type != SOCK_DGRAM)
		return not_connected(o);
	return is_inside(o) && o->in ? socket_take(o, pieces(v), v->n, peek, whole) : read_stream(o, v, peek);
}

static bool has_positions(const struct open *o)
{
	return o->kind == KIND_NODE || o->kind == KIND_LOWER || o->kind == KIND_DEVICE;
}

static long read_open(struct open *o, const struct vector *v, int64_t at)
{
	uint64_t whole;

	if ((o->flags & O_ACCMODE) == O_WRONLY || o->flags & O_PATH)
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
		return is_inside(o) ? read_pipe(o, v) : read_stream(o, v, false);
	case KIND_SOCKET:
		return v->size ? read_socket(o, v, false, &whole) : 0;
	case KIND_STREAM:
		return read_stream(o, v, false);
	default:
		return -EINVAL;
	}
}

/* The same buffers, without an address: what is read goes nowhere. */
static struct vector nowhere(const struct vector *v)
{
	static struct iovec iov[IOV_MAX];
	size_t n = v->n < IOV_MAX ? v->n : IOV_MAX;

	for (size_t i = 0; i < n; i++)
		iov[i] = (struct iovec){NULL, pieces(v)[i].iov_len};
	return (struct vector){.iov = iov, .n = n, .size = v->size};
}

/* The recording has read: what that leaves behind. What both ends of are here is read again. */
static void follow_read(struct open *o, const struct vector *v, int64_t at, long result)
{
	bool inside = is_inside(o) && (o->kind == KIND_PIPE || (o->kind == KIND_SOCKET && o->in));

	if (inside) {
		struct vector w = nowhere(v);
		read_open(o, &w, at);
	}
	if (result < 0)
		return;
	if (has_positions(o) && at < 0)
		o->offset += (uint64_t)result;
	if (o->kind == KIND_COUNTER && result > 0) {
		o->count = o->semaphore && o->count ? o->count - 1 : 0;
		open_wake(o, false, true);
	}
	if (!has_positions(o) && o->kind != KIND_COUNTER && o->stream)
		arrivals_take(o->stream, (uint32_t)result);
}

static void follow_receive(struct open *o, const struct vector *v, bool peek, long result)
{
	uint64_t whole;

	if (is_inside(o) && o->in) {
		struct vector w = nowhere(v);
		read_socket(o, &w, peek, &whole);
	}
	if (result >= 0 && !peek && o->stream)
		arrivals_take(o->stream, (uint32_t)result);
}

/* What is wrong with a position, or with a vector, before anything is looked at. */
static long check_place(const struct ask *a, const struct open *o, const struct vector *v, int64_t at)
{
	bool placed = a->nr == SYS_pread64 || a->nr == SYS_preadv || a->nr == SYS_pwrite64 || a->nr == SYS_pwritev;

	if (placed && at < 0)
		return -EINVAL;
	if (!o)
		return -EBADF;
	if (placed && !has_positions(o))
		return -ESPIPE;
	if (v->iov && (a->arg[2] < 0 || a->arg[2] > IOV_MAX))
		return -EINVAL;
	return 0;
}

/* A vector of nothing is answered before the file is asked. */
static bool is_nothing(const struct open *o, const struct vector *v, long not)
{
	return v->iov && !v->size && (o->flags & O_ACCMODE) != not && !(o->flags & O_PATH) && o->kind != KIND_WATCHER;
}

long answer_read(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	int64_t at;
	struct vector v = buffers(a, &at);
	long error = check_place(a, o, &v, at);

	if (error || is_nothing(o, &v, O_WRONLY))
		return error;
	if (!a->entry)
		return read_open(o, &v, at);
	follow_read(o, &v, at, a->entry->result);
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

	if (o->kind == KIND_NODE || o->kind == KIND_LOWER) {
		open_stat(o, &st);
		return st.st_size - (int64_t)o->offset;
	}
	if (is_inside(o))
		return available_inside(o);
	a = arrivals_here(o->stream);
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

	if (v->size != sizeof(value))
		return -EINVAL;
	memcpy(&value, pieces(v)[0].iov_base, sizeof(value));
	if (value == UINT64_MAX)
		return -EINVAL;
	if (value > UINT64_MAX - 1 - o->count)
		return -EAGAIN;
	o->count += value;
	open_wake(o, true, false);
	return sizeof(value);
}

static long write_pipe(struct open *o, const struct vector *v)
{
	if (!o->out)
		return -EBADF;
	if (!v->size)
		return 0;
	open_wake(o->out->reader, true, false);
	if (o->out->reader)
		return channel_put(o->out, pieces(v), v->n, o->flags & O_DIRECT);
	model.broken_pipe = true;
	return -EPIPE;
}

static long write_socket(struct open *o, const struct vector *v, bool quiet)
{
	bool inet = o->domain != AF_UNIX;

	if (!o->connected && o->type == SOCK_STREAM && inet) {
		model.broken_pipe |= !quiet;
		return -EPIPE;
	}
	if (!o->connected)
		return inet ? -EDESTADDRREQ : -ENOTCONN;
	if (is_inside(o))
		return socket_put(o, pieces(v), v->n, quiet);
	if (o->shut & SHUT_WRITE) {
		model.broken_pipe |= !quiet;
		return -EPIPE;
	}
	if (o->stream)
		arrivals_sent(o->stream, v->size);
	return (long)v->size;
}

static long write_open(struct open *o, const struct vector *v, int64_t at, uint64_t most)
{
	if ((o->flags & O_ACCMODE) == O_RDONLY || o->flags & O_PATH)
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
		if (is_inside(o))
			return write_pipe(o, v);
		break;
	case KIND_SOCKET:
		return write_socket(o, v, false);
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

/* The recording has written. Standard output was shown already. */
static void follow_write(struct open *o, const struct vector *v, int64_t at, long result)
{
	if (o->kind == KIND_PIPE || o->kind == KIND_SOCKET) {
		uint64_t sent = o->stream ? o->stream->sent : 0;
		if (is_inside(o))
			write_open(o, v, at, v->size);
		if (o->stream)
			o->stream->sent = sent;
	}
	if (result < 0)
		return;
	if (o->stream)
		arrivals_sent(o->stream, (uint64_t)result);
	if (o->kind == KIND_NODE)
		write_node(o, v, at, (uint64_t)result);
	else if (o->kind == KIND_COUNTER)
		write_counter(o, v);
}

/* A child reads it, and nobody here. */
static bool goes_to_child(const struct open *o) { return o->exposed && o->out && !o->out->reader; }

/* So much of it was written: to the outside, perhaps. */
static void note_given(struct open *o, const struct vector *v, long bytes)
{
	bool packet = o->kind == KIND_SOCKET && o->type != SOCK_STREAM;

	if (!o->outside && (o->kind == KIND_PIPE || o->kind == KIND_SOCKET) && bytes > 0 && goes_to_child(o))
		o->outside = given_new(GIVEN_SENT, o->kind == KIND_PIPE ? "pipe to a child" : "socket to a child");
	given_put(o->outside, pieces(v), v->n, bytes, packet);
}

long answer_write(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	int64_t at;
	struct vector v = buffers(a, &at);
	long error = check_place(a, o, &v, at);

	if (error || is_nothing(o, &v, O_RDONLY))
		return error;
	long r = a->entry ? a->entry->result : write_open(o, &v, at, v.size);
	if (a->entry)
		follow_write(o, &v, at, r);
	note_given(o, &v, r);
	return r;
}

/* ---- messages ---- */

/* Of a stream that is connected nobody asks where it comes from; a datagram has its sender's address. */
static void sender(const struct open *o, void *address, uint32_t *size)
{
	if (!address || !size)
		return;
	uint32_t known = o->domain == AF_UNIX || o->type == SOCK_DGRAM ? o->peer_size : 0;
	memcpy(address, o->peer, known < *size ? known : *size);
	*size = known;
}

long answer_receive(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	struct msghdr *m = a->nr == SYS_recvmsg ? (void *)a->arg[1] : NULL;
	struct vector v =
	        m ? vector_from(m->msg_iov, m->msg_iovlen) : vector_of((void *)a->arg[1], (uint64_t)a->arg[2]);
	long flags = m ? a->arg[2] : a->arg[3];
	uint64_t whole = 0;

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (a->entry) {
		model.lost |= m && a->entry->result >= 0 && m->msg_controllen;
		follow_receive(o, &v, flags & MSG_PEEK, a->entry->result);
		return 0;
	}
	if (flags & (MSG_OOB | MSG_ERRQUEUE))
		return flags & MSG_OOB ? -EINVAL : -EAGAIN;
	long r = read_socket(o, &v, flags & MSG_PEEK, &whole);
	if (r < 0)
		return r;
	if (m) {
		sender(o, m->msg_name, &m->msg_namelen);
		m->msg_controllen = 0;
		m->msg_flags = whole > (uint64_t)r ? MSG_TRUNC : 0;
	} else {
		sender(o, (void *)a->arg[4], (uint32_t *)a->arg[5]);
	}
	return flags & MSG_TRUNC && whole > (uint64_t)r && o->type != SOCK_STREAM ? (long)whole : r;
}

/* To one of the program's own sockets, by its address; everything else that is sent has gone nowhere. */
static struct open *addressee(struct open *o, const void *address, uint32_t size)
{
	long error;
	struct open *to = address && o->type == SOCK_DGRAM ? socket_at(SOCK_DGRAM, address, size, false, &error) : NULL;

	if (to && !to->in) {
		to->in = channel_new(CHANNEL_PACKETS);
		to->in->reader = to;
	}
	return to;
}

static long send_to(struct open *o, struct open *to, const struct vector *v)
{
	if (to->shut & SHUT_READ)
		return -EPIPE;
	memcpy(to->peer, o->local, sizeof(to->peer));
	to->peer_size = o->local_size;
	open_wake(to, true, false);
	return channel_put(to->in, pieces(v), v->n, true);
}

struct message {
	const struct msghdr *header; /* or NULL */
	const void *to;
	uint32_t to_size;
	long flags;
	struct vector v;
};

static struct message message_of(const struct ask *a)
{
	const struct msghdr *m = a->nr == SYS_sendmsg ? (const void *)a->arg[1] : NULL;

	if (m)
		return (struct message){m, m->msg_name, m->msg_namelen, a->arg[2],
		                        vector_from(m->msg_iov, m->msg_iovlen)};
	return (struct message){NULL, (void *)a->arg[4], (uint32_t)a->arg[5], a->arg[3],
	                        vector_of((void *)a->arg[1], (uint64_t)a->arg[2])};
}

static long send_message(const struct ask *a, struct open *o, const struct message *m)
{
	struct open *to = addressee(o, m->to, m->to_size);

	if (to && (!a->entry || a->entry->result >= 0))
		return send_to(o, to, &m->v);
	if (a->entry) {
		follow_write(o, &m->v, -1, a->entry->result);
		return 0;
	}
	if (m->header && m->header->msg_controllen)
		model_unknown("it sends descriptors or credentials");
	if (o->type == SOCK_DGRAM && !o->connected && m->to)
		return (long)m->v.size; /* to somebody outside */
	return write_socket(o, &m->v, m->flags & MSG_NOSIGNAL);
}

long answer_send(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	struct message m = message_of(a);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	long r = send_message(a, o, &m), given = a->entry ? a->entry->result : r;
	if (m.to && o->type == SOCK_DGRAM)
		given_put(given_to(m.to, m.to_size), pieces(&m.v), m.v.n, given, true);
	else
		note_given(o, &m.v, given);
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
		return (struct route){descriptor(arg[1]), descriptor(arg[0]), (int64_t *)arg[2], NULL,
		                      (uint64_t)arg[3]};
	return (struct route){descriptor(arg[0]), descriptor(arg[2]), (int64_t *)arg[1], (int64_t *)arg[3],
	                      (uint64_t)arg[4]};
}

static uint8_t copied[65536];

static bool is_file(const struct open *o) { return o->kind == KIND_NODE || o->kind == KIND_LOWER; }

/* Its bytes are known: a file's, or what the program has sent itself. */
static bool is_known(const struct open *o) { return is_file(o) || is_inside(o); }

/* sendfile from where a file goes on to where the same one goes on: it moves along, and nothing changes. */
static bool is_onto_itself(const struct route *r) { return is_file(r->in) && r->in == r->out && !r->from && !r->to; }

/* The recording has copied `size` bytes, and moved the positions already. */
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
			long got = read_open(r->in, &v, from < 0 ? -1 : from + (int64_t)done);
			if (got <= 0)
				return;
			n = (uint64_t)got;
			v = vector_of(copied, n);
		} else {
			follow_read(r->in, &v, from, (long)n);
			given_loses(r->out->outside);
		}
		follow_write(r->out, &v, to < 0 ? -1 : to + (int64_t)done, (long)n);
		note_given(r->out, &v, (long)n);
		done += n;
	}
}

static bool reads(const struct open *o) { return (o->flags & O_ACCMODE) != O_WRONLY && !(o->flags & O_PATH); }
static bool writes(const struct open *o) { return (o->flags & O_ACCMODE) != O_RDONLY && !(o->flags & O_PATH); }

static bool is_directory(const struct open *o) { return is_file(o) && o->name; }

/* As far as there is something to copy. */
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
	if (!reads(r->in) || !writes(r->out) || r->out->flags & O_APPEND)
		return -EBADF;
	struct stat in, out;
	open_stat(r->in, &in);
	open_stat(r->out, &out);
	if (in.st_dev != out.st_dev)
		return -EXDEV;
	return overlaps(r, size) ? -EINVAL : 0;
}

/* Nothing can be moved from there or to there. */
static bool counts(const struct open *o) { return o->kind == KIND_COUNTER || o->kind == KIND_WATCHER; }

static long check_splice(const struct route *r)
{
	bool in = r->in->kind == KIND_PIPE, out = r->out->kind == KIND_PIPE;

	if ((in && r->from) || (out && r->to))
		return -ESPIPE;
	if (!reads(r->in) || !writes(r->out))
		return -EBADF;
	if (!in && !out)
		return -EINVAL;
	if (in && out && (r->in->in ? r->in->in : r->in->out) == (r->out->in ? r->out->in : r->out->out))
		return -EINVAL;
	if ((!in && r->from && !is_file(r->in)) || (!out && r->to && !is_file(r->out)))
		return -EINVAL;
	if (is_file(r->out) && r->out->flags & O_APPEND)
		return -EINVAL;
	if (counts(r->in) || counts(r->out))
		return -EINVAL;
	return is_directory(r->in) || is_directory(r->out) ? -EINVAL : 0;
}

static long check_sendfile(const struct route *r)
{
	if (!r->in || !reads(r->in))
		return -EBADF;
	if (r->from && !is_file(r->in))
		return -ESPIPE;
	if (r->from && *r->from < 0)
		return -EINVAL;
	if (!r->out || !writes(r->out))
		return -EBADF;
	if (!has_positions(r->in) || (is_file(r->out) && r->out->flags & O_APPEND))
		return -EINVAL;
	return is_directory(r->in) || is_directory(r->out) ? -EINVAL : 0;
}

static long check_route(const struct ask *a, const struct route *r)
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

/* How much can be written at once: what was read is not put back. */
static uint64_t room_of(const struct open *o, uint64_t size)
{
	const struct channel *c = is_inside(o) ? o->out : NULL;
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

long answer_copy(const struct ask *a)
{
	struct route r = route_of(a);

	if ((!r.in || !r.out) && a->nr != SYS_sendfile)
		return -EBADF;
	if (a->entry) {
		follow_copy(&r, (uint64_t)a->entry->result);
		return 0;
	}
	long error = check_route(a, &r);
	if (error || !r.size)
		return error;
	if (is_onto_itself(&r))
		return copy_onto_itself(r.in, r.size);
	if (r.out->kind == KIND_PIPE && is_inside(r.out) && !r.out->out->reader)
		return write_pipe(r.out, &(struct vector){.one = {copied, 1}, .n = 1, .size = 1});
	uint64_t size = room_of(r.out, r.size), done = 0;
	if (!size)
		return -EAGAIN;
	while (done < size) {
		uint64_t some = size - done < sizeof(copied) ? size - done : sizeof(copied);
		struct vector v = vector_of(copied, some);
		long got = read_open(r.in, &v, r.from ? *r.from : -1);
		if (got <= 0)
			return done ? (long)done : got;
		v = vector_of(copied, (uint64_t)got);
		long put = write_open(r.out, &v, r.to ? *r.to : -1, (uint64_t)got);
		note_given(r.out, &v, put);
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
