#include "rt/kernel/fd_order.h"

#include <sys/stat.h>

#include "rt/core/rt.h"
#include "rt/kernel/fd_kind.h"
#include "rt/order/happens_before.h"

/*
 * A write to a pipe goes before the read that gets the data.  Other channels are not told apart, only their kinds:
 * all sockets count as one channel, and so do all that are neither pipe nor socket (eventfd, terminals).  Files are
 * no channels.
 *
 * The kind is asked for even if no races are looked for: a replay may look for races where its recording did not, and
 * both must make the same calls.
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

	if (!key || !mode_is(DETECT))
		return;
	order_release_too(key);
	order_release_too(ORDER_ANY); /* whoever polls may learn of it without reading */
}

void fd_order_after_read(int fd, long result)
{
	const void *key = result >= 0 ? channel_key(fd) : NULL;

	if (!key || !mode_is(DETECT))
		return;
	order_acquire(key);
	order_release_too((const void *)((uint64_t)key | ORDER_FULL));
}

/* A pipe has room because somebody has read; for other channels that is so if the writer had to wait. */
void fd_order_after_write(int fd, bool waited)
{
	const void *key = channel_key(fd);

	if (key && mode_is(DETECT) && (waited || S_ISFIFO(fd_kind(fd).mode)))
		order_acquire((const void *)((uint64_t)key | ORDER_FULL));
}
