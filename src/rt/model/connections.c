/* Connections: how they begin (accept, connect) and how they end (close, shutdown). */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "rt/model/parts.h"
#include "rt/model/sockets.h"

/* ---- beginnings ---- */

static struct open *take_waiting(struct open *listener)
{
	struct open *o = listener->waiting;

	if (o)
		listener->waiting = o->next_waiting;
	return o;
}

/* Sets the peer's address from an entry of the log: a length, and so many bytes. */
static void set_peer(struct open *o, const struct world_entry *e)
{
	const uint8_t *bytes = (const uint8_t *)(e + 1);
	uint32_t n, have = e->bytes - e->names;

	if (have < sizeof(n))
		return;
	memcpy(&n, bytes, sizeof(n));
	have -= (uint32_t)sizeof(n);
	if (have)
		address_set(o->peer, &o->peer_size, bytes + sizeof(n), n < have ? n : have);
}

/* The recording says where a connection to ourselves came from. */
static void follow_peer(struct open *o, const struct world_entry *e)
{
	struct open *other = o->in ? o->in->writer : NULL;

	set_peer(o, e);
	if (other && o->peer_size > sizeof(sa_family_t))
		address_set(other->local, &other->local_size, o->peer, o->peer_size);
}

static void store_peer(const struct open *o, void *address, uint32_t *size)
{
	sa_family_t family = (sa_family_t)o->domain;
	const void *from = o->peer_size ? (const void *)o->peer : &family;
	uint32_t n = o->peer_size ? o->peer_size : sizeof(family);

	if (!address || !size)
		return;
	memcpy(address, from, *size < n ? *size : n);
	*size = n;
}

