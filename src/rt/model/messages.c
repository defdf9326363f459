/* Calls that send and receive messages. */
#include <errno.h>
#include <string.h>

#include "rt/model/parts.h"
#include "rt/model/transfer.h"

/* ---- receiving ---- */

/* Stores the sender's address: that of a datagram, or of a local socket; for a TCP connection nobody asks. */
static void store_sender(const struct open *o, void *address, uint32_t *size)
{
	if (!address || !size)
		return;
	uint32_t known = o->domain == AF_UNIX || o->type == SOCK_DGRAM ? o->peer_size : 0;
	memcpy(address, o->peer, known < *size ? known : *size);
	*size = known;
}

long answer_receive(const struct request *a)
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
		open_follow_receive(o, &v, flags & MSG_PEEK, a->entry->result);
		return 0;
	}
	if (flags & (MSG_OOB | MSG_ERRQUEUE))
		return flags & MSG_OOB ? -EINVAL : -EAGAIN;
	long r = open_read_socket(o, &v, flags & MSG_PEEK, &whole);
	if (r < 0)
		return r;
	if (m) {
		store_sender(o, m->msg_name, &m->msg_namelen);
		m->msg_controllen = 0;
		m->msg_flags = whole > (uint64_t)r ? MSG_TRUNC : 0;
	} else {
		store_sender(o, (void *)a->arg[4], (uint32_t *)a->arg[5]);
	}
	return flags & MSG_TRUNC && whole > (uint64_t)r && o->type != SOCK_STREAM ? (long)whole : r;
}

/* ---- sending ---- */

/* The socket of the program itself that has this address; NULL: it is sent outside. */
static struct open *find_receiver(struct open *o, const void *address, uint32_t size)
{
	long error;
	struct open *to =
	        address && o->type == SOCK_DGRAM ? socket_find(SOCK_DGRAM, address, size, false, &error) : NULL;

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
	return channel_put(to->in, vector_iov(v), v->n, true);
}

struct message {
	const struct msghdr *header; /* or NULL */
	const void *to;
	uint32_t to_size;
	long flags;
	struct vector v;
};

static struct message message_of(const struct request *a)
{
	const struct msghdr *m = a->nr == SYS_sendmsg ? (const void *)a->arg[1] : NULL;

	if (m)
		return (struct message){m, m->msg_name, m->msg_namelen, a->arg[2],
		                        vector_from(m->msg_iov, m->msg_iovlen)};
	return (struct message){NULL, (void *)a->arg[4], (uint32_t)a->arg[5], a->arg[3],
	                        vector_of((void *)a->arg[1], (uint64_t)a->arg[2])};
}

static long send_message(const struct request *a, struct open *o, const struct message *m)
{
	struct open *to = find_receiver(o, m->to, m->to_size);

	if (to && (!a->entry || a->entry->result >= 0))
		return send_to(o, to, &m->v);
	if (a->entry) {
		open_follow_write(o, &m->v, -1, a->entry->result);
		return 0;
	}
	if (m->header && m->header->msg_controllen)
		model_unknown("it sends descriptors or credentials");
	if (o->type == SOCK_DGRAM && !o->connected && m->to)
		return (long)m->v.size; /* it goes to somebody outside */
	return open_write_socket(o, &m->v, m->flags & MSG_NOSIGNAL);
}

long answer_send(const struct request *a)
{
	struct open *o = descriptor(a->arg[0]);
	struct message m = message_of(a);

	if (!o)
		return -EBADF;
	if (o->kind != KIND_SOCKET)
		return -ENOTSOCK;
	long r = send_message(a, o, &m), bytes = a->entry ? a->entry->result : r;
	if (m.to && o->type == SOCK_DGRAM)
		outputs_put(datagrams_to(m.to, m.to_size), vector_iov(&m.v), m.v.n, bytes, true);
	else
		transfer_note_output(o, &m.v, bytes);
	return r;
}
