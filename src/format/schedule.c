/*
 * The schedule file; docs/format.md describes it byte by byte.
 *
 * Each block can be read without the others, except that its checksum starts from the checksum of the block before, so
 * a block is good only at its place. Each block says up to which point the recording is complete with it. So however
 * the writer ends, the blocks that exist say how far the recording can be replayed.
 */
#include "format/schedule.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/crc32.h"

#define MAGIC             "OMENSCH\n"
#define MAGIC_SIZE        8
#define VERSION           4
#define HEADER_SIZE       (MAGIC_SIZE + 4)
#define BLOCK_HEADER_SIZE 12
#define BLOCK_ENTRIES     4096
#define LAST_BLOCK        UINT32_MAX /* in the place of a number of entries */
#define FILE_LIMIT        (1ul << 32)

static void put_u32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t get_u32(const uint8_t *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }

static void put_varint(struct bytes *b, uint64_t v)
{
	uint8_t buffer[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		buffer[n++] = (uint8_t)(v | 0x80);
	buffer[n++] = (uint8_t)v;
	bytes_add(b, buffer, n);
}

static bool get_varint(const uint8_t **p, const uint8_t *end, uint64_t *v)
{
	*v = 0;
	for (int shift = 0; *p < end && shift < 64; shift += 7) {
		uint8_t byte = *(*p)++;
		if (shift == 63 && byte > 1)
			return false;
		*v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static uint64_t zigzag(uint64_t difference) { return difference << 1 ^ (0 - (difference >> 63)); }
static uint64_t unzigzag(uint64_t v) { return v >> 1 ^ (0 - (v & 1)); }

static uint32_t block_checksum(uint32_t before, const uint8_t *header, const uint8_t *payload, size_t size)
{
	return crc32_of(crc32_of(before, header, 8), payload, size);
}

/* ---- writing ---- */

static void put_header(struct bytes *file)
{
	uint8_t version[4];

	put_u32(version, VERSION);
	bytes_add(file, MAGIC, MAGIC_SIZE);
	bytes_add(file, version, sizeof version);
}

static void put_block(struct bytes *file, const struct bytes *payload, uint32_t entries, uint32_t *checksum)
{
	uint8_t header[BLOCK_HEADER_SIZE];

	put_u32(header, (uint32_t)payload->size);
	put_u32(header + 4, entries);
	*checksum = block_checksum(*checksum, header, payload->data, payload->size);
	put_u32(header + 8, *checksum);
	bytes_add(file, header, sizeof header);
	bytes_add(file, payload->data, payload->size);
}

static void put_entries(struct bytes *file, const struct schedule_entry *entries, uint32_t count,
                        const struct schedule_mark *mark, uint32_t *checksum)
{
	struct schedule_entry before = {0};
	struct bytes payload = {0};

	put_varint(&payload, mark->point);
	put_varint(&payload, mark->log);
	for (uint32_t i = 0; i < count; i++) {
		const struct schedule_entry *s = &entries[i];
		put_varint(&payload, zigzag(s->point - before.point));
		put_varint(&payload, 2 * s->kind + !!s->blocked);
		put_varint(&payload, s->chosen);
		put_varint(&payload, s->from);
		put_varint(&payload, zigzag(s->where - before.where));
		before = *s;
	}
	put_block(file, &payload, count, checksum);
	bytes_free(&payload);
}

static void put_last(struct bytes *file, uint64_t count, uint32_t *checksum)
{
	struct bytes payload = {0};

	put_varint(&payload, count);
	put_block(file, &payload, LAST_BLOCK, checksum);
	bytes_free(&payload);
}

static uint32_t at_most_a_block(uint64_t count) { return count < BLOCK_ENTRIES ? (uint32_t)count : BLOCK_ENTRIES; }

struct bytes schedule_encode(const struct schedule_entry *entries, uint64_t count)
{
	struct bytes file = {0};
	uint32_t checksum = 0;

	put_header(&file);
	for (uint64_t i = 0; i < count;) {
		uint32_t n = at_most_a_block(count - i);
		struct schedule_mark mark = {.point = entries[i + n - 1].point + 1};
		put_entries(&file, entries + i, n, &mark, &checksum);
		i += n;
	}
	put_last(&file, count, &checksum);
	return file;
}

/* Writes a whole block, or removes again what it has written of it. */
static bool write_block(struct schedule_writer *w, struct bytes *block, struct error *e)
{
	bool ok = file_put(w->fd, block->data, block->size);

	if (ok) {
		w->offset += block->size;
	} else {
		error_set(e, "cannot write %s: %s; make room, or write to another place", w->path, strerror(errno));
		/* If this fails as well, a reader stops at the same place: the bytes after it are not a whole block. */
		(void)!ftruncate(w->fd, (off_t)w->offset);
	}
	bytes_free(block);
	return ok;
}

bool schedule_create(struct schedule_writer *w, const char *path, struct error *e)
{
	struct bytes header = {0};

	*w = (struct schedule_writer){.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
	if (w->fd < 0)
		return error_set(e, "cannot write %s: %s; write to another place", path, strerror(errno));
	w->path = must_format("%s", path);
	put_header(&header);
	if (write_block(w, &header, e))
		return true;
	schedule_close(w);
	return false;
}

bool schedule_append(struct schedule_writer *w, const struct schedule_entry *entries, uint64_t count,
                     const struct schedule_mark *mark, struct error *e)
{
	bool ok = true;

	do {
		struct bytes block = {0};
		struct schedule_mark now = *mark;
		uint32_t n = at_most_a_block(count);

		/* the choices of the next entry and later ones are not yet in the file */
		if (count > n && entries[n].point < now.point)
			now.point = entries[n].point;
		put_entries(&block, entries, n, &now, &w->checksum);
		ok = write_block(w, &block, e);
		if (ok)
			w->mark = now;
		w->count += n;
		count -= n;
		entries = count ? entries + n : NULL;
	} while (ok && count);
	return ok;
}

bool schedule_finish(struct schedule_writer *w, struct error *e)
{
	struct bytes block = {0};

	put_last(&block, w->count, &w->checksum);
	return write_block(w, &block, e);
}

void schedule_close(struct schedule_writer *w)
{
	if (w->fd >= 0)
		close(w->fd);
	free(w->path);
	*w = (struct schedule_writer){.fd = -1};
}

/* ---- reading ---- */

static bool get_entry(const uint8_t **p, const uint8_t *end, const struct schedule_entry *before,
                      struct schedule_entry *s)
{
	uint64_t point, kind, chosen, from, where;

	if (!get_varint(p, end, &point) || !get_varint(p, end, &kind) || !get_varint(p, end, &chosen) ||
	    !get_varint(p, end, &from) || !get_varint(p, end, &where))
		return false;
	if (kind > 2 * CHOICE_TIME + 1 || chosen > UINT32_MAX || from > UINT32_MAX)
		return false;
	*s = (struct schedule_entry){
	        .point = before->point + unzigzag(point),
	        .kind = (uint32_t)kind / 2,
	        .chosen = (uint32_t)chosen,
	        .from = (uint32_t)from,
	        .blocked = (uint32_t)kind & 1,
	        .where = before->where + unzigzag(where),
	};
	return true;
}

/* Reads a block whose checksum is good. Returns NULL, or what is wrong with it. */
static const char *get_block(const uint8_t *payload, size_t size, uint32_t entries, struct schedule_mark *mark,
                             struct schedule_entry *out)
{
	struct schedule_entry before = {0};
	const uint8_t *end = payload + size;

	if (!get_varint(&payload, end, &mark->point) || !get_varint(&payload, end, &mark->log))
		return "no mark";
	for (uint32_t i = 0; i < entries; i++) {
		if (!get_entry(&payload, end, &before, &out[i]))
			return "not a schedule's entries";
		before = out[i];
	}
	return payload == end ? NULL : "bytes left over";
}

static const char *get_last_block(const uint8_t *payload, const uint8_t *end, const uint8_t *end_of_file,
                                  uint64_t count)
{
	uint64_t total;

	if (!get_varint(&payload, end, &total) || payload != end || total != count)
		return "a wrong number of entries";
	return end == end_of_file ? NULL : "bytes behind the last block";
}

struct reader {
	const uint8_t *at, *end;
	uint32_t checksum; /* of the last good block */
	struct bytes entries, marks;
};

/* Reads the next block. Returns NULL, or what is wrong with it. */
static const char *read_block(struct reader *r, struct schedule *s)
{
	struct schedule_entry block[BLOCK_ENTRIES];
	struct schedule_mark mark;

	if (r->end - r->at < BLOCK_HEADER_SIZE)
		return "cut off";
	uint32_t size = get_u32(r->at), n = get_u32(r->at + 4);
	const uint8_t *payload = r->at + BLOCK_HEADER_SIZE;
	if (size > (size_t)(r->end - payload))
		return "cut off, or its length is damaged";
	uint32_t checksum = block_checksum(r->checksum, r->at, payload, size);
	if (get_u32(r->at + 8) != checksum)
		return "checksum";
	if (n == LAST_BLOCK) {
		const char *wrong = get_last_block(payload, payload + size, r->end, s->count);
		s->whole = !wrong;
		return wrong;
	}
	const char *wrong = n > BLOCK_ENTRIES ? "too many entries" : get_block(payload, size, n, &mark, block);
	if (wrong)
		return wrong;
	bytes_add(&r->entries, block, n * sizeof block[0]);
	bytes_add(&r->marks, &mark, sizeof mark);
	s->count += n;
	s->nmarks++;
	r->checksum = checksum;
	r->at = payload + size;
	return NULL;
}

bool schedule_decode(const char *path, const struct bytes *file, struct schedule *s, struct error *e)
{
	struct reader r = {.at = file->data + HEADER_SIZE, .end = file->data + file->size};
	const char *wrong = NULL;

	*s = (struct schedule){0};
	if (file->size < HEADER_SIZE || memcmp(file->data, MAGIC, MAGIC_SIZE))
		return error_set(e, "cannot read %s: not a schedule of Omen", path);
	if (get_u32(file->data + MAGIC_SIZE) != VERSION)
		return error_set(e, "cannot read %s: schedule format %u, this omen reads %d; record again", path,
		                 get_u32(file->data + MAGIC_SIZE), VERSION);
	while (!wrong && !s->whole)
		wrong = read_block(&r, s);
	s->usable = true;
	s->entries = (void *)r.entries.data;
	s->marks = (void *)r.marks.data;
	if (!wrong)
		return true;
	return error_set(e,
	                 "cannot read all of %s: block %lu is damaged (%s), the %lu entries before it are good; use "
	                 "these, or record again",
	                 path, s->nmarks + 1, wrong, s->count);
}

bool schedule_read(const char *path, struct schedule *s, struct error *e)
{
	struct bytes file;

	*s = (struct schedule){0};
	if (!file_read(path, FILE_LIMIT, &file, e))
		return false;
	bool ok = schedule_decode(path, &file, s, e);
	bytes_free(&file);
	return ok;
}

struct schedule_mark schedule_mark_within(const struct schedule *s, uint64_t log)
{
	struct schedule_mark best = {0};

	for (uint64_t i = 0; i < s->nmarks; i++)
		if (s->marks[i].log <= log && s->marks[i].point >= best.point)
			best = s->marks[i];
	return best;
}

void schedule_free(struct schedule *s)
{
	free(s->entries);
	free(s->marks);
	*s = (struct schedule){0};
}
