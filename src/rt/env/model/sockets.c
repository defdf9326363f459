/*
 * Sockets and pipes.  What the program sends to itself goes through channels; a peer outside is a stream, and what is
 * sent to it is gone.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/un.h>

#include "rt/arena.h"
#include "rt/arch/x86_64/raw.h"
#include "rt/env/model/parts.h"

#define PIPE_ROOM   65536
#define SOCKET_ROOM (1u << 18)

static bool is_packets(int type) { return type == SOCK_DGRAM || type == SOCK_SEQPACKET; }

/* What one end writes the other reads. */
static void join(struct open *reader, struct open *writer, uint32_t room, bool packets)
{
	struct channel *c = channel_new(room, packets);

	c->readers = c->writers = 1;
	reader->in = c;
	writer->out = c;
}

/* Two at once: their numbers stand in the program's memory. */
static long place_two(const struct ask *a, struct open *one, struct open *other, int *out, bool cloexec)
{
	if (a->entry) {
		one->stream = arrivals_born();
		other->stream = arrivals_born();
		descriptor_put(out[0], one, cloexec);
		descriptor_put(out[1], other, cloexec);
		return 0;
	}
	long fd = descriptor_place(a, one, cloexec);
	if (fd < 0)
		return fd;
	out[0] = (int)fd;
	fd = descriptor_place(a, other, cloexec);
	if (fd < 0) {
		descriptor_close(out[0]);
		return fd;
	}
	out[1] = (int)fd;
	return 0;
}

long answer_pipe(const struct ask *a)
{
	long flags = a->nr == SYS_pipe2 ? a->arg[1] : 0;
	struct open *reader = open_new(KIND_PIPE, O_RDONLY | (flags & O_NONBLOCK)),
		    *writer = open_new(KIND_PIPE, O_WRONLY | (flags & O_NONBLOCK));

	join(reader, writer, PIPE_ROOM, flags & O_DIRECT);
	return place_two(a, reader, writer, (int *)a->arg[0], flags & O_CLOEXEC);
}

static struct open *socket_new(int domain, long type)
{
	struct open *o = open_new(KIND_SOCKET, O_RDWR | (type & SOCK_NONBLOCK ? O_NONBLOCK : 0));

	o->domain = domain;
	o->type = (int)type & 0xf;
	return o;
}

static void connect_two(struct open *one, struct open *other)
{
	join(one, other, SOCKET_ROOM, is_packets(one->type));
	join(other, one, SOCKET_ROOM, is_packets(one->type));
	one->connected = other->connected = true;
}

long answer_socketpair(const struct ask *a)
{
	struct open *one = socket_new((int)a->arg[0], a->arg[1]), *other = socket_new((int)a->arg[0], a->arg[1]);

	connect_two(one, other);
	return place_two(a, one, other, (int *)a->arg[3], a->arg[1] & SOCK_CLOEXEC);
}

static long place_one(const struct ask *a, struct open *o, bool cloexec)
{
	if (a->entry)
		o->stream = arrivals_born();
	return descriptor_place(a, o, cloexec);
}

long answer_socket(const struct ask *a)
{
	return place_one(a, socket_new((int)a->arg[0], a->arg[1]), a->arg[1] & SOCK_CLOEXEC);
}

long answer_counter(const struct ask *a)
{
	long flags = a->nr == SYS_eventfd2 ? a->arg[1] : 0;
	struct open *o = open_new(KIND_COUNTER, O_RDWR | (flags & EFD_NONBLOCK));

	o->count = (uint32_t)a->arg[0];
	o->semaphore = flags & EFD_SEMAPHORE;
	return place_one(a, o, flags & EFD_CLOEXEC);
}

/* Of what it tells only the recording knows. */
long answer_stream(const struct ask *a)
{
	if ((a->nr == SYS_signalfd || a->nr == SYS_signalfd4) && (int)a->arg[0] >= 0)
		return a->arg[0];
	struct open *o = open_new(KIND_SOCKET, O_RDWR | O_NONBLOCK); /* like a peer, it may always have more */
	o->type = SOCK_STREAM;
	o->connected = true;
	return place_one(a, o, false);
}

/* ---- addresses ---- */

static void set_address(uint8_t to[128], uint32_t *size, const void *from, uint32_t n)
{
	*size = n < 128 ? n : 128;
	memcpy(to, from, *size);
}

static uint16_t port_of(const void *address) { return ((const struct sockaddr_in *)address)->sin_port; }

/* Of the same machine: then the port is enough. */
bool address_is(const void *address, uint32_t size, const void *local, uint32_t local_size)
{
	const struct sockaddr *a = address, *b = local;

	if (local_size < sizeof(sa_family_t) || size < sizeof(sa_family_t))
		return false;
	if (a->sa_family == AF_UNIX)
		return b->sa_family == AF_UNIX && local_size == size && !memcmp(address, local, size);
	bool both = (a->sa_family == AF_INET || a->sa_family == AF_INET6) &&
	            (b->sa_family == AF_INET || b->sa_family == AF_INET6);
	return both && size >= 4 && local_size >= 4 && port_of(address) && port_of(address) == port_of(local);
}

struct search {
	int type;
	const void *address;
	uint32_t size;
	bool listening;
	struct open *found;
};

static void try(struct open *o, void *arg)
{
	struct search *s = arg;

	if (!s->found && o->kind == KIND_SOCKET && o->type == s->type && o->listening == s->listening &&
	    address_is(s->address, s->size, o->local, o->local_size))
		s->found = o;
}

