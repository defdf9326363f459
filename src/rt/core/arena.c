#include "rt/core/arena.h"

#include <stdint.h>
#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/core/text.h"

#define STEP (4ul << 20) /* the arena is opened in steps, so that wild pointers past its end fault */

static struct {
	char *next, *end;
} arena;

static void reserve(void)
{
	long at = raw6(SYS_mmap, ARENA_ADDRESS, ARENA_SIZE, PROT_NONE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != (long)ARENA_ADDRESS)
		text_die("cannot reserve memory at 0x%lx (error %ld); is the address space limited (ulimit -v)?",
		         ARENA_ADDRESS, -at);
	arena.next = arena.end = (char *)ARENA_ADDRESS;
}

static void open_up_to(const char *end)
{
	size_t size = ((size_t)(end - arena.end) + STEP - 1) & ~(STEP - 1);
	long r = raw3(SYS_mprotect, arena.end, size, PROT_READ | PROT_WRITE);

	if (r < 0)
		text_die("the runtime gets no more memory (error %ld)", -r);
	arena.end += size;
}

uint64_t arena_end(void) { return (uint64_t)arena.end; }

void *arena_alloc(size_t size)
{
	if (!arena.next)
		reserve();
	size = (size + 63) & ~63ul;
	if ((uintptr_t)arena.next + size > ARENA_ADDRESS + ARENA_SIZE)
		text_die("the runtime's own memory (%lu bytes) is used up", ARENA_SIZE);
	void *p = arena.next;
	arena.next += size;
	if (arena.next > arena.end)
		open_up_to(arena.next);
	return p;
}
