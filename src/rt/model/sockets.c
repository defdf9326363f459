/*
 * Sending and receiving between sockets of the program, and options.  What the program sends to itself goes through
 * channels; a peer outside is a stream, and what is sent to it goes nowhere.
 */
#include "rt/model/sockets.h"

#include <errno.h>
#include <string.h>

#include "rt/model/parts.h"

bool open_is_internal(const struct open *o) { return !o->exposed && (o->in || o->out); }

void open_wake(struct open *o, bool in, bool out)
{
	if (!o)
		return;
	o->news_in += in;
	o->news_out += out;
}

/* ---- sending and receiving, where both ends are here ---- */

static long broken_pipe(bool quiet)
{
	model.broken_pipe |= !quiet;
	return -EPIPE;
}

static long may_put_inet(struct open *o, bool quiet)
{
	if (o->over || o->shut & SHUT_WRITE) {
		long error = socket_take_error(o);
		return error && error != -EPIPE ? error : broken_pipe(quiet);
	}
	return 0;
}

static long may_put_local(struct open *o, bool quiet)
{
	const struct open *to = o->out->reader;
	long error = o->type == SOCK_STREAM ? 0 : socket_take_error(o);

	quiet |= o->type != SOCK_STREAM;
	if (error)
		return error;
	if (o->shut & SHUT_WRITE)
		return broken_pipe(quiet);
	if (!to && o->type == SOCK_DGRAM) { /* from now on it is connected to nobody */
		o->connected = false;
		channel_purge(o->in);
		open_wake(o, false, true);
		return -ECONNREFUSED;
	}
	return to && to->shut & SHUT_READ ? broken_pipe(quiet) : 0;
}

long socket_put(struct open *o, const struct iovec *iov, size_t n, bool quiet)
{
	uint64_t size = 0;

	if (o->type != SOCK_STREAM && !o->connected)
		return -ENOTCONN;
	long r = socket_is_inet(o) ? may_put_inet(o, quiet) : may_put_local(o, quiet);
	if (r)
		return r;
	for (size_t i = 0; i < n; i++)
		size += iov[i].iov_len;
	if (!size && o->type == SOCK_STREAM)
		return 0;
	if (!o->out->reader) { /* TCP: the other end is gone; the next call hears of it */
		socket_reset(o);
		return (long)size;
	}
	if (socket_is_inet(o) && o->finished &&
	    o->out->reader->shut & SHUT_READ) { /* the other end neither reads nor writes any more */
		socket_reset(o->out->reader);
		socket_reset(o);
		return (long)size;
	}
	r = channel_put(o->out, iov, n, false);
	if (r >= 0)
		open_wake(o->out->reader, true, false);
	return r;
}

static long read_nothing(struct open *o)
{
	if (socket_is_inet(o) && o->finished)
		return 0;
	if (o->error)
		return socket_take_error(o);
	if (o->shut & SHUT_READ && (o->type != SOCK_DGRAM || !(o->flags & O_NONBLOCK)))
		return 0;
	return -EAGAIN;
}

long socket_take(struct open *o, const struct iovec *iov, size_t n, bool peek, uint64_t *whole)
{
	if (o->error && o->type != SOCK_STREAM)
		return socket_take_error(o);
	if (!o->in->count)
		return read_nothing(o);
	struct taken t = channel_take(o->in, iov, n, peek);
	*whole = t.whole;
	if (t.emptied && !socket_is_inet(o))
		open_wake(o->in->writer, false, true);
	return (long)t.bytes;
}

/* ---- options ---- */

long answer_getsockopt(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint32_t *size = (uint32_t *)a->arg[4];
	int value = 0;
	const void *from = &value;
	uint32_t n = sizeof(value);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (a->entry) {
		if (a->arg[1] != SOL_SOCKET || a->arg[2] != SO_ERROR)
			return 0;
		o->error = 0;
		o->connected &= open_is_internal(o) || !*(const int *)a->arg[3];
		return 0;
	}
	if (a->arg[1] == SOL_SOCKET)
		switch (a->arg[2]) {
		case SO_RCVTIMEO:
			from = &o->receive_limit;
			n = sizeof(o->receive_limit);
			break;
		case SO_SNDTIMEO:
			from = &o->send_limit;
			n = sizeof(o->send_limit);
			break;
		case SO_TYPE:
			value = o->type;
			break;
		case SO_DOMAIN:
			value = o->domain;
			break;
		case SO_ERROR:
			value = o->error;
			o->error = 0;
			break;
		case SO_ACCEPTCONN:
			value = o->listening;
			break;
		case SO_RCVBUF:
		case SO_SNDBUF:
			value = 212992;
			break;
		default:
			break;
		}
	n = *size < n ? *size : n;
	memcpy((void *)a->arg[3], from, n);
	*size = n;
	return 0;
}

long answer_setsockopt(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	bool limit = a->arg[1] == SOL_SOCKET && (a->arg[2] == SO_RCVTIMEO || a->arg[2] == SO_SNDTIMEO);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (limit && (uint64_t)a->arg[4] >= sizeof(struct timeval))
		memcpy(a->arg[2] == SO_RCVTIMEO ? &o->receive_limit : &o->send_limit, (const void *)a->arg[3],
		       sizeof(struct timeval));
	return 0;
}
