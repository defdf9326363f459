/*
 * Sockets and pipes.  What the program sends to itself goes through channels; a peer outside is a stream, and what is
 * sent to it is gone.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/un.h>

#include "rt/core/arena.h"
#include "rt/core/arch/x86_64/raw.h"
#include "rt/model/parts.h"
#include "rt/core/text.h"

static bool is_inet(const struct open *o) { return o->domain != AF_UNIX; }

bool is_inside(const struct open *o) { return !o->exposed && (o->in || o->out); }

void open_wake(struct open *o, bool in, bool out)
{
	if (!o)
		return;
	o->news_in += in;
	o->news_out += out;
}

/* What one end writes the other reads. */
static void join(struct open *reader, struct open *writer, enum channel_kind kind)
{
	struct channel *c = channel_new(kind);

	c->reader = reader;
	c->writer = writer;
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

	if (flags & ~(long)(O_CLOEXEC | O_NONBLOCK | O_DIRECT | 0200 /* O_NOTIFICATION_PIPE */))
		return -EINVAL;
	struct open *reader = open_new(KIND_PIPE, O_RDONLY | (flags & O_NONBLOCK)),
	            *writer = open_new(KIND_PIPE, O_WRONLY | (flags & (O_NONBLOCK | O_DIRECT)));
	join(reader, writer, CHANNEL_PIPE);
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
	enum channel_kind kind = one->type == SOCK_STREAM ? CHANNEL_STREAM : CHANNEL_PACKETS;

	join(one, other, kind);
	join(other, one, kind);
	one->connected = other->connected = true;
}

/* The kinds that there are; of others the kernel may know some that the model does not. */
static long check_kind(const struct ask *a)
{
	long type = a->arg[1] & 0xf;

	if (a->entry)
		return 0;
	if (a->arg[1] & ~(long)(0xf | SOCK_NONBLOCK | SOCK_CLOEXEC))
		return -EINVAL;
	if (a->arg[0] == AF_UNIX && (type == SOCK_STREAM || type == SOCK_DGRAM || type == SOCK_SEQPACKET))
		return 0;
	if ((a->arg[0] == AF_INET || a->arg[0] == AF_INET6) && (type == SOCK_STREAM || type == SOCK_DGRAM))
		return 0;
	model_invents("a kind of socket that the model does not have is refused");
	return a->arg[0] == AF_UNIX || a->arg[0] == AF_INET || a->arg[0] == AF_INET6 ? -ESOCKTNOSUPPORT : -EAFNOSUPPORT;
}

long answer_socketpair(const struct ask *a)
{
	long error = check_kind(a);

	if (error)
		return error;
	if (!a->entry && a->arg[0] != AF_UNIX)
		return -EOPNOTSUPP;
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
	long error = check_kind(a);

	return error ? error : place_one(a, socket_new((int)a->arg[0], a->arg[1]), a->arg[1] & SOCK_CLOEXEC);
}

long answer_counter(const struct ask *a)
{
	long flags = a->nr == SYS_eventfd2 ? a->arg[1] : 0;

	if (flags & ~(long)(EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE))
		return -EINVAL;
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
	const struct node *place;
	bool listening;
	struct open *found;
};

static void try(struct open *o, void *arg)
{
	struct search *s = arg;

	if (!s->found && o->kind == KIND_SOCKET && o->type == s->type && o->listening == s->listening &&
	    (s->place ? o->place == s->place : !o->place && address_is(s->address, s->size, o->local, o->local_size)))
		s->found = o;
}

/* The path of a local address that has one, as a name to look for. */
static bool path_of(const void *address, uint32_t size, struct name *n)
{
	static char path[sizeof(struct sockaddr_un)];
	const struct sockaddr_un *u = address;
	uint32_t before = offsetof(struct sockaddr_un, sun_path);

	if (size <= before || size > sizeof(*u) || u->sun_family != AF_UNIX || !u->sun_path[0])
		return false;
	memcpy(path, u->sun_path, size - before);
	path[size - before] = 0;
	*n = (struct name){AT_FDCWD, path, true};
	return true;
}

