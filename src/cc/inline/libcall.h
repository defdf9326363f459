/* The helpers around library calls; inline.c includes them. */
#include "rt/libcall.h"

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
