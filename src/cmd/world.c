#include "cmd/world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE (256u << 10)
#define MUCH  (4ul << 20)

bool world_file_begin(struct world_file *f, const char *path, struct error *e)
{
	*f = (struct world_file){0};
	if (!blocks_create(&f->writer, path, e))
		return false;
	f->path = must_format("%s", path);
	return true;
}

static void take(struct world_file *f, const struct process *p, uint64_t size)
{
	static uint8_t piece[PIECE];

	while (!f->failed && f->taken < size) {
		size_t n = size - f->taken < PIECE ? (size_t)(size - f->taken) : PIECE;
		ssize_t got = pread(p->board_fd, piece, n, (off_t)(BOARD_SIZE + f->taken));
		if (got <= 0)
			f->failed = !error_set(&f->error, "cannot read the log behind the board: %s", strerror(errno));
		else
			f->failed = !blocks_append(&f->writer, piece, (size_t)got, &f->error);
		f->taken += got > 0 ? (uint64_t)got : 0;
	}
}

static uint64_t log_size(const struct process *p)
{
	uint64_t size = __atomic_load_n(&p->board->log_bytes, __ATOMIC_ACQUIRE);
	return size < WORLD_LOG_SIZE ? size : WORLD_LOG_SIZE;
}

void world_file_take(struct world_file *f, struct process *p)
{
	uint64_t size = log_size(p), before = f->taken & ~4095ul;

	if (size - f->taken < MUCH)
		return;
	take(f, p, size);
	/* its memory is free again */
	fallocate(p->board_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(BOARD_SIZE + before),
	          (off_t)((f->taken & ~4095ul) - before));
}

bool world_file_end(struct world_file *f, struct process *p, struct error *e)
{
	take(f, p, log_size(p));
	if (!f->failed)
		return blocks_finish(&f->writer, e);
	blocks_abandon(&f->writer);
	*e = f->error;
	return false;
}

void world_file_remove(struct world_file *f)
{
	if (f->path)
		unlink(f->path);
	free(f->path);
	f->path = NULL;
}

static bool is_sound(const struct world_entry *e, const uint8_t *bytes)
{
	if (e->kind < WORLD_CALL || e->kind > WORLD_PLACE || e->names > e->bytes || (e->names && bytes[e->bytes - 1]))
		return false;
	bool starts_with_name = e->kind == WORLD_BEFORE || (e->kind == WORLD_PLACE && e->bytes);
	return !starts_with_name || memchr(bytes, 0, e->bytes);
}

/* How much of it is whole entries: a recording may have been cut anywhere. */
static size_t whole_entries(const struct bytes *log)
{
	size_t at = 0;

	for (;;) {
		struct world_entry e;
		if (log->size - at < sizeof e)
			return at;
		memcpy(&e, log->data + at, sizeof e);
		uint64_t size = sizeof e + (((uint64_t)e.bytes + 7) & ~7ul);
		if (size > log->size - at || !is_sound(&e, log->data + at + sizeof e))
			return at;
		at += size;
	}
}

bool world_give(struct process *p, const struct bytes *log, bool whole, struct error *e)
{
	size_t size = whole_entries(log);

	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(p->board_fd, log->data + done, size - done, (off_t)(BOARD_SIZE + done));
		if (n <= 0)
			return error_set(e, "cannot put the recording behind the board: %s", strerror(errno));
		done += (size_t)n;
	}
	p->board->log_bytes = size;
	p->board->log_cut = !whole;
	p->board->config.world = WORLD_REPLAY;
	return true;
}

bool world_give_file(struct process *p, const char *path, struct error *e)
{
	struct bytes log = {0};
	bool whole, ok = blocks_read(path, WORLD_LIMIT, &log, &whole, e);

	ok = ok && whole && world_give(p, &log, true, e);
	bytes_free(&log);
	return ok;
}
