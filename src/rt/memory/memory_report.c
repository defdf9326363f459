/* Reports of accesses and frees that memory does not allow. */
#include "rt/memory/memory_parts.h"

#include <stdarg.h>

#include "rt/core/text.h"
#include "rt/ending/ending.h"
#include "rt/shadow/race_check.h"

bool memory_tolerates(uint64_t place, enum violation_kind kind)
{
	struct board *b = omen.board;
	uint64_t key = (place ? place : ending_caller()) << 2 | kind;

	for (uint32_t i = 0; i < b->config.ntolerated; i++)
		if (b->config.tolerated[i] == key) {
			b->tolerated |= 1ul << i;
			return true;
		}
	b->result.violation_key = key;
	return false;
}

static void __attribute__((noreturn, format(printf, 3, 4))) fail(const struct block *b, uint64_t address,
                                                                 const char *format, ...)
{
	struct board_result *r = &omen.board->result;
	char message[300];
	va_list args;

	va_start(args, format);
	text_vformat(message, sizeof(message), format, args);
	va_end(args);
	memory_show_trace(&r->allocation, b ? b->made : NULL);
	memory_show_trace(&r->freed, b ? b->freed : NULL);
	r->fault_address = address;
	ending_fail(ENDING_MEMORY, "%s", message);
}

static const char *bytes(uint64_t n) { return n == 1 ? "byte" : "bytes"; }

/* "a block of 24 bytes", and who has freed it. */
static const char *describe(const struct block *b, char *out, size_t size)
{
	size_t n = b ? text_format(out, size, "a block of %lu %s", b->size, bytes(b->size))
	             : text_format(out, size, "a block");

	if (b && b->freed)
		text_format(out + n, size - n, " that T%u has freed", b->freed->fiber);
	return out;
}

/* Reports how far the access lies behind the end of what it has left. */
void memory_fail_behind(const struct access *a, uint64_t address, const struct block *b, const char *what,
                        const char *of, uint64_t end)
{
	if (a->address > end)
		fail(b, address, "%s: %s of %lu %s, %lu past the end of %s", what, a->kind, a->size, bytes(a->size),
		     a->address - end, of);
	if (a->address == end)
		fail(b, address, "%s: %s of %lu %s right behind %s", what, a->kind, a->size, bytes(a->size), of);
	fail(b, address, "%s: %s of %lu bytes, of which %lu are past the end of %s", what, a->kind, a->size,
	     a->address + a->size - end, of);
}

/* The block whose end is right before this header: it has used all its memory.  NULL: none. */
static const struct block *block_before(uint64_t header)
{
	const struct block *b = memory_block_below(header - 8);

	if (!b || *memory_state_of(b->address) == FREED || header - b->address < b->size)
		return NULL;
	return header - (b->address + b->size) < 8 ? b : NULL;
}

/*
 * A bad access to a header comes from the block below and has gone too far, or from the block above.  The message names
 * both.
 */
static void __attribute__((noreturn)) fail_before(const struct access *a, uint64_t header, const struct block *b)
{
	const struct block *other = block_before(header);
	char of[100], more[160];

	describe(b, of, sizeof(of));
	if (!other)
		fail(b, a->address, "heap underflow: %s of %lu %s, %lu before %s", a->kind, a->size, bytes(a->size),
		     header + 8 - a->address, of);
	text_format(more, sizeof(more), "a block of %lu %s, or %lu before %s", other->size, bytes(other->size),
	            header + 8 - a->address, of);
	memory_fail_behind(a, a->address, other, "heap overflow", more, other->address + other->size);
}

void memory_fail_access(const struct access *a, uint64_t bad)
{
	uint8_t what = *memory_state_of(bad);
	struct block *b = memory_block_below(bad);
	char of[100];

	if (what == FREED)
		fail(b, a->address, "use after free: %s of %lu %s inside %s", a->kind, a->size, bytes(a->size),
		     describe(b, of, sizeof(of)));
	if (what == ENDED)
		fail(NULL, a->address, "use of a stack: %s of %lu %s on the stack of T%u, which has ended", a->kind,
		     a->size, bytes(a->size), stack_check_owner(bad));
	if (what == BEFORE)
		fail_before(a, bad & ~7ul, b);
	memory_fail_behind(a, a->address, b, "heap overflow", describe(b, of, sizeof(of)),
	                   b ? b->address + b->size : bad);
}

void memory_variable(uint64_t address, int64_t offset, uint64_t size, uint64_t extent, uint32_t what)
{
	/* as if the variable began at address 0 */
	struct access a = {(uint64_t)offset, size, what & OMEN_OBJECT_WRITE ? "write" : "read"};
	const char *where = what & OMEN_OBJECT_GLOBAL ? "global overflow" : "stack overflow";
	char of[64];

	if (omen.off || !size || (a.address <= extent && size <= extent - a.address))
		return;
	if (memory_tolerates(0, VIOLATION_VARIABLE))
		return;
	text_format(of, sizeof(of), "a variable of %lu %s", extent, bytes(extent));
	if (offset < 0)
		fail(NULL, address, "%s: %s of %lu %s, %lu before %s", where, a.kind, size, bytes(size), -a.address,
		     of);
	memory_fail_behind(&a, address, NULL, where, of, extent);
}

static void freeing_inside(uint64_t at, const struct block *b)
{
	char of[100];

	fail(b, at, "invalid free: of a pointer %lu bytes into %s", at - b->address, describe(b, of, sizeof(of)));
}

/*
 * Blocks from before the check began, and those of allocators that Omen does not see, are not known.  So a free is
 * reported only where no block can be; the rest is left to the C library.
 */
void memory_freeing(void *block)
{
	uint64_t at = (uint64_t)block;
	char of[100];

	if (omen.off || !omen.current)
		return;
	if (at < SHADOW_LOWEST || at >= MEMORY_END)
		fail(NULL, at, "invalid free: of 0x%lx, which is no memory", at);
	if (*memory_state_of(at - 8) == BEFORE && !(at & 15)) {
		struct block *b = memory_block_at(at);
		if (*memory_state_of(at) != FREED)
			return;
		omen.board->watched_before = omen.board->nwatched;
		shadow_freed(at, b->size);
		fail(b, at, "double free: of %s", describe(b, of, sizeof(of)));
	}
	struct block *b = memory_block_below(at);
	if (b && at - b->address < (b->size ? b->size : 1))
		freeing_inside(at, b);
	if (memory_is_on_stack(at))
		fail(NULL, at, "invalid free: of 0x%lx, which is on a stack", at);
	if (memory_is_in_program(at))
		fail(NULL, at, "invalid free: of 0x%lx, which is a variable or code", at);
	if (at & 15)
		fail(NULL, at, "invalid free: of 0x%lx, where no block can be", at);
}
