/*
 * Accesses that are wider than what the machine does at once, where accesses are points: other fibers may run in
 * between.
 *
 * Copies, fills, and loads that hand their value over are made here word by word, each word with a point of its own.
 * Where chance decides, a large one is made in a few larger pieces.  The words are aligned in memory, so that nothing
 * smaller is cut.  What cannot be taken apart (a store of a vector, what the C library does, ranges of many words)
 * stays one step; if other fibers could run in its middle, the tool does not say that these are all interleavings
 * (step_is_wide).
 */
#include "rt/access/wide_access.h"

#include "rt/core/op.h"

#include "rt/access/access_point.h"
#include "abi/hooks.h"
#include "rt/memory/memory_check.h"
#include "rt/shadow/race_check.h"

#define WORD   8
#define MOST   512   /* more bytes are not taken apart: where all interleavings are executed, */
#define SOME   65536 /* and where chance decides; */
#define PIECES 8     /* there the number of pieces is at most about this */

static bool is_cut(size_t size)
{
	size_t most = mode_is(STEPS) ? MOST : mode_is(ACCESS_POINTS) ? SOME : 0;

	return size > WORD && size <= most && !omen.off;
}

static void read_piece(const void *from, size_t size, const struct omen_site *site)
{
	EVEN_FRAME("r13");
	access_point(from, where_site(site));
	shadow_range_read(from, size, site);
	memory_access(from, size, 0, site);
}

static void write_piece(void *to, size_t size, const struct omen_site *site)
{
	EVEN_FRAME("r13");
	access_point(to, where_site(site));
	access_wrote(to);
	shadow_range_write(to, size, site);
	memory_access(to, size, ACCESS_WRITE, site);
}

/* The size of a piece: a word, or larger so that there are not too many pieces. */
static size_t piece_of(size_t size)
{
	size_t piece = WORD;

	while (!mode_is(STEPS) && piece * PIECES < size)
		piece *= 2;
	return piece;
}

/* The bytes up to the end of the piece that `address` is in, or up to the end of everything. */
static size_t piece_at(const void *address, size_t left, size_t piece)
{
	size_t n = piece - (uint64_t)address % piece;
	return n < left ? n : left;
}

/* The bytes of the last piece before `end`. */
static size_t piece_before(const void *end, size_t left, size_t piece)
{
	size_t n = ((uint64_t)end - 1) % piece + 1;
	return n < left ? n : left;
}

/*
 * However many pieces there are, a copy is two operations of its thread.  `first`: the second operation, the write,
 * begins here.
 */
static void copy_piece(char *to, const char *from, size_t size, bool first, const struct omen_site *site)
{
	char word[WORD];
	bool fits = size <= WORD;

	read_piece(from, size, site);
	if (fits)
		__builtin_memcpy(word, from, size);
	if (first)
		op_count();
	write_piece(to, size, site);
	if (fits)
		__builtin_memcpy(to, word, size);
	else
		__builtin_memmove(to, from, size);
}

bool wide_access_load(const void *address, void *value, size_t size, const struct omen_site *site)
{
	const char *from = address;
	char *to = value;

	if (!is_cut(size))
		return false;
	op_count();
	size_t piece = piece_of(size);
	for (size_t n, done = 0; done < size; done += n) {
		n = piece_at(from + done, size - done, piece);
		read_piece(from + done, n, site);
		__builtin_memcpy(to + done, from + done, n);
	}
	return true;
}

EXPORT OMEN_SLOW int omen_slow_memmove(void *to, const void *from, size_t size, const struct omen_site *site)
{
	bool backwards = (uint64_t)to - (uint64_t)from < size; /* it would overwrite what is still to be read */

	if (!is_cut(size)) {
		omen_slow_copy(to, from, size, site);
		return 0;
	}
	op_count();
	size_t piece = piece_of(size);
	for (size_t n, done = 0; done < size; done += n) {
		const char *end = (const char *)from + size - done;
		n = backwards ? piece_before(end, size - done, piece)
		              : piece_at((const char *)from + done, size - done, piece);
		size_t at = backwards ? size - done - n : done;
		copy_piece((char *)to + at, (const char *)from + at, n, !done, site);
	}
	return 1;
}

EXPORT OMEN_SLOW int omen_slow_memset(void *to, int value, size_t size, const struct omen_site *site)
{
	if (!is_cut(size)) {
		omen_slow_set(to, size, site);
		return 0;
	}
	op_count();
	size_t piece = piece_of(size);
	for (size_t n, done = 0; done < size; done += n) {
		n = piece_at((char *)to + done, size - done, piece);
		write_piece((char *)to + done, n, site);
		__builtin_memset((char *)to + done, value, n);
	}
	return 1;
}
