/*
 * A byte stream of any length in a file of checksummed, compressed blocks. However the writer ends, the file has a
 * readable prefix. docs/format.md describes the bytes. src/run writes logs of recordings with it, src/classify its
 * journal.
 */
#ifndef OMEN_BLOCKS_H
#define OMEN_BLOCKS_H

#include "format/file.h"

#define BLOCKS_RAW_MAX (256u << 10) /* the most bytes of the stream in one block */

struct ZSTD_CCtx_s;

struct blocks_writer {
	int fd; /* -1: not open */
	char *path;
	struct bytes pending; /* not yet in a block */
	uint64_t written;     /* bytes of the stream that are in whole blocks of the file */
	uint64_t blocks;      /* number of these blocks */
	uint64_t offset;      /* end of the last whole block in the file */
	uint64_t checksum;    /* of this block */
	uint8_t *block;       /* buffer for one block */
	struct ZSTD_CCtx_s *compressor;
	bool failed; /* nothing more is written; `error` has the reason */
	struct error error;
};

/*
 * Creates or replaces a file and writes its header. False: the file cannot be written, and nothing needs to be
 * released.
 */
bool blocks_create(struct blocks_writer *w, const char *path, struct error *e);
/*
 * Appends to the stream. Every 256 KiB become a block, which is written at once. False: a write failed. Then the file
 * ends with its last whole block, and every later call fails with the same message.
 */
bool blocks_append(struct blocks_writer *w, const void *data, size_t size, struct error *e);
/* Writes what is pending as a short block. Fails as blocks_append. */
bool blocks_flush(struct blocks_writer *w, struct error *e);
/* Flushes, writes the end of the stream and closes the file. *w is released in any case. False: the file has no end. */
bool blocks_finish(struct blocks_writer *w, struct error *e);
/* Closes the file and releases *w. What is pending is lost; the file stays as it is. */
void blocks_abandon(struct blocks_writer *w);

/*
 * Reads the stream back, at most `limit` bytes. The caller frees *out. False: nothing is usable (the file cannot be
 * opened, is something else, or has another version). True with *complete false: the file is damaged or cut, or the
 * stream is longer than the limit; *out has everything before that place, and `e` names the path, the block and the
 * number of good bytes.
 */
bool blocks_read(const char *path, size_t limit, struct bytes *out, bool *complete, struct error *e);

#endif
