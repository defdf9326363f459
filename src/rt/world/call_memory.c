#include "rt/world/call_memory.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "rt/world/world.h"

/* ---- what a call fills ---- */

void call_memory_add(struct call_memory *p, const void *at, uint64_t size)
{
	if (!at || !size)
		return;
	if (p->n < PIECES_MAX)
		p->at[p->n++] = (struct memory_piece){(void *)at, size};
	else
		p->cut = true;
}

static void add_vector(struct call_memory *p, const struct iovec *iov, uint64_t count, long result)
{
	for (uint64_t i = 0, left = (uint64_t)result; i < count && left; i++) {
		uint64_t n = iov[i].iov_len < left ? iov[i].iov_len : left;
		call_memory_add(p, iov[i].iov_base, n);
		left -= n;
	}
}

static void before_message(struct call_memory *p, uint32_t i, const struct msghdr *m)
{
	p->room[i].name = m->msg_name ? m->msg_namelen : 0;
	p->room[i].control = m->msg_control ? (uint32_t)m->msg_controllen : 0;
}

static void after_message(struct call_memory *p, uint32_t i, const struct msghdr *m, long result)
{
	call_memory_add(p, &m->msg_namelen, sizeof(m->msg_namelen));
	call_memory_add(p, &m->msg_controllen, sizeof(m->msg_controllen));
	call_memory_add(p, &m->msg_flags, sizeof(m->msg_flags));
	call_memory_add(p, m->msg_name, p->room[i].name);
	call_memory_add(p, m->msg_control, p->room[i].control);
	add_vector(p, m->msg_iov, m->msg_iovlen, result);
}

void call_memory_before(struct call_memory *p, const struct call_rule *r, const long arg[6])
{
	p->n = 0;
	p->cut = false;
	if (r->output[0].fill == FILL_MSGHDR)
		before_message(p, 0, (const void *)arg[1]);
	for (uint32_t i = 0; r->output[0].fill == FILL_MMSGHDR && i < (uint32_t)arg[2] && i < MESSAGES_MAX; i++)
		before_message(p, i, &((const struct mmsghdr *)arg[1])[i].msg_hdr);
	for (int i = 0; i < OUTPUTS; i++)
		if (r->output[i].fill == FILL_SIZED && arg[r->output[i].arg] && arg[r->output[i].of])
			p->length[i] = *(const uint32_t *)arg[r->output[i].of];
}

static void after_messages(struct call_memory *p, enum fill fill, const struct mmsghdr *m, long n)
{
	for (uint32_t i = 0; i < n && i < MESSAGES_MAX; i++)
		call_memory_add(p, &m[i].msg_len, sizeof(m[i].msg_len));
	for (uint32_t i = 0; fill == FILL_MMSGHDR && i < n && i < MESSAGES_MAX; i++)
		after_message(p, i, &m[i].msg_hdr, m[i].msg_len);
}

void call_memory_after(struct call_memory *p, long nr, const struct call_rule *r, const long arg[6], long result)
{
	for (int i = 0; i < OUTPUTS; i++) {
		struct output o = i || r->output[0].fill ? r->output[i] : call_command_output(nr, arg);
		void *at = (void *)arg[o.arg];
		if (o.fill == FILL_NOTHING || !at || result < 0)
			continue;
		switch (o.fill) {
		case FILL_FIXED:
			call_memory_add(p, at, o.bytes);
			break;
		case FILL_RESULT:
			call_memory_add(p, at,
			                min_u64((uint64_t)result, (uint64_t)(o.of ? arg[o.of] : result)) * o.bytes);
			break;
		case FILL_TYPED:
			call_memory_add(p, at, sizeof(long) + (uint64_t)result);
			break;
		case FILL_PAGES:
			call_memory_add(p, at, ((uint64_t)arg[o.of] + 4095) / 4096);
			break;
		case FILL_BITS:
			call_memory_add(p, at, ((uint64_t)arg[o.of] + 63) / 64 * 8);
			break;
		case FILL_COUNTERS:
			call_memory_add(p, at, p->counters);
			break;
		case FILL_TIMES:
			call_memory_add(p, at, (uint64_t)arg[o.of] * o.bytes);
			break;
		case FILL_SIZED:
			call_memory_add(p, (void *)arg[o.of], 4);
			call_memory_add(p, at, p->length[i]);
			break;
		case FILL_IOVEC:
			add_vector(p, at, (uint64_t)arg[o.of], result);
			break;
		case FILL_MSGHDR:
			after_message(p, 0, at, result);
			break;
		default:
			after_messages(p, o.fill, at, result);
		}
	}
}

uint64_t call_memory_size(const struct call_memory *p)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < p->n; i++)
		all += p->at[i].size;
	return all;
}

/* ---- hashes ---- */

uint64_t world_hash_bytes(uint64_t h, const void *data, uint64_t n)
{
	const uint8_t *p = data;

	for (; n >= 8; n -= 8, p += 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = (h ^ word) * 0x9fb21c651e98df25u;
		h ^= h >> 29;
	}
	for (; n; n--)
		h = (h ^ *p++) * 0x100000001b3u;
	return h;
}

uint64_t call_memory_hash(const struct call_memory *p)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (uint32_t i = 0; i < p->n; i++)
		h = world_hash_bytes(h, p->at[i].at, p->at[i].size);
	return h;
}

uint64_t world_sent_hash(long nr, const long arg[6], long result)
{
	static struct call_memory p;
	const struct msghdr *m = (const void *)arg[1];

	if (result <= 0)
		return 0;
	p.n = 0;
	switch (call_rule(nr)->send) {
	case SEND_BUFFER:
		call_memory_add(&p, (const void *)arg[1], min_u64((uint64_t)result, (uint64_t)arg[2]));
		break;
	case SEND_IOVEC:
		add_vector(&p, (const void *)arg[1], (uint64_t)arg[2], result);
		break;
	case SEND_MSGHDR:
		add_vector(&p, m->msg_iov, m->msg_iovlen, result);
		break;
	default:
		break;
	}
	return call_memory_hash(&p);
}
