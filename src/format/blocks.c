/*
 * The container of a recording's log; docs/format.md describes it byte by byte.
 *
 * The checksum of a block starts from the checksum of the block before. So a block is good only at its place: a block
 * that was swapped, doubled, left out or taken from another file is detected like any other damage.
 */
#include "format/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define MAGIC             "OMENLOG\n"
#define MAGIC_SIZE        8
#define VERSION           2
#define HEADER_SIZE       (MAGIC_SIZE + 4)
#define BLOCK_HEADER_SIZE 20
#define CHECKED_SIZE      12 /* the part of a block's header that its checksum covers */
#define END_SIZE          16
#define LEVEL             1
#define FIRST_CHECKSUM    0xcbf29ce484222325u

enum block_kind { BLOCK_DATA = 1, BLOCK_END };

static void put(uint8_t *p, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t get(const uint8_t *p, size_t size)
{
	uint64_t v = 0;

	while (size--)
		v = v << 8 | p[size];
	return v;
}

/* Each step is a bijection of `h` and of the word that is read, so damage to a single word is always detected. */
static uint64_t hash(uint64_t h, const uint8_t *p, size_t size)
{
	uint64_t word;

	for (; size >= sizeof word; size -= sizeof word, p += sizeof word) {
		memcpy(&word, p, sizeof word);
		h = (h ^ word) * 0x9fb21c651e98df25u;
		h ^= h >> 29;
	}
	while (size--)
		h = (h ^ *p++) * 0x100000001b3u;
	return h;
}

static uint64_t block_checksum(uint64_t before, const uint8_t *header, const uint8_t *payload, size_t size)
{
	return hash(hash(before, header, CHECKED_SIZE), payload, size);
}

/* ---- writing ---- */

static bool fail(struct blocks_writer *w, struct error *e)
{
	w->failed = true;
	error_set(&w->error,
	          "cannot write %s: %s; its first %lu bytes can be read; make room, or write to "
	          "another place",
	          w->path, strerror(errno), w->written);
	*e = w->error;
	/* If this fails as well, a reader stops at the same place: the bytes after it are not a whole block. */
	(void)!ftruncate(w->fd, (off_t)w->offset);
	return false;
}

/* Writes the block whose payload is in w->block. */
static bool put_block(struct blocks_writer *w, enum block_kind kind, size_t raw, size_t stored, struct error *e)
{
	uint8_t *payload = w->block + BLOCK_HEADER_SIZE;

	put(w->block, kind, 4);
	put(w->block + 4, raw, 4);
	put(w->block + 8, stored, 4);
	uint64_t checksum = block_checksum(w->checksum, w->block, payload, stored);
	put(w->block + CHECKED_SIZE, checksum, 8);
	if (!file_put(w->fd, w->block, BLOCK_HEADER_SIZE + stored))
		return fail(w, e);
	w->offset += BLOCK_HEADER_SIZE + stored;
	w->checksum = checksum;
	return true;
}

bool blocks_create(struct blocks_writer *w, const char *path, struct error *e)
{
	uint8_t header[HEADER_SIZE] = MAGIC;

	*w = (struct blocks_writer){.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
	if (w->fd < 0)
		return error_set(e, "cannot write %s: %s; write to another place", path, strerror(errno));
	put(header + MAGIC_SIZE, VERSION, 4);
	if (!file_put(w->fd, header, sizeof header)) {
		error_set(e, "cannot write %s: %s; make room, or write to another place", path, strerror(errno));
		blocks_abandon(w);
		return false;
	}
	w->offset = sizeof header;
	w->checksum = FIRST_CHECKSUM;
	w->path = must_format("%s", path);
	w->block = must_alloc(BLOCK_HEADER_SIZE + BLOCKS_RAW_MAX);
	w->compressor = ZSTD_createCCtx(); /* NULL if there is no memory: then blocks are stored uncompressed */
	return true;
}

bool blocks_flush(struct blocks_writer *w, struct error *e)
{
	uint8_t *payload = w->block + BLOCK_HEADER_SIZE;
	size_t raw = w->pending.size, stored = raw;

	if (w->failed) {
		*e = w->error;
		return false;
	}
	if (!raw)
		return true;
	/* The limit of raw - 1 makes zstd fail on data that does not get smaller. */
	if (w->compressor)
		stored = ZSTD_compressCCtx(w->compressor, payload, raw - 1, w->pending.data, raw, LEVEL);
	if (!w->compressor || ZSTD_isError(stored)) {
		memcpy(payload, w->pending.data, raw);
		stored = raw;
	}
	w->pending.size = 0;
	if (!put_block(w, BLOCK_DATA, raw, stored, e))
		return false;
	w->written += raw;
	w->blocks++;
	return true;
}

bool blocks_append(struct blocks_writer *w, const void *data, size_t size, struct error *e)
{
	const uint8_t *p = data;

	if (w->failed) {
		*e = w->error;
		return false;
	}
	while (size) {
		size_t room = BLOCKS_RAW_MAX - w->pending.size, n = size < room ? size : room;
		bytes_add(&w->pending, p, n);
		p += n;
		size -= n;
		if (n == room && !blocks_flush(w, e))
			return false;
	}
	return true;
}

bool blocks_finish(struct blocks_writer *w, struct error *e)
{
	bool ok = blocks_flush(w, e);

	if (ok) {
		put(w->block + BLOCK_HEADER_SIZE, w->written, 8);
		put(w->block + BLOCK_HEADER_SIZE + 8, w->blocks, 8);
		ok = put_block(w, BLOCK_END, END_SIZE, END_SIZE, e);
	}
	if (ok) {
		int fd = w->fd;
		w->fd = -1;
		if (close(fd))
			ok = error_set(e, "cannot write %s: %s; its end may be missing", w->path, strerror(errno));
	}
	blocks_abandon(w);
	return ok;
}

void blocks_abandon(struct blocks_writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	ZSTD_freeCCtx(w->compressor);
	bytes_free(&w->pending);
	free(w->block);
	free(w->path);
	*w = (struct blocks_writer){.fd = -1};
}

/* ---- reading ---- */

struct reader {
	int fd;
	uint64_t blocks, bytes; /* good data blocks, and the bytes in them */
	uint64_t checksum;      /* of the last good block */
	uint8_t header[BLOCK_HEADER_SIZE], payload[BLOCKS_RAW_MAX], raw[BLOCKS_RAW_MAX];
	const uint8_t *data; /* the block's data: points into payload or raw */
	size_t size;
};

/* Reads exactly `size` bytes. Returns NULL, or what is wrong. */
static const char *read_all(int fd, uint8_t *p, size_t size)
{
	while (size) {
		ssize_t n = read(fd, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return strerror(errno);
		if (!n)
			return "cut off";
		p += n;
		size -= (size_t)n;
	}
	return NULL;
}

static const char *get_data(struct reader *r, size_t raw, size_t stored)
{
	r->size = raw;
	r->data = r->payload;
	if (stored == raw)
		return NULL;
	r->data = r->raw;
	return ZSTD_decompress(r->raw, raw, r->payload, stored) == raw ? NULL : "not zstd";
}

static const char *get_end(struct reader *r)
{
	uint8_t more;

	if (r->size != END_SIZE || get(r->data, 8) != r->bytes || get(r->data + 8, 8) != r->blocks)
		return "wrong totals";
	ssize_t n = read(r->fd, &more, 1);
	return n < 0 ? strerror(errno) : n ? "bytes behind the end" : NULL;
}

/* Reads the next block. Returns NULL, or what is wrong with it. */
static const char *get_block(struct reader *r, bool *end)
{
	const char *wrong = read_all(r->fd, r->header, sizeof r->header);

	if (wrong)
		return wrong;
	uint64_t kind = get(r->header, 4), raw = get(r->header + 4, 4), stored = get(r->header + 8, 4);
	if ((kind != BLOCK_DATA && kind != BLOCK_END) || !raw || raw > BLOCKS_RAW_MAX || !stored || stored > raw)
		return "header";
	if ((wrong = read_all(r->fd, r->payload, stored)))
		return wrong;
	r->checksum = block_checksum(r->checksum, r->header, r->payload, stored);
	if (get(r->header + CHECKED_SIZE, 8) != r->checksum)
		return "checksum";
	wrong = get_data(r, raw, stored);
	*end = kind == BLOCK_END;
	return wrong || !*end ? wrong : get_end(r);
}

/* Reads all blocks. True if the end block is reached. */
static bool get_stream(struct reader *r, const char *path, size_t limit, struct bytes *out, struct error *e)
{
	for (;;) {
		bool end = false;
		const char *wrong = get_block(r, &end);

		if (wrong)
			return error_set(
			        e,
			        "cannot read all of %s: block %lu is damaged (%s), the %zu bytes before it are "
			        "good; use these, or record again",
			        path, r->blocks + 1, wrong, out->size);
		if (end)
			return true;
		size_t room = limit - out->size;
		bytes_add(out, r->data, r->size < room ? r->size : room);
		if (r->size > room)
			return error_set(e, "cannot read all of %s: block %lu goes beyond the limit of %zu bytes", path,
			                 r->blocks + 1, limit);
		r->blocks++;
		r->bytes += r->size;
	}
}

static bool get_header(int fd, const char *path, struct error *e)
{
	uint8_t header[HEADER_SIZE];
	const char *wrong = read_all(fd, header, sizeof header);

	if (wrong)
		return error_set(e, "cannot read %s: its header: %s; record again", path, wrong);
	if (memcmp(header, MAGIC, MAGIC_SIZE))
		return error_set(e, "cannot read %s: not a log of Omen; record again", path);
	if (get(header + MAGIC_SIZE, 4) != VERSION)
		return error_set(e, "cannot read %s: log format %lu, this omen reads %d; record again", path,
		                 get(header + MAGIC_SIZE, 4), VERSION);
	return true;
}

bool blocks_read(const char *path, size_t limit, struct bytes *out, bool *complete, struct error *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*out = (struct bytes){0};
	*complete = false;
	if (fd < 0)
		return error_set(e, "cannot read %s: %s; record again", path, strerror(errno));
	bool ok = get_header(fd, path, e);
	if (ok) {
		struct reader *r = must_resize(NULL, sizeof *r);
		r->fd = fd;
		r->blocks = r->bytes = 0;
		r->checksum = FIRST_CHECKSUM;
		*complete = get_stream(r, path, limit, out, e);
		free(r);
	}
	close(fd);
	return ok;
}
