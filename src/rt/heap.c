/*
 * malloc and its kin are the C library's; what is added here is that memory begins a new life with its allocation
 * (nothing that happened to it before counts) and that freeing it is a write to all of it (who still uses it races).
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "rt/rt.h"
#include "rt/explain.h"
#include "rt/shadow.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);
void __libc_free(void *block);

static inline bool active(void) { return unlikely(omen.detecting); }

static void *born(void *block, size_t size)
{
	if (block && active())
		shadow_clear((uint64_t)block, malloc_usable_size(block));
	if (block && unlikely(omen.explaining))
		explain_allocated((uint64_t)block, size);
	return block;
}

static void dying(void *block)
{
	if (block && active())
		shadow_freed((uint64_t)block, malloc_usable_size(block));
}

EXPORT void *malloc(size_t size) { return born(__libc_malloc(size), size); }
EXPORT void *calloc(size_t n, size_t size) { return born(__libc_calloc(n, size), n * size); }
EXPORT void *memalign(size_t alignment, size_t size) { return born(__libc_memalign(alignment, size), size); }
EXPORT void *aligned_alloc(size_t alignment, size_t size) { return born(__libc_memalign(alignment, size), size); }

EXPORT void *valloc(size_t size) { return born(__libc_valloc(size), size); }
EXPORT void *pvalloc(size_t size) { return born(__libc_pvalloc(size), size); }

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

EXPORT void free(void *block)
{
	dying(block);
	__libc_free(block);
}

/*
 * The old block dies, but only if there is a new one; and it may be where the old one was.  (When it is not, its memory
 * may be in other hands already, but nobody has run since.)
 */
EXPORT void *realloc(void *block, size_t size)
{
	size_t before = block && active() ? malloc_usable_size(block) : 0;

	if (!before)
		return born(__libc_realloc(block, size), size);
	if (malloc_usable_size(block) >= LARGE)
		dying(block); /* it may be moved, or given back to the kernel */
	void *moved = __libc_realloc(block, size);
	if (!moved && size)
		return NULL;
	if (before < LARGE)
		shadow_freed((uint64_t)block, before);
	if (moved == block) {
		size_t now = malloc_usable_size(moved);
		if (now > before)
			shadow_clear((uint64_t)moved + before, now - before);
		return moved;
	}
	return born(moved, size);
}