struct open *socket_at(int type, const void *address, uint32_t size, bool listening, long *error)
{
	struct search s = {.type = type, .address = address, .size = size, .listening = listening};
	struct ask unrecorded = {0};
	struct name n;

	*error = -ECONNREFUSED;
	if (path_of(address, size, &n)) {
		const struct found *f = places_find(&unrecorded, &n, 0, error);
		if (!*error)
			*error = f->there ? -ECONNREFUSED : -ENOENT;
		s.place = f->node;
		if (*error != -ECONNREFUSED || !s.place || !S_ISSOCK(s.place->st.st_mode))
			return NULL;
	}
	descriptors_each(try, &s);
	return s.found;
}

/* A port of the kernel's choice: the one that the recording has heard of, if it has. */
static void choose_port(struct open *o)
{
	static uint16_t next = 40000;
	struct sockaddr_in *own = (void *)o->local;
	const struct stream *s = o->stream;

	if (o->local_size < sizeof(*own) || !is_inet(o) || own->sin_port)
		return;
	own->sin_port = s && s->local_size >= sizeof(*own) ? port_of(s->local) : htons(next++);
}

/* ---- what streams are called ---- */

#define LABEL_SIZE 140

static void label_inet(char label[LABEL_SIZE], const void *address)
{
	const struct sockaddr_in *in = address;
	const uint8_t *b = (const uint8_t *)&in->sin_addr;

	text_format(label, LABEL_SIZE, "%u.%u.%u.%u:%u", b[0], b[1], b[2], b[3], ntohs(in->sin_port));
}

static void label_inet6(char label[LABEL_SIZE], const void *address)
{
	const struct sockaddr_in6 *in = address;
	const uint8_t *b = in->sin6_addr.s6_addr;
	size_t n = 0;

	for (int i = 0; i < 16; i += 2)
		n += text_format(label + n, LABEL_SIZE - n, i ? ":%x" : "[%x", b[i] << 8 | b[i + 1]);
	text_format(label + n, LABEL_SIZE - n, "]:%u", ntohs(in->sin6_port));
}

static void label_local(char label[LABEL_SIZE], const void *address, uint32_t size)
{
	const struct sockaddr_un *u = address;
	uint32_t before = offsetof(struct sockaddr_un, sun_path), n = size > before ? size - before : 0;

	n = n < LABEL_SIZE - 1 ? n : LABEL_SIZE - 1;
	memcpy(label, u->sun_path, n);
	label[n] = 0;
	if (n && !label[0])
		label[0] = '@';
}

static void label_address(char label[LABEL_SIZE], const void *address, uint32_t size)
{
	uint16_t family = AF_UNSPEC;

	if (size >= sizeof(family))
		memcpy(&family, address, sizeof(family));
	if (family == AF_INET && size >= sizeof(struct sockaddr_in))
		label_inet(label, address);
	else if (family == AF_INET6 && size >= sizeof(struct sockaddr_in6))
		label_inet6(label, address);
	else if (family == AF_UNIX)
		label_local(label, address, size);
	else
		text_format(label, LABEL_SIZE, "somewhere");
}

/* By what the program has chosen: a port of the kernel's choice is not always the same one. */
static void label_own(char label[LABEL_SIZE], const struct open *o)
{
	if (!is_inet(o))
		label_address(label, o->local, o->local_size);
	else if (o->free_port || o->local_size < sizeof(struct sockaddr_in))
		text_format(label, LABEL_SIZE, "a free port");
	else
		text_format(label, LABEL_SIZE, "port %u", ntohs(port_of(o->local)));
}

struct given *given_to(const void *address, uint32_t size)
{
	char label[LABEL_SIZE];
	long error;
	const struct open *own = socket_at(SOCK_DGRAM, address, size, false, &error);

