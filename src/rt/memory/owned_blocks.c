/*
 * The runtime learns before the program begins whether the program asks about blocks: the functions that ask have
 * resolvers, which the dynamic linker calls only if the program refers to them.  So all blocks are known if it asks,
 * and nothing is kept otherwise.
 */
#include "rt/memory/owned_blocks.h"

#include <malloc.h>
#include <string.h>

#include "rt/core/pool.h"

#define INTERFACE  EXPORT __attribute__((used))
#define WEAK       EXPORT __attribute__((weak, used))
#define FIRST_ROOM 1024
#define GONE       1 /* the address of an entry whose block was freed */
#define HOOKS      5 /* pairs of hooks, as the header promises */

typedef void on_malloc(const volatile void *block, size_t size);
typedef void on_free(const volatile void *block);

struct owned {
	uint64_t at;
	size_t size;
};

bool owned_wanted;

static struct {
	bool kept;           /* is the table below kept? */
	struct owned *table; /* open addressing; address 0: free */
	size_t used, room;   /* used: with entries of freed blocks */
	size_t bytes;
	on_malloc *made[HOOKS];
	on_free *freed[HOOKS];
	int hooks;
} owned;

/* ---- the table ---- */

static struct owned *find(uint64_t at)
{
	size_t i = at * 0x9e3779b97f4a7c15u >> 20;

	for (; owned.room; i++) {
		struct owned *o = &owned.table[i & (owned.room - 1)];
		if (!o->at || o->at == at)
			return o;
	}
	return NULL;
}

static void make_room(void)
{
	struct owned *old = owned.table;
	size_t room = owned.room;

	if (2 * owned.used < room)
		return;
	owned.room = room ? 2 * room : FIRST_ROOM;
	owned.table = pool_alloc(owned.room * sizeof(*old));
	owned.used = 0;
	memset(owned.table, 0, owned.room * sizeof(*old));
	for (size_t i = 0; i < room; i++)
		if (old[i].at > GONE) {
			*find(old[i].at) = old[i];
			owned.used++;
		}
	if (old)
		pool_free(old, room * sizeof(*old));
}

static const struct owned *block_at(const volatile void *p)
{
	const struct owned *o = (uint64_t)p > GONE ? find((uint64_t)p) : NULL;

	return o && o->at ? o : NULL;
}

/* ---- calls from the heap ---- */

INTERFACE void __sanitizer_malloc_hook(const volatile void *block, size_t size);
WEAK void __sanitizer_malloc_hook(const volatile void *block __attribute__((unused)),
                                  size_t size __attribute__((unused)))
{
}
INTERFACE void __sanitizer_free_hook(const volatile void *block);
WEAK void __sanitizer_free_hook(const volatile void *block __attribute__((unused))) {}
INTERFACE int __sanitizer_ignore_free_hook(const volatile void *block);
WEAK int __sanitizer_ignore_free_hook(const volatile void *block __attribute__((unused))) { return 0; }

void owned_made(void *block, size_t size)
{
	if (owned.kept) {
		make_room();
		struct owned *o = find((uint64_t)block);
		owned.used += !o->at;
		*o = (struct owned){(uint64_t)block, size};
		owned.bytes += size;
	}
	if (omen.off)
		return;
	__sanitizer_malloc_hook(block, size);
	for (int i = 0; i < owned.hooks; i++)
		owned.made[i](block, size);
}

void owned_gone(void *block)
{
	struct owned *o = (struct owned *)block_at(block);

	if (!omen.off) {
		__sanitizer_free_hook(block);
		for (int i = 0; i < owned.hooks; i++)
			owned.freed[i](block);
	}
	if (!o)
		return;
	owned.bytes -= o->size;
	o->at = GONE;
}

bool owned_stays(const void *block) { return !omen.off && __sanitizer_ignore_free_hook(block); }

/* A program that defines one of these hooks is called from the beginning. */
__attribute__((constructor(102))) static void see_hooks(void)
{
	const void *hooks[] = {(void *)__sanitizer_malloc_hook, (void *)__sanitizer_free_hook,
	                       (void *)__sanitizer_ignore_free_hook};

	for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		owned_wanted |= (uint64_t)hooks[i] - omen.text_low >= omen.text_high - omen.text_low;
}

INTERFACE int __sanitizer_install_malloc_and_free_hooks(on_malloc *made, on_free *freed);
int __sanitizer_install_malloc_and_free_hooks(on_malloc *made, on_free *freed)
{
	if (!made || !freed || owned.hooks == HOOKS)
		return 0;
	owned.made[owned.hooks] = made;
	owned.freed[owned.hooks] = freed;
	owned_wanted = true;
	return ++owned.hooks;
}

/* ---- questions of the program ---- */

typedef int ask_ownership(const volatile void *p);
typedef const void *ask_begin(const void *p);
typedef size_t ask_size(const volatile void *p);
typedef size_t ask_bytes(void);

static int is_owned(const volatile void *p) { return block_at(p) != NULL; }

static const void *begin_of(const void *p)
{
	for (size_t i = 0; i < owned.room; i++) {
		const struct owned *o = &owned.table[i];
		if (o->at > GONE && (uint64_t)p - o->at < o->size)
			return (const void *)o->at;
	}
	return is_owned(p) ? p : NULL; /* a block of no bytes */
}

static size_t size_of(const volatile void *p)
{
	const struct owned *o = block_at(p);

	return o ? o->size : 0;
}

static size_t bytes_now(void) { return owned.bytes; }

#define ASKED(type, name, answer)                                                                                      \
	static type *resolve_##answer(void)                                                                            \
	{                                                                                                              \
		owned_wanted = owned.kept = true;                                                                      \
		return answer;                                                                                         \
	}                                                                                                              \
	INTERFACE type name __attribute__((ifunc("resolve_" #answer)));

static size_t size_of_fast(const volatile void *p) { return size_of(p); }

ASKED(ask_ownership, __sanitizer_get_ownership, is_owned)
ASKED(ask_begin, __sanitizer_get_allocated_begin, begin_of)
ASKED(ask_size, __sanitizer_get_allocated_size, size_of)
ASKED(ask_size, __sanitizer_get_allocated_size_fast, size_of_fast)
ASKED(ask_bytes, __sanitizer_get_current_allocated_bytes, bytes_now)

/* ---- questions that the C library answers ---- */

INTERFACE size_t __sanitizer_get_heap_size(void);
size_t __sanitizer_get_heap_size(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.arena + info.hblkhd;
}

INTERFACE size_t __sanitizer_get_free_bytes(void);
size_t __sanitizer_get_free_bytes(void) { return mallinfo2().fordblks; }

INTERFACE size_t __sanitizer_get_unmapped_bytes(void);
size_t __sanitizer_get_unmapped_bytes(void) { return 0; }

INTERFACE size_t __sanitizer_get_estimated_allocated_size(size_t size);
size_t __sanitizer_get_estimated_allocated_size(size_t size) { return size; }

INTERFACE void __sanitizer_purge_allocator(void);
void __sanitizer_purge_allocator(void) { malloc_trim(0); }
