/* Addresses of sockets: binding, searching, and the names of output streams that come from addresses. */
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "rt/core/text.h"
#include "rt/model/parts.h"
#include "rt/model/sockets.h"

/* ---- addresses ---- */

void address_set(uint8_t to[128], uint32_t *size, const void *from, uint32_t n)
{
	*size = n < 128 ? n : 128;
	memcpy(to, from, *size);
}

uint16_t address_port(const void *address) { return ((const struct sockaddr_in *)address)->sin_port; }

/* Are these addresses of one socket?  All addresses are of this machine, so the port decides. */
bool address_is_same(const void *address, uint32_t size, const void *local, uint32_t local_size)
{
	const struct sockaddr *a = address, *b = local;

	if (local_size < sizeof(sa_family_t) || size < sizeof(sa_family_t))
		return false;
	if (a->sa_family == AF_UNIX)
		return b->sa_family == AF_UNIX && local_size == size && !memcmp(address, local, size);
	bool both = (a->sa_family == AF_INET || a->sa_family == AF_INET6) &&
	            (b->sa_family == AF_INET || b->sa_family == AF_INET6);
	return both && size >= 4 && local_size >= 4 && address_port(address) &&
	       address_port(address) == address_port(local);
}

struct search {
	int type;
	const void *address;
	uint32_t size;
	const struct node *place;
	bool listening;
	struct open *found;
};

static void match_socket(struct open *o, void *arg)
{
	struct search *s = arg;

	if (!s->found && o->kind == KIND_SOCKET && o->type == s->type && o->listening == s->listening &&
	    (s->place ? o->place == s->place
	              : !o->place && address_is_same(s->address, s->size, o->local, o->local_size)))
		s->found = o;
}

/* The path of a local address, if it has one. */
static bool path_of(const void *address, uint32_t size, struct path_arg *n)
{
	static char path[sizeof(struct sockaddr_un)];
	const struct sockaddr_un *u = address;
	uint32_t before = offsetof(struct sockaddr_un, sun_path);

	if (size <= before || size > sizeof(*u) || u->sun_family != AF_UNIX || !u->sun_path[0])
		return false;
	memcpy(path, u->sun_path, size - before);
	path[size - before] = 0;
	*n = (struct path_arg){AT_FDCWD, path, true};
	return true;
}

struct open *socket_find(int type, const void *address, uint32_t size, bool listening, long *error)
{
	struct search s = {.type = type, .address = address, .size = size, .listening = listening};
	struct request unrecorded = {0};
	struct path_arg n;

	*error = -ECONNREFUSED;
	if (path_of(address, size, &n)) {
		const struct lookup *f = names_find(&unrecorded, &n, 0, error);
		if (!*error)
			*error = f->there ? -ECONNREFUSED : -ENOENT;
		s.place = f->node;
		if (*error != -ECONNREFUSED || !s.place || !S_ISSOCK(s.place->st.st_mode))
			return NULL;
	}
	descriptors_each(match_socket, &s);
	return s.found;
}

/* The program leaves the port to the kernel: the one that the recording has shown, if it has. */
void socket_choose_port(struct open *o)
{
	static uint16_t next = 40000;
	struct sockaddr_in *own = (void *)o->local;
	const struct stream *s = o->stream;

	if (o->local_size < sizeof(*own) || !socket_is_inet(o) || own->sin_port)
		return;
	own->sin_port = s && s->local_size >= sizeof(*own) ? address_port(s->local) : htons(next++);
}

/* ---- what streams are called ---- */

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

void label_address(char label[LABEL_SIZE], const void *address, uint32_t size)
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

/* Only by what the program has chosen: a port of the kernel's choice differs from execution to execution. */
void label_own_address(char label[LABEL_SIZE], const struct open *o)
{
	if (!socket_is_inet(o))
		label_address(label, o->local, o->local_size);
	else if (o->free_port || o->local_size < sizeof(struct sockaddr_in))
		text_format(label, LABEL_SIZE, "a free port");
	else
		text_format(label, LABEL_SIZE, "port %u", ntohs(address_port(o->local)));
}

struct output_stream *datagrams_to(const void *address, uint32_t size)
{
	char label[LABEL_SIZE];
	long error;
	const struct open *own = socket_find(SOCK_DGRAM, address, size, false, &error);

	if (own)
		label_own_address(label, own);
	else
		label_address(label, address, size);
	return outputs_named_stream("datagrams to %s", label);
}

/* ---- calls ---- */

static long bind_path(struct open *o, const struct path_arg *n, uint32_t *size)
{
	struct request unrecorded = {0};
	long error;
	struct lookup *f = names_find_target(&unrecorded, n, 0, &error);

	if (error || f->there)
		return error ? error : -EADDRINUSE;
	if (f->slash || !names_has_parent(f->name))
		return -ENOENT;
	if (o->place)
		return -EINVAL;
	o->place = node_new(S_IFSOCK | (0777 & ~names_umask()));
	names_set(f->name, o->place);
	*size = (uint32_t)(offsetof(struct sockaddr_un, sun_path) + strlen(n->path) + 1);
	return 0;
}

long answer_bind(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	uint32_t size = (uint32_t)a->arg[2];
	struct path_arg n;
	long error = 0;

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (size > 128)
		return -EINVAL;
	if (!socket_is_inet(o) && path_of((const void *)a->arg[1], size, &n)) {
		n.follow = false;
		error = bind_path(o, &n, &size);
	} else if (!a->entry && o->local_size) {
		error = -EINVAL;
	} else if (!a->entry && socket_find(o->type, (const void *)a->arg[1], size, true, &error)) {
		error = -EADDRINUSE;
	} else {
		error = 0;
	}
	if (error)
		return error;
	address_set(o->local, &o->local_size, (const void *)a->arg[1], size);
	o->free_port = socket_is_inet(o) && size >= sizeof(struct sockaddr_in) && !address_port(o->local);
	if (!a->entry)
		socket_choose_port(o);
	return 0;
}

long answer_listen(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	if (o->type == SOCK_DGRAM)
		return -EOPNOTSUPP;
	if (o->connected || (!socket_is_inet(o) && !o->local_size))
		return -EINVAL;
	o->listening = true;
	return 0;
}

/* getsockname and getpeername.  Following them shows the ports that the kernel chose in the recording. */
long answer_socket_name(const struct request *a)
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
			address_set(o->local, &o->local_size, (const void *)a->arg[1], *size);
		else
			address_set(o->peer, &o->peer_size, (const void *)a->arg[1], *size);
		return 0;
	}
	if (!own && (!o->connected || o->over))
		return -ENOTCONN;
	socket_choose_port(o);
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