	if (own)
		label_own(label, own);
	else
		label_address(label, address, size);
	return given_of_name("datagrams to %s", label);
}

static long bind_path(struct open *o, const struct name *n, uint32_t *size)
{
	struct ask unrecorded = {0};
	long error;
	struct found *f = places_find_place(&unrecorded, n, 0, &error);

	if (error || f->there)
		return error ? error : -EADDRINUSE;
	if (f->slash || !places_parent(f->name))
		return -ENOENT;
	if (o->place)
		return -EINVAL;
	o->place = node_new(S_IFSOCK | (0777 & ~places_umask()));
	places_put(f->name, o->place);
	*size = (uint32_t)(offsetof(struct sockaddr_un, sun_path) + strlen(n->path) + 1);
	return 0;
}

long answer_bind(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint32_t size = (uint32_t)a->arg[2];
	struct name n;
	long error = 0;

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (size > 128)
		return -EINVAL;
	if (!is_inet(o) && path_of((const void *)a->arg[1], size, &n)) {
		n.follow = false;
		error = bind_path(o, &n, &size);
	} else if (!a->entry && o->local_size) {
		error = -EINVAL;
	} else if (!a->entry && socket_at(o->type, (const void *)a->arg[1], size, true, &error)) {
		error = -EADDRINUSE;
	} else {
		error = 0;
	}
	if (error)
		return error;
	set_address(o->local, &o->local_size, (const void *)a->arg[1], size);
	o->free_port = is_inet(o) && size >= sizeof(struct sockaddr_in) && !port_of(o->local);
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
	if (o->type == SOCK_DGRAM)
		return -EOPNOTSUPP;
	if (o->connected || (!is_inet(o) && !o->local_size))
		return -EINVAL;
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
	if (!own && (!o->connected || o->over))
		return -ENOTCONN;
	choose_port(o);
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
	if (have)
		set_address(o->peer, &o->peer_size, bytes + sizeof(n), n < have ? n : have);
}

/* Of a connection to ourselves the recording tells where it came from. */
static void learn_peer(struct open *o, const struct world_entry *e)
{
	struct open *other = o->in ? o->in->writer : NULL;

	peer_from(o, e);
	if (other && o->peer_size > sizeof(sa_family_t))
		set_address(other->local, &other->local_size, o->peer, o->peer_size);
}

static void tell_peer(const struct open *o, void *address, uint32_t *size)
{
	sa_family_t family = (sa_family_t)o->domain;
	const void *from = o->peer_size ? (const void *)o->peer : &family;
	uint32_t n = o->peer_size ? o->peer_size : sizeof(family);

	if (!address || !size)
		return;
	memcpy(address, from, *size < n ? *size : n);
	*size = n;
}

long answer_accept(const struct ask *a)
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
	if (!listener->listening || (!is_inet(listener) && listener->shut & SHUT_READ))
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
		label_own(label, listener);
		o->outside = given_new(GIVEN_SENT, "connection accepted at %s", label);
	}
	if (from)
		arrivals_take(listener->stream, 0);
	if (a->entry) {
		o->stream = arrivals_born();
		learn_peer(o, a->entry);
	}
	o->flags |= flags & SOCK_NONBLOCK ? O_NONBLOCK : 0;
	memcpy(o->local, listener->local, sizeof(o->local));
	o->local_size = listener->local_size;
	if (!a->entry)
		tell_peer(o, (void *)a->arg[1], (uint32_t *)a->arg[2]);
	return descriptor_place(a, o, flags & SOCK_CLOEXEC);
}

/* A connection leaves from somewhere. */
static void choose_address(struct open *o)
{
	struct sockaddr_in *in = (void *)o->local;
	struct sockaddr_in6 *in6 = (void *)o->local;

	if (o->local_size || !is_inet(o)) {
		choose_port(o);
		return;
	}
	if (o->domain == AF_INET6) {
		*in6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
		o->local_size = sizeof(*in6);
	} else {
		*in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		o->local_size = sizeof(*in);
	}
	choose_port(o);
}

