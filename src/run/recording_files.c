/*
 * Log and schedule are copied at different moments, and either file may end earlier than the other. So each block of
 * the schedule says up to which point the recording is complete with it, and how many bytes of the log that takes. The
 * point is read from the board before anything else, and written after everything else.
 */
#include "run/recording_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PIECE   (256u << 10)
#define SYNC_MS 1000

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool recording_files_begin(struct recording_files *f, const char *directory, struct error *e)
{
	char *schedule = must_format("%s/schedule", directory);

	*f = (struct recording_files){.log = must_format("%s/log", directory), .synced_ms = now_ms()};
	bool ok = schedule_create(&f->schedule, schedule, e) && blocks_create(&f->writer, f->log, e);
	free(schedule);
	return ok;
}

static bool fail(struct recording_files *f, const char *what)
{
	f->over = f->failed = true;
	if (what)
		error_set(&f->error, "%s: %s", what, strerror(errno));
	return false;
}

static bool take_log(struct recording_files *f, const struct process *p, uint64_t size)
{
	static uint8_t piece[PIECE];

	while (f->taken < size) {
		size_t n = size - f->taken < PIECE ? (size_t)(size - f->taken) : PIECE;
		ssize_t got = pread(p->board_fd, piece, n, (off_t)(BOARD_SIZE + f->taken));
		if (got <= 0)
			return fail(f, "cannot read the log behind the board");
		if (!blocks_append(&f->writer, piece, (size_t)got, &f->error))
			return fail(f, NULL);
		f->taken += (uint64_t)got;
	}
	return blocks_flush(&f->writer, &f->error) || fail(f, NULL);
}

static bool is_valid_entry(const struct world_entry *e, const uint8_t *bytes)
{
	if (e->kind < WORLD_CALL || e->kind > WORLD_LOOK || e->names > e->bytes || (e->names && bytes[e->bytes - 1]))
		return false;
	bool starts_with_name = e->kind == WORLD_BEFORE || (e->kind == WORLD_PLACE && e->bytes);
	return !starts_with_name || memchr(bytes, 0, e->bytes);
}

/* Frees the memory of the bytes that were copied. */
static void free_board_memory(const struct process *p, uint64_t from, uint64_t to)
{
	from &= ~4095ul;
	to &= ~4095ul;
	if (to > from)
		fallocate(p->board_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(BOARD_SIZE + from),
		          (off_t)(to - from));
}

/* In case the machine crashes. The log goes first, as the schedule relies on it. */
static void sync_now_and_then(struct recording_files *f)
{
	uint64_t now = now_ms();

	if (now - f->synced_ms < SYNC_MS)
		return;
	fdatasync(f->writer.fd);
	fdatasync(f->schedule.fd);
	f->synced_ms = now;
}

static uint64_t load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

void recording_files_take(struct recording_files *f, struct process *p)
{
	struct board *b = p->board;
	uint64_t before = f->taken;

	if (!__atomic_load_n(&b->begun, __ATOMIC_ACQUIRE))
		return;
	struct schedule_mark mark = {.point = load(&b->settled)};
	mark.log = load(&b->log_bytes);
	uint64_t entries = load(&b->schedule_entries);
	/*
	 * What did not fit on the board is missing from here on. On a board that the program has overwritten, any
	 * number may stand.
	 */
	if (b->log_full || b->schedule_full || mark.log < before || mark.log > WORLD_LOG_SIZE || entries < f->entries ||
	    entries > SCHEDULE_MAX)
		f->over = true;
	if (f->over) {
		f->taken = mark.log > before && mark.log <= WORLD_LOG_SIZE ? mark.log : before;
		free_board_memory(p, before, f->taken);
		return;
	}
	if (mark.log == before && entries == f->entries && mark.point == f->schedule.mark.point)
		return;
	bool ok = take_log(f, p, mark.log);
	free_board_memory(p, before, f->taken);
	if (ok && !schedule_append(&f->schedule, b->schedule + f->entries, entries - f->entries, &mark, &f->error))
		fail(f, NULL);
	f->entries = entries;
	if (ok)
		sync_now_and_then(f);
}

void recording_files_end(struct recording_files *f, struct process *p, bool ended)
{
	recording_files_take(f, p);
	if (ended && !f->over && !blocks_finish(&f->writer, &f->error))
		fail(f, NULL);
	if (ended && !f->over && !schedule_finish(&f->schedule, &f->error))
		fail(f, NULL);
}

void recording_files_free(struct recording_files *f)
{
	if (f->log) {
		blocks_abandon(&f->writer);
		schedule_close(&f->schedule);
	}
	free(f->log);
	*f = (struct recording_files){0};
}

bool recording_files_can_replay(const struct recording_files *f)
{
	return f->schedule.mark.point || f->schedule.mark.log;
}

/* The size of the entries that are whole: the log may be cut anywhere. */
static size_t whole_entries(const struct bytes *log)
{
	size_t at = 0;

	for (;;) {
		struct world_entry e;
		if (log->size - at < sizeof e)
			return at;
		memcpy(&e, log->data + at, sizeof e);
		uint64_t size = sizeof e + (((uint64_t)e.bytes + 7) & ~7ul);
		if (size > log->size - at || !is_valid_entry(&e, log->data + at + sizeof e))
			return at;
		at += size;
	}
}

bool recording_give_log(struct process *p, const struct bytes *log, struct error *e)
{
	size_t size = whole_entries(log);

	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(p->board_fd, log->data + done, size - done, (off_t)(BOARD_SIZE + done));
		if (n <= 0)
			return error_set(e, "cannot put the recording behind the board: %s", strerror(errno));
		done += (size_t)n;
	}
	p->board->log_bytes = size;
	p->board->config.world = WORLD_REPLAY;
	return true;
}

bool recording_give_log_file(struct process *p, const char *path, struct error *e)
{
	struct bytes log = {0};
	bool whole, ok = blocks_read(path, RECORDING_LOG_LIMIT, &log, &whole, e);

	ok = ok && whole && recording_give_log(p, &log, e);
	bytes_free(&log);
	return ok;
}
