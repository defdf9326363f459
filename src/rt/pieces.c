/*
 * Accesses that are wider than what the machine does at once, where all interleavings are gone through: others may come
 * in between.
 *
 * Copies and fills, and loads that hand their value over, are made here word by word, each word a point of its own. The
 * words are those of memory, so that nothing smaller is cut.  What cannot be taken apart (a store of a vector, what the
 * C library does, ranges of many words) stays one step; if others could come in between, the tool does not say that
 * these are all interleavings (step_is_wide).
 */
#include "rt/pieces.h"

#include "rt/access.h"
#include "rt/hooks.h"
#include "rt/guard.h"
#include "rt/history.h"
#include "rt/shadow.h"

#define WORD 8
#define MOST 512 /* bytes that are taken apart */

static bool is_cut(size_t size) { return unlikely(omen.every) && !omen.off && size > WORD && size <= MOST; }

static void read_piece(const void *from, size_t size, const struct omen_site *site)
{
	history_op();
	access_point(from, where_site(site));
	shadow_range_read(from, size, site);
	guard_access(from, size, 0, site);
}

static void write_piece(void *to, size_t size, const struct omen_site *site)
{
	history_op();
	access_point(to, where_site(site));
	access_wrote(to);
	shadow_range_write(to, size, site);
	guard_access(to, size, ACCESS_WRITE, site);
}

/* Up to the end of the word, or of all. */
static size_t piece_at(const void *address, size_t left)
{
	size_t n = WORD - (uint64_t)address % WORD;
	return n < left ? n : left;
}

/* The last one before `end`. */
static size_t piece_before(const void *end, size_t left)
{
	size_t n = ((uint64_t)end - 1) % WORD + 1;
	return n < left ? n : left;
}

static void copy_piece(char *to, const char *from, size_t size, const struct omen_site *site)
{
	char word[WORD];

	read_piece(from, size, site);
	__builtin_memcpy(word, from, size);
	write_piece(to, size, site);
	__builtin_memcpy(to, word, size);
}

bool pieces_load(const void *address, void *value, size_t size, const struct omen_site *site)
{
	const char *from = address;
	char *to = value;

	if (!is_cut(size))
		return false;
	for (size_t n, done = 0; done < size; done += n) {
		n = piece_at(from + done, size - done);
		read_piece(from + done, n, site);
		__builtin_memcpy(to + done, from + done, n);
	}
	return true;
}

EXPORT OMEN_SLOW int omen_slow_memmove(void *to, const void *from, size_t size, const struct omen_site *site)
{
	bool backwards = (uint64_t)to - (uint64_t)from < size; /* into what is still to be read */

	if (!is_cut(size)) {
		omen_slow_copy(to, from, size, site);
		return 0;
	}
	for (size_t n, done = 0; done < size; done += n) {
		const char *end = (const char *)from + size - done;
		n = backwards ? piece_before(end, size - done) : piece_at((const char *)from + done, size - done);
		size_t at = backwards ? size - done - n : done;
		copy_piece((char *)to + at, (const char *)from + at, n, site);
	}
	return 1;
}

EXPORT OMEN_SLOW int omen_slow_memset(void *to, int value, size_t size, const struct omen_site *site)
{
	if (!is_cut(size)) {
		omen_slow_set(to, size, site);
		return 0;
	}
	for (size_t n, done = 0; done < size; done += n) {
		n = piece_at((char *)to + done, size - done);
		write_piece((char *)to + done, n, site);
		__builtin_memset((char *)to + done, value, n);
	}
	return 1;
}
