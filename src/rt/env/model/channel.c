#include <errno.h>
#include <string.h>

#include "rt/arena.h"
#include "rt/env/model/parts.h"

#define ATOMIC_WRITE 4096 /* a pipe takes so much whole, or not at all */

struct channel *channel_new(uint32_t room, bool packets)
{
	struct channel *c = arena_alloc(sizeof(*c));

	c->data = arena_alloc(room);
	c->room = room;
	c->packets = packets;
	return c;
}

bool channel_has_room(const struct channel *c) { return c->room - c->used >= ATOMIC_WRITE; }

static void put_bytes(struct channel *c, const uint8_t *from, uint32_t n)
{
	for (uint32_t done = 0; done < n;) {
		uint32_t at = (c->start + c->used) % c->room, piece = c->room - at;
		piece = piece < n - done ? piece : n - done;
		memcpy(c->data + at, from + done, piece);
		c->used += piece;
		done += piece;
	}
}

static void take_bytes(struct channel *c, uint32_t skip, uint8_t *to, uint32_t n)
{
	for (uint32_t done = 0; done < n;) {
		uint32_t at = (c->start + skip + done) % c->room, piece = c->room - at;
		piece = piece < n - done ? piece : n - done;
		memcpy(to + done, c->data + at, piece);
		done += piece;
	}
}

void channel_drop(struct channel *c, uint32_t bytes)
{
	bytes = bytes < c->used ? bytes : c->used;
	c->start = (c->start + bytes) % c->room;
	c->used -= bytes;
	c->got++;
}

static uint64_t total(const struct iovec *iov, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += iov[i].iov_len;
	return all;
}

long channel_put(struct channel *c, const struct iovec *iov, size_t n, bool all)
{
	uint64_t size = total(iov, n), room = c->room - c->used;
	uint32_t header = (uint32_t)size;

	if (!c->readers)
		return -EPIPE;
	if (c->packets && size + sizeof(header) > c->room)
		return -EMSGSIZE;
	bool whole = all || c->packets || size <= ATOMIC_WRITE;
	if (size && (whole ? size + (c->packets ? sizeof(header) : 0) > room : !room))
		return -EAGAIN;
	if (c->packets)
		put_bytes(c, (const uint8_t *)&header, sizeof(header));
	size = size < room ? size : room;
	for (uint64_t i = 0, left = size; i < n && left; i++) {
		uint32_t piece = (uint32_t)(iov[i].iov_len < left ? iov[i].iov_len : left);
		put_bytes(c, iov[i].iov_base, piece);
		left -= piece;
	}
	c->put++;
	return (long)size;
}

long channel_take(struct channel *c, const struct iovec *iov, size_t n, bool peek)
{
	uint32_t header = 0, skip = 0, have = c->used;

	if (!c->used)
		return c->writers ? -EAGAIN : 0;
	if (c->packets) {
		take_bytes(c, 0, (uint8_t *)&header, sizeof(header));
		skip = sizeof(header);
		have = header;
	}
	uint32_t done = 0;
	for (size_t i = 0; i < n && done < have; i++) {
		uint32_t piece = (uint32_t)(iov[i].iov_len < have - done ? iov[i].iov_len : have - done);
		take_bytes(c, skip + done, iov[i].iov_base, piece);
		done += piece;
	}
	if (!peek)
		channel_drop(c, c->packets ? skip + header : done);
	return done;
}
