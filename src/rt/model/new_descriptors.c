/* Calls that make pipes, sockets and event counters. */
#include <errno.h>
#include <sys/eventfd.h>

#include "rt/model/parts.h"
#include "rt/model/sockets.h"

/* ---- pairs ---- */

/* What one end writes the other reads. */
static void connect_ends(struct open *reader, struct open *writer, enum channel_kind kind)
{
	struct channel *c = channel_new(kind);

	c->reader = reader;
	c->writer = writer;
	reader->in = c;
	writer->out = c;
}

/* Places two descriptors; their numbers are in the program's memory. */
static long place_two(const struct request *a, struct open *one, struct open *other, int *out, bool cloexec)
{
	if (a->entry) {
		one->stream = arrivals_next_stream();
		other->stream = arrivals_next_stream();
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

long answer_pipe(const struct request *a)
{
	long flags = a->nr == SYS_pipe2 ? a->arg[1] : 0;

	if (flags & ~(long)(O_CLOEXEC | O_NONBLOCK | O_DIRECT | 0200 /* O_NOTIFICATION_PIPE */))
		return -EINVAL;
	struct open *reader = open_new(KIND_PIPE, O_RDONLY | (flags & O_NONBLOCK)),
	            *writer = open_new(KIND_PIPE, O_WRONLY | (flags & (O_NONBLOCK | O_DIRECT)));
	connect_ends(reader, writer, CHANNEL_PIPE);
	return place_two(a, reader, writer, (int *)a->arg[0], flags & O_CLOEXEC);
}

struct open *socket_new(int domain, long type)
{
	struct open *o = open_new(KIND_SOCKET, O_RDWR | (type & SOCK_NONBLOCK ? O_NONBLOCK : 0));

	o->domain = domain;
	o->type = (int)type & 0xf;
	return o;
}

void socket_connect_two(struct open *one, struct open *other)
{
	enum channel_kind kind = one->type == SOCK_STREAM ? CHANNEL_STREAM : CHANNEL_PACKETS;

	connect_ends(one, other, kind);
	connect_ends(other, one, kind);
	one->connected = other->connected = true;
}

/* The kinds that the model has.  The kernel may know others. */
static long check_kind(const struct request *a)
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

long answer_socketpair(const struct request *a)
{
	long error = check_kind(a);

	if (error)
		return error;
	if (!a->entry && a->arg[0] != AF_UNIX)
		return -EOPNOTSUPP;
	struct open *one = socket_new((int)a->arg[0], a->arg[1]), *other = socket_new((int)a->arg[0], a->arg[1]);
	socket_connect_two(one, other);
	return place_two(a, one, other, (int *)a->arg[3], a->arg[1] & SOCK_CLOEXEC);
}

static long place_one(const struct request *a, struct open *o, bool cloexec)
{
	if (a->entry)
		o->stream = arrivals_next_stream();
	return descriptor_place(a, o, cloexec);
}

long answer_socket(const struct request *a)
{
	long error = check_kind(a);

	return error ? error : place_one(a, socket_new((int)a->arg[0], a->arg[1]), a->arg[1] & SOCK_CLOEXEC);
}

long answer_eventfd(const struct request *a)
{
	long flags = a->nr == SYS_eventfd2 ? a->arg[1] : 0;

	if (flags & ~(long)(EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE))
		return -EINVAL;
	struct open *o = open_new(KIND_EVENTFD, O_RDWR | (flags & EFD_NONBLOCK));

	o->count = (uint32_t)a->arg[0];
	o->semaphore = flags & EFD_SEMAPHORE;
	return place_one(a, o, flags & EFD_CLOEXEC);
}

/* Only the recording knows what comes from there. */
long answer_event_source(const struct request *a)
{
	if ((a->nr == SYS_signalfd || a->nr == SYS_signalfd4) && (int)a->arg[0] >= 0)
		return a->arg[0];
	struct open *o = open_new(KIND_SOCKET, O_RDWR | O_NONBLOCK); /* as with a peer, more may come at any time */
	o->type = SOCK_STREAM;
	o->connected = true;
	return place_one(a, o, false);
}
