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

bool world_give(struct process *p, const struct bytes *log, struct error *e)
{
	for (size_t done = 0; done < log->size;) {
		ssize_t n = pwrite(p->board_fd, log->data + done, log->size - done, (off_t)(BOARD_SIZE + done));
		if (n <= 0)
			return error_set(e, "cannot put the recording behind the board: %s", strerror(errno));
		done += (size_t)n;
	}
	p->board->log_bytes = log->size;
	p->board->config.world = WORLD_REPLAY;
	return true;
}
