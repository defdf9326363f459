#include "rt/core/undo.h"

#include <sys/mman.h>

#include "rt/core/arch/x86_64/raw.h"

struct undo undo;

void undo_impossible(const char *why)
{
	if (!undo.impossible)
		undo.impossible = why;
}

static void add(struct span *list, uint32_t *n, uint64_t low, uint64_t high)
{
	if (*n < UNDO_SPANS)
		list[(*n)++] = (struct span){low, high};
	else
		undo_impossible("too many mappings");
}

void undo_dropped(uint64_t low, uint64_t high) { add(undo.dropped, &undo.ndropped, low, high); }

void undo_drop(uint64_t low, uint64_t size)
{
	raw3(SYS_madvise, low, size, MADV_DONTNEED);
	undo_dropped(low, low + size);
}

void undo_mapped(uint64_t low, uint64_t high) { add(undo.mapped, &undo.nmapped, low, high); }

static struct span *mapping_of(uint64_t low, uint64_t high)
{
	for (uint32_t i = undo.nmapped; i-- > 0;)
		if (undo.mapped[i].low <= low && high <= undo.mapped[i].high)
			return &undo.mapped[i];
	return 0;
}

bool undo_is_mapped(uint64_t low, uint64_t high) { return mapping_of(low, high); }

bool undo_unmapped(uint64_t low, uint64_t high)
{
	struct span *s = mapping_of(low, high);

	if (!s)
		return false;
	add(undo.unmapped, &undo.nunmapped, low, high);
	struct span behind = {high, s->high};
	s->high = low;
	if (s->low == s->high)
		*s = undo.mapped[--undo.nmapped];
	if (behind.low < behind.high)
		undo_mapped(behind.low, behind.high);
	return true;
}

void undo_opened(long fd)
{
	if (fd < 0)
		return;
	if (fd < UNDO_FDS)
		undo.fds[fd / 64] |= 1ul << fd % 64;
	else
		undo_impossible("a descriptor with a large number");
}

bool undo_has_opened(long fd) { return fd >= 0 && fd < UNDO_FDS && (undo.fds[fd / 64] >> fd % 64 & 1); }

void undo_close(long fd)
{
	if (undo_has_opened(fd))
		undo.fds[fd / 64] &= ~(1ul << fd % 64);
	else
		undo_impossible("it has closed a descriptor that was open before");
}
