/*
 * malloc and its kin are the C library's.  This file adds that an allocation begins a new life of its memory (nothing
 * that happened to it before counts), and that a free is a write to all of the block (a thread that still uses it
 * races).  The same holds for munmap by the program itself.  While accesses are checked, it also keeps what is known of
 * each block, and keeps freed blocks for a while (memory_check.c).
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/core/op.h"
#include "rt/core/rt.h"
#include "rt/access/access_point.h"
#include "rt/memory/memory_check.h"
#include "rt/threads/lock_order.h"
#include "rt/threads/notice.h"
#include "rt/threads/sync_object.h"
#include "rt/memory/owned_blocks.h"
#include "rt/shadow/race_check.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);
void __libc_free(void *block);

static inline bool active(void) { return unlikely(mode_is(DETECT)); }

/* The C library's header, right before a block: its size including the header, and in bit 1 whether it is mapped. */
static size_t header_of(const void *block) { return ((const size_t *)block)[-1]; }
static bool is_mapped(const void *block) { return header_of(block) & 2; }

/* The same as malloc_usable_size(), which the program may call, too. */
static size_t usable(const void *block)
{
	return (header_of(block) & ~7ul) - (is_mapped(block) ? 2 : 1) * sizeof(size_t);
}

static void *born(void *block, size_t size)
{
	notice_call("malloc", true);
	if (block && active())
		shadow_clear((uint64_t)block, usable(block));
	if (block)
		OP(ALLOCATED, .object = block, .size = size);
	if (block && unlikely(mode_is(CHECK)))
		memory_allocated(block, size, usable(block));
	if (block && unlikely(owned_wanted))
		owned_made(block, size);
	return block;
}

static void dying(void *block)
{
	if (!block)
		return;
	if (unlikely(mode_is(NOTICE)))
		lock_order_forget((uint64_t)block, (uint64_t)block + usable(block));
	if (active())
		shadow_freed((uint64_t)block, usable(block));
}

/*
 * Is the free called by the dynamic linker (thread-local memory, what it knows of a library), or by the C library while
 * it makes or ends a thread (what an ended thread had on the stack that is used again)?  Both know by locks of their
 * own, which Omen does not see, that the block is not used any more.
 */
static bool is_own(const void *code)
{
	return (uint64_t)code - omen.loader_low < omen.loader_high - omen.loader_low ||
	       (omen.current && omen.current->uncounted);
}

EXPORT void *malloc(size_t size) { return born(__libc_malloc(size), size); }
EXPORT void *calloc(size_t n, size_t size) { return born(__libc_calloc(n, size), n * size); }
EXPORT void *memalign(size_t alignment, size_t size) { return born(__libc_memalign(alignment, size), size); }
EXPORT void *aligned_alloc(size_t alignment, size_t size) { return born(__libc_memalign(alignment, size), size); }

EXPORT void *valloc(size_t size) { return born(__libc_valloc(size), size); }
EXPORT void *pvalloc(size_t size)
{
	void *block = __libc_pvalloc(size);
	return born(block, block ? (size + 4095) & ~4095ul : 0);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
		return EINVAL;
	void *block = born(__libc_memalign(alignment, size), size);
	if (!block)
		return ENOMEM;
	*out = block;
	return 0;
}

EXPORT size_t malloc_usable_size(void *block)
{
	if (!block)
		return 0;
	if (unlikely(mode_is(CHECK)))
		memory_size_asked(block, usable(block));
	return usable(block);
}

static COLD void free_checked(void *block, bool own)
{
	memory_freeing(block);
	if (!own)
		dying(block);
	memory_freeing(block); /* again: while this thread was held before the free, others may have freed the block */
	object_check_free((uint64_t)block, (uint64_t)block + usable(block));
	if (!memory_freed(block, usable(block)))
		__libc_free(block);
	while ((block = memory_next_forgotten()))
		__libc_free(block);
}

EXPORT void free(void *block)
{
	bool own = active() && is_own(__builtin_return_address(0));

	notice_call("free", true);
	if (block)
		op_count();
	if (block && unlikely(mode_is(ACCESS_POINTS)))
		access_point(block, where_code(__builtin_return_address(0)));
	if (block && unlikely(owned_wanted)) {
		if (owned_stays(block))
			return;
		owned_gone(block);
	}
	if (block && unlikely(mode_is(CHECK))) {
		free_checked(block, own);
		return;
	}
	if (!own)
		dying(block);
	__libc_free(block);
}

/* Memory that the program has mapped itself: a thread that still uses it races. */
EXPORT int munmap(void *at, size_t length)
{
	uint64_t where = where_code(__builtin_return_address(0));

	if (unlikely(mode_is(NOTICE)))
		lock_order_forget((uint64_t)at, (uint64_t)at + length);
	if (length && (active() || unlikely(mode_is(ACCESS_POINTS))) && object_counts(where)) {
		op_count();
		if (unlikely(mode_is(ACCESS_POINTS)))
			access_point(at, where);
		if (active())
			shadow_freed((uint64_t)at, (length + 4095) & ~4095ul);
	}
	return (int)syscall(SYS_munmap, at, length);
}

/*
 * The old block dies, but only if there is a new one, which may be at the same place.  (If it is not, other code may
 * own the old memory already, but no other fiber has run since.)
 */
static void *resize(void *block, size_t size)
{
	size_t before = block && active() ? usable(block) : 0;

	if (!before)
		return born(__libc_realloc(block, size), size);
	if (before >= LARGE) {
		dying(block); /* it may be moved, or given back to the kernel */
		if (unlikely(mode_is(CHECK)))
			memory_freeing(block);
	}
	void *moved = __libc_realloc(block, size);
	if (!moved && size)
		return NULL;
	if (before < LARGE)
		shadow_freed((uint64_t)block, before);
	if (moved == block) {
		size_t now = usable(moved);
		if (now > before)
			shadow_clear((uint64_t)moved + before, now - before);
		if (unlikely(mode_is(CHECK)))
			memory_allocated(moved, size, now);
		return moved;
	}
	return born(moved, size);
}

/* A block that has to move becomes another block, so that the old one can be kept. */
static void *move(void *block, size_t size)
{
	void *moved = malloc(size);

	if (!moved)
		return NULL;
	memcpy(moved, block, usable(block) < size ? usable(block) : size);
	free(block);
	return moved;
}

static COLD void *resize_checked(void *block, size_t size)
{
	memory_freeing(block);
	size_t before = usable(block);
	bool was_mapped = is_mapped(block);
	if (!size) {
		free(block);
		return NULL;
	}
	if (memory_keeps_freed() && size > before && !was_mapped)
		return move(block, size);
	void *moved = resize(block, size);
	if (moved && !was_mapped)
		memory_resized(block, before, moved);
	return moved;
}

EXPORT void *realloc(void *block, size_t size)
{
	if (block && unlikely(mode_is(STEPS)))
		access_point(block, where_code(__builtin_return_address(0)));
	if (block && size && unlikely(owned_wanted))
		return move(block, size);
	return block && unlikely(mode_is(CHECK)) ? resize_checked(block, size) : resize(block, size);
}
