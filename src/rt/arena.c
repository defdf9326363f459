#include "rt/arena.h"

#include <stdint.h>
#include <sys/mman.h>

#include "rt/arch/x86_64/raw.h"
#include "rt/text.h"

static struct {
	char *next;
} arena;

static void reserve(void)
{
	long at = raw6(SYS_mmap, ARENA_ADDRESS, ARENA_SIZE, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != (long)ARENA_ADDRESS)
		text_die("cannot reserve memory at 0x%lx (error %ld); is the address space limited (ulimit -v)?",
		         ARENA_ADDRESS, -at);
	arena.next = (char *)ARENA_ADDRESS;
}

void *arena_alloc(size_t size)
{
	if (!arena.next)
		reserve();
	size = (size + 63) & ~63ul;
	if ((uintptr_t)arena.next + size > ARENA_ADDRESS + ARENA_SIZE)
		text_die("the runtime's own memory (%lu bytes) is used up", ARENA_SIZE);
	void *p = arena.next;
	arena.next += size;
	return p;
}
