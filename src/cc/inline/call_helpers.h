/* The helpers around library calls. Only inline.c includes this. */
#include "abi/library_calls.h"

HELPER void omen_inline_libcall_before(uint32_t id, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                                       const struct omen_site *site)
{
	if (WATCHED)
		omen_slow_libcall_before(id, a, b, c, d, e, site);
}

HELPER void omen_inline_libcall_after(uint32_t id, uint64_t result, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                      uint64_t e, const struct omen_site *site)
{
	if (WATCHED)
		omen_slow_libcall_after(id, result, a, b, c, d, e, site);
}

/* The same for calls of which the arguments `argument` and `other` point into known variables. */
#define OBJECTS                                                                                                        \
	uint32_t argument, int64_t offset, size_t extent, uint32_t what, uint32_t other, int64_t other_offset,         \
	        size_t other_extent, uint32_t other_what

#define PASS_OBJECTS                                                                                                   \
	do {                                                                                                           \
		if (omen_hot->watch > 1)                                                                               \
			omen_slow_libcall_object(argument, offset, extent, what);                                      \
		if (omen_hot->watch > 1 && other != argument)                                                          \
			omen_slow_libcall_object(other, other_offset, other_extent, other_what);                       \
	} while (0)

HELPER void omen_inline_libcall_before_in(uint32_t id, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                                          const struct omen_site *site, OBJECTS)
{
	if (!WATCHED)
		return;
	PASS_OBJECTS;
	omen_slow_libcall_before(id, a, b, c, d, e, site);
}

HELPER void omen_inline_libcall_after_in(uint32_t id, uint64_t result, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                         uint64_t e, const struct omen_site *site, OBJECTS)
{
	if (!WATCHED)
		return;
	PASS_OBJECTS;
	omen_slow_libcall_after(id, result, a, b, c, d, e, site);
}