/* To a socket of our own: the other end waits there to be accepted. */
static void connect_inside(struct open *o, struct open *listener)
{
	struct open *other = socket_new(listener->domain, listener->type), **at = &listener->waiting;
	char label[LABEL_SIZE];

	label_own(label, listener);
	o->outside = given_new(GIVEN_SENT, "own connection to %s", label);
	other->outside = given_new(GIVEN_SENT, "own connection accepted at %s", label);
	connect_two(o, other);
	choose_address(o);
	set_address(other->peer, &other->peer_size, o->local, o->local_size);
	set_address(o->peer, &o->peer_size, listener->local, listener->local_size);
	while (*at)
		at = &(*at)->next_waiting;
	*at = other;
	open_wake(listener, true, false);
	open_wake(o, true, true);
}

long answer_connect(const struct ask *a)
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
	if (o->type == SOCK_DGRAM && is_inside(o))
		model_unknown("it connects one end of a pair to somewhere else");
	struct open *listener = o->type == SOCK_DGRAM ? NULL : socket_at(o->type, address, size, true, &error);
	if (listener) {
		connect_inside(o, listener);
		o->connecting = is_inet(o) && (o->flags & O_NONBLOCK);
		return o->connecting ? -EINPROGRESS : 0;
	}
	struct stream *s = arrivals_claim(address, size);
	if (s && s->failed && !a->entry)
		return -s->failed;
	if (!s && !a->entry && o->type != SOCK_DGRAM) {
		model_invents("a connection to where the recording has none is refused");
		return error;
	}
	set_address(o->peer, &o->peer_size, address, size);
	if (s && !a->entry)
		o->stream = s;
	if (a->entry && o->stream && o->stream->failed) { /* which it will hear of */
		o->error = o->stream->failed;
		return 0;
	}
	o->connected = true;
	char label[LABEL_SIZE];
	label_address(label, address, size);
	o->outside = o->type == SOCK_DGRAM ? given_to(address, size) : given_new(GIVEN_SENT, "connection to %s", label);
	return 0;
}

/* ---- ends ---- */

static struct open *peer_of(const struct open *o) { return o->in ? o->in->writer : NULL; }

static long take_error(struct open *o)
{
	int error = o->error;

	o->error = 0;
	return -error;
}

static void end(struct open *o)
{
	o->over = true;
	o->shut = SHUT_READ | SHUT_WRITE;
}

/* TCP: it hears that the other side has gone without having read everything. */
static void reset(struct open *o)
{
	if (!o || o->over)
		return;
	o->error = o->finished ? EPIPE : ECONNRESET;
	end(o);
	open_wake(o, true, true);
}

/* TCP: one side says that it will send no more. When both have, it is over. */
static void finish(struct open *o)
{
	struct open *other = peer_of(o);

	if (!other && o->finished)
		end(o);
	if (!other || other->finished || other->over)
		return;
	other->finished = true;
	other->shut |= SHUT_READ;
	open_wake(other, true, true);
	if (o->finished) {
		end(o);
		end(other);
	}
}

static void closed_pair(struct open *o, bool unread)
{
	struct open *other = peer_of(o);

	if (!other)
		return;
	if (o->type == SOCK_DGRAM) { /* what was sent and not read makes room */
		open_wake(other, false, unread);
		return;
	}
	if (is_inet(o)) {
		if (unread)
			reset(other);
		else
			finish(o);
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
		closed_pair(w, true);
		open_free(w);
	}
}

/* The last descriptor of a socket was closed. */
void socket_closed(struct open *o)
{
	stop_listening(o);
	closed_pair(o, o->in && o->in->count);
}

