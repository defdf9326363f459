#include "rt/memory/wild_pointer.h"

#include "rt/core/arena.h"
#include "rt/shadow/cells.h"
#include "rt/memory/memory_check.h"

/* Nothing is ever mapped here. */
#define NOWHERE 8ul

static uint64_t meant;

static bool meets(uint64_t low, uint64_t high, uint64_t from, uint64_t size)
{
	return low < from + size && from < high;
}

bool wild_covers(uint64_t low, uint64_t high)
{
	uint64_t from, to;

	if (meets(low, high, OMEN_HOT_ADDRESS, 4096) || meets(low, high, SEGMENTS_ADDRESS, SEGMENTS_SIZE) ||
	    meets(low, high, ARENA_ADDRESS, ARENA_SIZE))
		return true;
	if (!omen.board)
		return false;
	if (meets(low, high, BOARD_ADDRESS, BOARD_MEMORY) ||
	    (mode_is(CHECK) && meets(low, high, MEMORY_STATES, MEMORY_STATES_SIZE)))
		return true;
	for (uint32_t i = 0; cells_range(i, &from, &to); i++)
		if (meets(low, high, from, to - from))
			return true;
	return false;
}

/* The first instruction is the one that may fault. */
__attribute__((naked, noinline)) bool wild_is_readable(const void *p __attribute__((unused)))
{
	__asm__("movq (%rdi), %rax\n\t"
	        "movl $1, %eax\n\t"
	        "ret");
}

static __attribute__((naked, noinline)) bool is_not_readable(void)
{
	__asm__("xorl %eax, %eax\n\t"
	        "ret");
}

bool wild_fault(ucontext_t *uc)
{
	greg_t *pc = &uc->uc_mcontext.gregs[REG_RIP];

	if (*pc != (greg_t)wild_is_readable)
		return false;
	*pc = (greg_t)is_not_readable;
	return true;
}

/* A handler that returns comes to the fault again, as it would without Omen. */
static COLD void fault_at(uint64_t address)
{
	for (;;) {
		meant = address;
		(void)*(volatile char *)NOWHERE;
	}
}

void wild_check(uint64_t address, uint64_t size)
{
	uint64_t end = address + size;

	if (end > address && wild_covers(address, address + 1))
		fault_at(address);
	if (end > address && wild_covers(end - 1, end))
		fault_at(end - 1);
}

uint64_t wild_meant(uint64_t address)
{
	uint64_t is = address == NOWHERE ? meant : 0;

	meant = 0;
	return is;
}