struct open *socket_at(int type, const void *address, uint32_t size, bool listening)
{
	struct search s = {.type = type, .address = address, .size = size, .listening = listening};

	descriptors_each(try, &s);
	return s.found;
}

/* A port of the kernel's choice. */
static void choose_port(struct open *o)
{
	static uint16_t next = 40000;

	if (o->local_size >= sizeof(struct sockaddr_in) && o->domain != AF_UNIX && !port_of(o->local))
		((struct sockaddr_in *)(void *)o->local)->sin_port = htons(next++);
}

long answer_bind(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (!a->entry && socket_at(o->type, (const void *)a->arg[1], (uint32_t)a->arg[2], true))
		return -EADDRINUSE;
	set_address(o->local, &o->local_size, (const void *)a->arg[1], (uint32_t)a->arg[2]);
	if (!a->entry)
		choose_port(o);
	return 0;
}

long answer_listen(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	o->listening = true;
	return 0;
}

/* The answers of getsockname and getpeername; following them is how chosen ports are learnt. */
long answer_name(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	bool own = a->nr == SYS_getsockname;
	uint32_t *size = (uint32_t *)a->arg[2];

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (a->entry) {
		if (own)
			set_address(o->local, &o->local_size, (const void *)a->arg[1], *size);
		else
			set_address(o->peer, &o->peer_size, (const void *)a->arg[1], *size);
		return 0;
	}
	if (!own && !o->connected)
		return -ENOTCONN;
	uint32_t n = own ? o->local_size : o->peer_size;
	sa_family_t family = (sa_family_t)o->domain;
	if (!n) {
		n = sizeof(family);
		memcpy((void *)a->arg[1], &family, *size < n ? *size : n);
	} else {
		memcpy((void *)a->arg[1], own ? o->local : o->peer, *size < n ? *size : n);
	}
	*size = n;
	return 0;
}

/* ---- connections ---- */

static struct open *take_waiting(struct open *listener)
{
	struct open *o = listener->waiting;

	if (o)
		listener->waiting = o->next_waiting;
	return o;
}

/* What the recording noted of where the peer is: a length, and so many bytes. */
static void peer_from(struct open *o, const struct world_entry *e)
{
	const uint8_t *bytes = (const uint8_t *)(e + 1);
	uint32_t n, have = e->bytes - e->names;

	if (have < sizeof(n))
		return;
	memcpy(&n, bytes, sizeof(n));
	have -= (uint32_t)sizeof(n);
	set_address(o->peer, &o->peer_size, bytes + sizeof(n), n < have ? n : have);
}

static void tell_peer(const struct open *o, void *address, uint32_t *size)
{
	if (!address || !size)
		return;
	memcpy(address, o->peer, *size < o->peer_size ? *size : o->peer_size);
	*size = o->peer_size;
}

long answer_accept(const struct ask *a)
{
	struct open *listener = descriptor(a->arg[0]);
	long flags = a->nr == SYS_accept4 ? a->arg[3] : 0;

	if (!listener)
		return -EBADF;
	if (listener->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (!listener->listening)
		return -EINVAL;
	struct open *o = take_waiting(listener);
	struct arrival *from = o ? NULL : a->entry ? listener->stream->now : arrivals_here(listener->stream);
	if (!o && !from)
		return -EAGAIN;
	if (!o) {
		o = socket_new(listener->domain, listener->type);
		o->connected = true;
		o->stream = from->stream;
		peer_from(o, from->entry);
	}
	if (from)
		arrivals_take(listener->stream, 0);
	if (a->entry)
		o->stream = arrivals_born();
	o->flags |= flags & SOCK_NONBLOCK ? O_NONBLOCK : 0;
	memcpy(o->local, listener->local, sizeof(o->local));
	o->local_size = listener->local_size;
	if (!a->entry)
		tell_peer(o, (void *)a->arg[1], (uint32_t *)a->arg[2]);
	return descriptor_place(a, o, flags & SOCK_CLOEXEC);
}

/* To a socket of our own: the other end waits there to be accepted. */
static void connect_inside(struct open *o, struct open *listener)
{
	struct open *other = socket_new(listener->domain, listener->type), **at = &listener->waiting;

	connect_two(o, other);
	choose_port(o);
	set_address(other->peer, &other->peer_size, o->local, o->local_size);
	set_address(o->peer, &o->peer_size, listener->local, listener->local_size);
	while (*at)
		at = &(*at)->next_waiting;
	*at = other;
}

long answer_connect(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	const void *address = (const void *)a->arg[1];
	uint32_t size = (uint32_t)a->arg[2];

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (o->connected && o->type == SOCK_STREAM)
		return -EISCONN;
	struct open *listener = socket_at(o->type, address, size, true);
	if (listener) {
		connect_inside(o, listener);
		return 0;
	}
	set_address(o->peer, &o->peer_size, address, size);
	struct stream *s = arrivals_claim(address, size);
	if (!s && !a->entry && o->type == SOCK_STREAM) {
		model_invents("a connection to where the recording has none is refused");
		return -ECONNREFUSED;
	}
	if (s && !a->entry)
		o->stream = s;
	o->connected = true;
	return 0;
}

long answer_shutdown(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (!o->connected && !o->listening)
		return -ENOTCONN;
	if (a->arg[1] != SHUT_WR) {
		o->ended = true;
		if (o->in)
			o->in->writers = 0;
	}
	if (a->arg[1] != SHUT_RD && o->out)
		o->out->writers = 0;
	return 0;
}

/* ---- options ---- */

long answer_getsockopt(const struct ask *a)
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

long answer_setsockopt(const struct ask *a)
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
