/*
 * The schedule file, byte by byte. Numbers are little-endian.
 *
 *   header      8 bytes  "OMENSCH" and a newline
 *               4 bytes  version of the format: 2
 *   blocks      4 bytes  size of the payload
 *               4 bytes  entries in it (1 … 4096); 0: the last block
 *               4 bytes  CRC-32 of the eight bytes before and of the payload
 *               payload
 *
 * The payload of a block is its entries, one after the other, each five varints (LEB128, unsigned, at most 10 bytes):
 *
 *   point       zigzag of the difference to the entry before
 *   kind        2 * choice_kind + blocked
 *   chosen      the fiber, or the number of the possibility
 *   from
 *   where       zigzag of the difference to the entry before
 *
 * Differences start from 0 in each block, so a block stands alone and a damaged file has a good prefix. The payload of
 * the last block is one varint, the number of entries of the whole file: a file cut between two blocks is noticed.
 * Nothing follows it.
 */
#include "trace/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "trace/crc32.h"

#define MAGIC             "OMENSCH\n"
#define MAGIC_SIZE        8
#define VERSION           2
#define HEADER_SIZE       (MAGIC_SIZE + 4)
#define BLOCK_HEADER_SIZE 12
#define BLOCK_ENTRIES     4096
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

static uint32_t block_checksum(const uint8_t *header, const uint8_t *payload, size_t size)
{
	return crc32_of(crc32_of(0, header, 8), payload, size);
}

static void put_block(struct bytes *file, const struct bytes *payload, uint32_t entries)
{
	uint8_t header[BLOCK_HEADER_SIZE];

	put_u32(header, (uint32_t)payload->size);
	put_u32(header + 4, entries);
	put_u32(header + 8, block_checksum(header, payload->data, payload->size));
	bytes_add(file, header, sizeof header);
	bytes_add(file, payload->data, payload->size);
}

struct bytes schedule_encode(const struct schedule_entry *entries, uint64_t count)
{
	struct bytes file = {0}, payload = {0};
	uint8_t version[4];

	put_u32(version, VERSION);
	bytes_add(&file, MAGIC, MAGIC_SIZE);
	bytes_add(&file, version, sizeof version);
	for (uint64_t i = 0; i < count;) {
		uint64_t last = count - i < BLOCK_ENTRIES ? count : i + BLOCK_ENTRIES, first = i;
		struct schedule_entry before = {0};

		payload.size = 0;
		for (; i < last; i++) {
			const struct schedule_entry *s = &entries[i];
			put_varint(&payload, zigzag(s->point - before.point));
			put_varint(&payload, 2 * s->kind + !!s->blocked);
			put_varint(&payload, s->chosen);
			put_varint(&payload, s->from);
			put_varint(&payload, zigzag(s->where - before.where));
			before = *s;
		}
		put_block(&file, &payload, (uint32_t)(last - first));
	}
	payload.size = 0;
	put_varint(&payload, count);
	put_block(&file, &payload, 0);
	bytes_free(&payload);
	return file;
}

static bool get_entry(const uint8_t **p, const uint8_t *end, const struct schedule_entry *before,
                      struct schedule_entry *s)
{
	uint64_t point, kind, chosen, from, where;

	if (!get_varint(p, end, &point) || !get_varint(p, end, &kind) || !get_varint(p, end, &chosen) ||
	    !get_varint(p, end, &from) || !get_varint(p, end, &where))
		return false;
	if (kind > 2 * CHOICE_PICK + 1 || chosen > UINT32_MAX || from > UINT32_MAX)
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

/* All entries of a block whose checksum is good; NULL, or what is wrong with it. */
static const char *get_block(const uint8_t *payload, size_t size, uint32_t entries, struct schedule_entry *out)
{
	struct schedule_entry before = {0};
	const uint8_t *end = payload + size;

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

bool schedule_decode(const char *path, const struct bytes *file, struct schedule_entry **entries, uint64_t *count,
                     struct error *e)
{
	const uint8_t *p = file->data + HEADER_SIZE, *end_of_file = file->data + file->size;
	struct bytes all = {0};
	struct schedule_entry block[BLOCK_ENTRIES];
	const char *wrong;

	*entries = NULL;
	*count = 0;
	if (file->size < HEADER_SIZE || memcmp(file->data, MAGIC, MAGIC_SIZE))
		return error_set(e, "cannot read %s: not a schedule of Omen", path);
	if (get_u32(file->data + MAGIC_SIZE) != VERSION)
		return error_set(e, "cannot read %s: schedule format %u, this omen reads %d; record again", path,
		                 get_u32(file->data + MAGIC_SIZE), VERSION);
	for (unsigned number = 1;; number++) {
		wrong = "cut off";
		if (end_of_file - p >= BLOCK_HEADER_SIZE) {
			uint32_t size = get_u32(p), n = get_u32(p + 4);
			const uint8_t *payload = p + BLOCK_HEADER_SIZE;
			if (size > (size_t)(end_of_file - payload))
				wrong = "cut off, or its length is damaged";
			else if (get_u32(p + 8) != block_checksum(p, payload, size))
				wrong = "checksum";
			else if (n > BLOCK_ENTRIES)
				wrong = "too many entries";
			else if (n)
				wrong = get_block(payload, size, n, block);
			else
				wrong = get_last_block(payload, payload + size, end_of_file, *count);
			if (!wrong && !n)
				return true;
			if (!wrong) {
				bytes_add(&all, block, n * sizeof block[0]);
				*entries = (void *)all.data;
				*count += n;
				p = payload + size;
				continue;
			}
		}
		return error_set(e,
		                 "cannot read %s: block %u is damaged (%s), the %lu entries before it are good; "
		                 "record again",
		                 path, number, wrong, *count);
	}
}

bool schedule_read(const char *path, struct schedule_entry **entries, uint64_t *count, struct error *e)
{
	struct bytes file;

	*entries = NULL;
	*count = 0;
	if (!file_read(path, FILE_LIMIT, &file, e))
		return false;
	bool ok = schedule_decode(path, &file, entries, count, e);
	bytes_free(&file);
	return ok;
}
