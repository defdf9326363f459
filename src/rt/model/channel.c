/*
 * Bytes that the program sends itself, in pieces.  In a pipe a piece is a page, as in the kernel: how much a pipe
 * takes depends on how it was filled.  In a socket a piece is what one call has sent.
 */
#include <errno.h>
#include <string.h>

#include "rt/model/parts.h"

#define PAGE          4096u
#define SOCKET_ROOM   (1u << 18)
#define SOCKET_PIECES 256

struct channel *channel_new(enum channel_kind kind)
{
	struct channel *c = model_alloc(sizeof(*c));

	c->kind = kind;
	c->most = kind == CHANNEL_PIPE ? PIPE_PAGES : SOCKET_PIECES;
	c->room = kind == CHANNEL_PIPE ? PIPE_PAGES * PAGE : SOCKET_ROOM;
	c->data = model_alloc(c->room);
	c->pieces = model_alloc(c->most * sizeof(*c->pieces));
	return c;
}

void channel_free(struct channel *c)
{
	model_free(c->data, c->room);
	model_free(c->pieces, c->most * sizeof(*c->pieces));
	model_free(c, sizeof(*c));
}

static struct piece *piece_at(const struct channel *c, uint32_t i) { return &c->pieces[(c->first + i) % c->most]; }

static void copy_out(const struct channel *c, uint32_t skip, uint8_t *to, uint32_t n)
{
	for (uint32_t done = 0; to && done < n;) {
		uint32_t at = (c->start + skip + done) % c->room, some = c->room - at;
		some = some < n - done ? some : n - done;
		memcpy(to + done, c->data + at, some);
		done += some;
	}
}

/* Gives a pipe another size and keeps its contents. */
bool channel_resize(struct channel *c, uint32_t pages)
{
	struct channel new = *c;

	if (c->count > pages)
		return false;
	new.most = pages;
	new.room = pages *PAGE;
	new.data = model_alloc(new.room);
	new.pieces = model_alloc(new.most * sizeof(*new.pieces));
	for (uint32_t i = 0; i < c->count; i++)
		new.pieces[i] = *piece_at(c, i);
	copy_out(c, 0, new.data, c->used);
	new.first = new.start = 0;
	model_free(c->data, c->room);
	model_free(c->pieces, c->most * sizeof(*c->pieces));
	*c = new;
	return true;
}

void channel_purge(struct channel *c) { c->used = c->count = 0; }

bool channel_has_room(const struct channel *c)
{
	return c->count < c->most && (c->kind == CHANNEL_PIPE || c->used * 4 <= c->room);
}

/* ---- putting ---- */

struct source {
	const struct iovec *iov;
	size_t n, at;
	uint64_t inside;
};

static void put_bytes(struct channel *c, struct source *s, uint64_t n)
{
	while (n && s->at < s->n) {
		uint64_t left = s->iov[s->at].iov_len - s->inside, at = (c->start + c->used) % c->room,
		         some = c->room - at;
		some = some < n ? some : n;
		some = some < left ? some : left;
		memcpy(c->data + at, (const uint8_t *)s->iov[s->at].iov_base + s->inside, some);
		c->used += (uint32_t)some;
		n -= some;
		s->inside += some;
		if (s->inside == s->iov[s->at].iov_len) {
			s->at++;
			s->inside = 0;
		}
	}
}

static void put_piece(struct channel *c, struct source *s, uint64_t n, bool packet)
{
	*piece_at(c, c->count++) = (struct piece){.left = (uint32_t)n, .end = (uint32_t)n, .packet = packet};
	put_bytes(c, s, n);
}

static long put_pages(struct channel *c, struct source *s, uint64_t size, bool packet)
{
	struct piece *last = c->count ? piece_at(c, c->count - 1) : NULL;
	uint64_t done = size % PAGE;

	if (last && done && !last->packet && last->end + done <= PAGE) {
		put_bytes(c, s, done);
		last->left += (uint32_t)done;
		last->end += (uint32_t)done;
	} else {
		done = 0;
	}
	while (done < size && c->count < c->most) {
		uint64_t some = size - done < PAGE ? size - done : PAGE;
		put_piece(c, s, some, packet);
		done += some;
	}
	return done ? (long)done : -EAGAIN;
}

static uint64_t total(const struct iovec *iov, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += iov[i].iov_len;
	return all;
}

long channel_put(struct channel *c, const struct iovec *iov, size_t n, bool packet)
{
	struct source s = {.iov = iov, .n = n};
	uint64_t size = total(iov, n), room = c->room - c->used;

	if (c->kind == CHANNEL_PIPE)
		return put_pages(c, &s, size, packet);
	if (c->kind == CHANNEL_PACKETS && size > c->room / 2)
		return -EMSGSIZE;
	if (c->count == c->most || (c->kind == CHANNEL_PACKETS ? size > room : !room))
		return -EAGAIN;
	size = size < room ? size : room;
	put_piece(c, &s, size, c->kind == CHANNEL_PACKETS);
	return (long)size;
}

/* ---- taking ---- */

static void drop_first(struct channel *c)
{
	c->first = (c->first + 1) % c->most;
	c->count--;
}

/* Copies into the vector, from byte `done` of it on; elements without an address are only counted. */
static void spread(const struct channel *c, uint32_t skip, const struct iovec *iov, size_t n, uint64_t done,
                   uint64_t size)
{
	for (size_t i = 0; i < n && size; i++) {
		if (done >= iov[i].iov_len) {
			done -= iov[i].iov_len;
			continue;
		}
		uint64_t some = iov[i].iov_len - done < size ? iov[i].iov_len - done : size;
		if (iov[i].iov_base)
			copy_out(c, skip, (uint8_t *)iov[i].iov_base + done, (uint32_t)some);
		skip += (uint32_t)some;
		size -= some;
		done = 0;
	}
}

struct taken channel_take(struct channel *c, const struct iovec *iov, size_t n, bool peek)
{
	struct taken t = {.was_full = c->count == c->most};
	uint64_t want = total(iov, n);
	uint32_t skip = 0;

	for (uint32_t i = 0; peek ? i < c->count : c->count;) {
		struct piece *p = piece_at(c, peek ? i++ : 0);
		bool packet = p->packet;
		uint64_t some = p->left < want - t.bytes ? p->left : want - t.bytes;
		if (!some && !packet)
			break;
		spread(c, skip, iov, n, t.bytes, some);
		t.bytes += some;
		t.whole = packet ? p->left : t.bytes;
		uint32_t gone = packet ? p->left : (uint32_t)some;
		if (peek) {
			skip += gone;
		} else {
			c->start = (c->start + gone) % c->room;
			c->used -= gone;
			p->left -= gone;
			if (!p->left) {
				drop_first(c);
				t.emptied = true;
			}
		}
		if (packet)
			break;
	}
	return t;
}