long answer_shutdown(const struct ask *a)
{
	struct open *o = descriptor(a->arg[0]), *other;
	uint8_t how = (uint8_t)(a->arg[1] + 1);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (a->arg[1] < 0 || a->arg[1] > 2)
		return -EINVAL;
	if (is_inet(o) && o->listening) {
		if (how & SHUT_READ) {
			o->listening = false;
			stop_listening(o);
		}
		return 0;
	}
	bool already = o->over;
	o->shut |= how;
	open_wake(o, true, true);
	if (is_inet(o)) {
		if (already || !o->connected)
			return -ENOTCONN;
		if (how & SHUT_WRITE)
			finish(o);
		return 0;
	}
	other = peer_of(o);
	if (other && o->type != SOCK_DGRAM) {
		other->shut |= (how & SHUT_READ ? SHUT_WRITE : 0) | (how & SHUT_WRITE ? SHUT_READ : 0);
		open_wake(other, true, true);
	}
	return 0;
}

/* ---- sending and receiving, where both ends are here ---- */

static long broken(bool quiet)
{
	model.broken_pipe |= !quiet;
	return -EPIPE;
}

static long may_put_inet(struct open *o, bool quiet)
{
	if (o->over || o->shut & SHUT_WRITE) {
		long error = take_error(o);
		return error && error != -EPIPE ? error : broken(quiet);
	}
	return 0;
}

static long may_put_local(struct open *o, bool quiet)
{
	const struct open *to = o->out->reader;
	long error = o->type == SOCK_STREAM ? 0 : take_error(o);

	quiet |= o->type != SOCK_STREAM;
	if (error)
		return error;
	if (o->shut & SHUT_WRITE)
		return broken(quiet);
	if (!to && o->type == SOCK_DGRAM) { /* it is connected to nobody from now on */
		o->connected = false;
		channel_purge(o->in);
		open_wake(o, false, true);
		return -ECONNREFUSED;
	}
	return to && to->shut & SHUT_READ ? broken(quiet) : 0;
}

long socket_put(struct open *o, const struct iovec *iov, size_t n, bool quiet)
{
	uint64_t size = 0;

	if (o->type != SOCK_STREAM && !o->connected)
		return -ENOTCONN;
	long r = is_inet(o) ? may_put_inet(o, quiet) : may_put_local(o, quiet);
	if (r)
		return r;
	for (size_t i = 0; i < n; i++)
		size += iov[i].iov_len;
	if (!size && o->type == SOCK_STREAM)
		return 0;
	if (!o->out->reader) { /* TCP: nobody is there any more, which is heard of afterwards */
		reset(o);
		return (long)size;
	}
	if (is_inet(o) && o->finished && o->out->reader->shut & SHUT_READ) { /* who neither reads nor writes any more */
		reset(o->out->reader);
		reset(o);
		return (long)size;
	}
	r = channel_put(o->out, iov, n, false);
	if (r >= 0)
		open_wake(o->out->reader, true, false);
	return r;
}

static long nothing_there(struct open *o)
{
	if (is_inet(o) && o->finished)
		return 0;
	if (o->error)
		return take_error(o);
	if (o->shut & SHUT_READ && (o->type != SOCK_DGRAM || !(o->flags & O_NONBLOCK)))
		return 0;
	return -EAGAIN;
}

long socket_take(struct open *o, const struct iovec *iov, size_t n, bool peek, uint64_t *whole)
{
	if (o->error && o->type != SOCK_STREAM)
		return take_error(o);
	if (!o->in->count)
		return nothing_there(o);
	struct taken t = channel_take(o->in, iov, n, peek);
	*whole = t.whole;
	if (t.emptied && !is_inet(o))
		open_wake(o->in->writer, false, true);
	return (long)t.bytes;
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
	if (a->entry) {
		if (a->arg[1] != SOL_SOCKET || a->arg[2] != SO_ERROR)
			return 0;
		o->error = 0;
		o->connected &= is_inside(o) || !*(const int *)a->arg[3];
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
