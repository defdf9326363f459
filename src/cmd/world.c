#include "cmd/world.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct bytes world_take(const struct process *p)
{
	struct bytes log = {0};
	uint64_t size = p->board->log_bytes;

	if (!size || size > WORLD_LOG_SIZE)
		return log;
	log.data = must_alloc(size);
	log.capacity = size;
	while (log.size < size) {
		ssize_t n = pread(p->board_fd, log.data + log.size, size - log.size, (off_t)(BOARD_SIZE + log.size));
		if (n <= 0)
			break;
		log.size += (size_t)n;
	}
	return log;
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
		if (size > log->size - at)
			return at;
		at += size;
	}
}

bool world_give(struct process *p, const struct bytes *log, struct error *e)
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
