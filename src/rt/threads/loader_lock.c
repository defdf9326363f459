/*
 * The dynamic linker's own lock.  It orders callbacks of dl_iterate_phdr(), and constructors and destructors of
 * libraries, one after the other.  The pass reports the program's own calls.  Other uses of the lock do not count as
 * order, because they would hide races: throwing an exception, for example, takes the lock, too.
 */
#include <link.h>

#include "abi/hooks.h"
#include "rt/order/happens_before.h"
#include "rt/core/rt.h"

EXPORT void omen_loader(int leaves)
{
	if (!omen.current || omen.off)
		return;
	order_acquire(ORDER_LOADER);
	if (leaves)
		order_release(ORDER_LOADER);
}

struct callback {
	int (*call)(struct dl_phdr_info *, size_t, void *);
	void *data;
};

static int under_lock(struct dl_phdr_info *info, size_t size, void *arg)
{
	const struct callback *c = arg;

	omen_loader(0);
	int result = c->call(info, size, c->data);
	omen_loader(1);
	return result;
}

EXPORT int omen_dl_iterate_phdr(int (*call)(struct dl_phdr_info *, size_t, void *), void *data)
{
	return dl_iterate_phdr(under_lock, &(struct callback){call, data});
}