long answer_accept(const struct request *a)
{
	struct open *listener = descriptor(a->arg[0]);
	long flags = a->nr == SYS_accept4 ? a->arg[3] : 0;
	char label[LABEL_SIZE];

	if (!listener)
		return -EBADF;
	if (listener->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (listener->type == SOCK_DGRAM)
		return -EOPNOTSUPP;
	if (!listener->listening || (!socket_is_inet(listener) && listener->shut & SHUT_READ))
		return -EINVAL;
	struct open *o = take_waiting(listener);
	struct arrival *from = o ? NULL : a->entry ? listener->stream->first : arrivals_ready(listener->stream);
	if (!o && !from)
		return -EAGAIN;
	if (!o) {
		o = socket_new(listener->domain, listener->type);
		o->connected = true;
		o->stream = from->stream;
		set_peer(o, from->entry);
		label_own_address(label, listener);
		o->outside = outputs_new_stream(OUTPUT_STREAM, "connection accepted at %s", label);
	}
	if (from)
		arrivals_take(listener->stream, 0);
	if (a->entry) {
		o->stream = arrivals_next_stream();
		follow_peer(o, a->entry);
	}
	o->flags |= flags & SOCK_NONBLOCK ? O_NONBLOCK : 0;
	memcpy(o->local, listener->local, sizeof(o->local));
	o->local_size = listener->local_size;
	if (!a->entry)
		store_peer(o, (void *)a->arg[1], (uint32_t *)a->arg[2]);
	return descriptor_place(a, o, flags & SOCK_CLOEXEC);
}

/* Chooses the local address of a connection, where the program has not. */
static void choose_address(struct open *o)
{
	struct sockaddr_in *in = (void *)o->local;
	struct sockaddr_in6 *in6 = (void *)o->local;

	if (o->local_size || !socket_is_inet(o)) {
		socket_choose_port(o);
		return;
	}
	if (o->domain == AF_INET6) {
		*in6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
		o->local_size = sizeof(*in6);
	} else {
		*in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		o->local_size = sizeof(*in);
	}
	socket_choose_port(o);
}

/* A connection to a socket of our own: its other end waits there to be accepted. */
static void connect_inside(struct open *o, struct open *listener)
{
	struct open *other = socket_new(listener->domain, listener->type), **at = &listener->waiting;
	char label[LABEL_SIZE];

	label_own_address(label, listener);
	o->outside = outputs_new_stream(OUTPUT_STREAM, "own connection to %s", label);
	other->outside = outputs_new_stream(OUTPUT_STREAM, "own connection accepted at %s", label);
	socket_connect_two(o, other);
	choose_address(o);
	address_set(other->peer, &other->peer_size, o->local, o->local_size);
	address_set(o->peer, &o->peer_size, listener->local, listener->local_size);
	while (*at)
		at = &(*at)->next_waiting;
	*at = other;
	open_wake(listener, true, false);
	open_wake(o, true, true);
}

long answer_connect(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	const void *address = (const void *)a->arg[1];
	uint32_t size = (uint32_t)a->arg[2];
	long error;

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (o->connecting) {
		o->connecting = false;
		return 0;
	}
	if (o->connected && o->type != SOCK_DGRAM)
		return -EISCONN;
	if (o->type == SOCK_DGRAM && open_is_internal(o))
		model_unknown("it connects one end of a pair to somewhere else");
	struct open *listener = o->type == SOCK_DGRAM ? NULL : socket_find(o->type, address, size, true, &error);
	if (listener) {
		connect_inside(o, listener);
		o->connecting = socket_is_inet(o) && (o->flags & O_NONBLOCK);
		return o->connecting ? -EINPROGRESS : 0;
	}
	struct stream *s = arrivals_claim(address, size);
	if (s && s->failed && !a->entry)
		return -s->failed;
	if (!s && !a->entry && o->type != SOCK_DGRAM) {
		model_invents("a connection to where the recording has none is refused");
		return error;
	}
	address_set(o->peer, &o->peer_size, address, size);
	if (s && !a->entry)
		o->stream = s;
	if (a->entry && o->stream && o->stream->failed) { /* the program hears of it later */
		o->error = o->stream->failed;
		return 0;
	}
	o->connected = true;
	char label[LABEL_SIZE];
	label_address(label, address, size);
	o->outside = o->type == SOCK_DGRAM ? datagrams_to(address, size)
	                                   : outputs_new_stream(OUTPUT_STREAM, "connection to %s", label);
	return 0;
}

/* ---- ends ---- */

static struct open *peer_of(const struct open *o) { return o->in ? o->in->writer : NULL; }

long socket_take_error(struct open *o)
{
	int error = o->error;

	o->error = 0;
	return -error;
}

static void end_connection(struct open *o)
{
	o->over = true;
	o->shut = SHUT_READ | SHUT_WRITE;
}

/* TCP: the other side has gone without having read everything. */
void socket_reset(struct open *o)
{
	if (!o || o->over)
		return;
	o->error = o->finished ? EPIPE : ECONNRESET;
	end_connection(o);
	open_wake(o, true, true);
}

/* TCP: one side says that it will send no more.  When both have said so the connection is over. */
static void finish_sending(struct open *o)
{
	struct open *other = peer_of(o);

	if (!other && o->finished)
		end_connection(o);
	if (!other || other->finished || other->over)
		return;
	other->finished = true;
	other->shut |= SHUT_READ;
	open_wake(other, true, true);
	if (o->finished) {
		end_connection(o);
		end_connection(other);
	}
}

static void close_one_end(struct open *o, bool unread)
{
	struct open *other = peer_of(o);

	if (!other)
		return;
	if (o->type == SOCK_DGRAM) { /* what it had not read makes room */
		open_wake(other, false, unread);
		return;
	}
	if (socket_is_inet(o)) {
		if (unread)
			socket_reset(other);
		else
			finish_sending(o);
		return;
	}
	other->shut = SHUT_READ | SHUT_WRITE;
	if (unread)
		other->error = ECONNRESET;
	open_wake(other, true, true);
}

static void stop_listening(struct open *o)
{
	for (struct open *w; (w = take_waiting(o));) {
		close_one_end(w, true);
		open_free(w);
	}
}

void socket_closed(struct open *o)
{
	stop_listening(o);
	close_one_end(o, o->in && o->in->count);
}

long answer_shutdown(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]), *other;
	uint8_t how = (uint8_t)(a->arg[1] + 1);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (a->arg[1] < 0 || a->arg[1] > 2)
		return -EINVAL;
	if (socket_is_inet(o) && o->listening) {
		if (how & SHUT_READ) {
			o->listening = false;
			stop_listening(o);
		}
		return 0;
	}
	bool already = o->over;
	o->shut |= how;
	open_wake(o, true, true);
	if (socket_is_inet(o)) {
		if (already || !o->connected)
			return -ENOTCONN;
		if (how & SHUT_WRITE)
			finish_sending(o);
		return 0;
	}
	other = peer_of(o);
	if (other && o->type != SOCK_DGRAM) {
		other->shut |= (how & SHUT_READ ? SHUT_WRITE : 0) | (how & SHUT_WRITE ? SHUT_READ : 0);
		open_wake(other, true, true);
	}
	return 0;
}
