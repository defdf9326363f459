/*
 * A byte stream of any length in a file of checksummed, compressed blocks: whatever ends the writer leaves a readable
 * prefix. The format stands in docs/format.md.
 */
#ifndef OMEN_BLOCKS_H
#define OMEN_BLOCKS_H

#include "format/file.h"

#define BLOCKS_RAW_MAX (256u << 10) /* bytes of the stream in one block, at most */

struct ZSTD_CCtx_s;

struct blocks_writer {
	int fd; /* -1: not open */
	char *path;
	struct bytes pending; /* not in a block yet */
	uint64_t written;     /* bytes of the stream in whole blocks of the file */
	uint64_t blocks;      /* their number */
	uint64_t offset;      /* in the file: behind the last whole block */
	uint64_t checksum;    /* of the last whole block */
	uint8_t *block;       /* room for one */
	struct ZSTD_CCtx_s *compressor;
	bool failed; /* nothing more is written; the reason is kept */
	struct error error;
};

/* Creates or replaces a file and writes its header. False: it cannot be written; there is nothing to abandon. */
bool blocks_create(struct blocks_writer *w, const char *path, struct error *e);
/*
 * Adds to the stream; every 256 KiB of it become a block, written at once. False: a write failed. The file then ends
 * with its last whole block, and from here on every call fails with the same line.
 */
bool blocks_append(struct blocks_writer *w, const void *data, size_t size, struct error *e);
/* What is pending becomes a short block. False: as blocks_append. */
bool blocks_flush(struct blocks_writer *w, struct error *e);
/* Flushes, writes the end of the stream and closes; *w is free in any case. False: the file has no end. */
bool blocks_finish(struct blocks_writer *w, struct error *e);
/* Closes and frees; what is pending is lost, the file stays as it is. */
void blocks_abandon(struct blocks_writer *w);

/*
 * Reads the stream back, at most `limit` bytes of it; *out is to be freed. False: nothing is usable (the file cannot be
 * opened, is something else, or of another version). True and not *complete: the file is damaged or cut, or the stream
 * is longer than the limit; *out has all that comes before, and `e` names path, block and how many bytes are good.
 */
bool blocks_read(const char *path, size_t limit, struct bytes *out, bool *complete, struct error *e);

#endif
