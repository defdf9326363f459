#include "rt/kernel/fd_order.h"

#include <sys/stat.h>

#include "rt/core/rt.h"
#include "rt/kernel/fd_kind.h"
#include "rt/order/happens_before.h"

/*
 * Data through a pipe orders whoever wrote it before whoever reads it.  Of other channels only the kind is told apart:
 * all sockets count as one, and so do all that are neither (eventfd, terminals); files are no channels.  The world is
 * asked whether or not races are looked for: a replay may do the one and its recording the other.
 */
static const void *channel_key(int fd)
{
	struct fd_kind k = fd_kind(fd);

	if (!k.open || S_ISREG(k.mode) || S_ISDIR(k.mode))
		return NULL;
	if (S_ISFIFO(k.mode))
		return ORDER_KEY(k.inode);
	return S_ISSOCK(k.mode) ? ORDER_SOCKETS : ORDER_OTHERS;
}

void fd_order_before_write(int fd)
{
	const void *key = channel_key(fd);

	if (!key || !omen.detecting)
		return;
	order_release_too(key);
	order_release_too(ORDER_ANY); /* whoever polls may hear of it without reading */
}

void fd_order_after_read(int fd, long result)
{
	const void *key = result >= 0 ? channel_key(fd) : NULL;

	if (!key || !omen.detecting)
		return;
	order_acquire(key);
	order_release_too((const void *)((uint64_t)key | ORDER_FULL));
}

/* Room in a pipe, or for who had to wait, comes from whoever read. */
void fd_order_after_write(int fd, bool waited)
{
	const void *key = channel_key(fd);

	if (key && omen.detecting && (waited || S_ISFIFO(fd_kind(fd).mode)))
		order_acquire((const void *)((uint64_t)key | ORDER_FULL));
}
