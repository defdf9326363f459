#include "report/race_access.h"

#include <string.h>

#include "report/module.h"
#include "report/race_list.h"

const char *access_kind(uint32_t flags)
{
	return flags & ACCESS_FREE ? "free" : flags & ACCESS_WRITE ? "write" : "read";
}

/*
 * A free has no site, nor has an access in code that another compiler instrumented: the address of the code stands for
 * it.
 */
uint64_t access_place(const struct board_access *a) { return a->site ? a->site : a->stack.pc[0]; }

struct board_watch race_watch(const struct board_race *r)
{
	uint64_t bytes = 0, first = r->address & ~7ul;

	for (uint64_t i = 0; i < 8; i++)
		if (first + i - r->access[0].address < r->access[0].size &&
		    first + i - r->access[1].address < r->access[1].size)
			bytes |= 1u << i;
	return (struct board_watch){first, bytes};
}

uint64_t race_common_bytes(const struct race *r)
{
	uint64_t end = UINT64_MAX;

	for (int i = 0; i < 2; i++) {
		const struct board_access *a = &r->seen.access[i];
		if (!a->size || !a->address)
			continue;
		end = a->address + a->size < end ? a->address + a->size : end;
	}
	return end == UINT64_MAX || end <= r->seen.address ? 0 : end - r->seen.address;
}

static size_t whole_stack(const struct race *r, int access, struct frame *out, size_t max)
{
	const struct board_access *a = &r->seen.access[access];

	return a->stack.depth ? symbol_access_stack(r->execution->result, &a->stack, out, max) : 0;
}

bool race_site(const struct race *r, int access, struct frame *out)
{
	uint64_t site = r->seen.access[access].site;

	return site && symbol_site(r->execution->result, site, out);
}

bool race_place(const struct race *r, int access, struct frame *out)
{
	struct frame frames[STACK_FRAMES];

	/* The place of an access in a library's header is where the program calls it. */
	if (race_site(r, access, out) && out->own)
		return true;
	size_t n = whole_stack(r, access, frames, STACK_FRAMES);
	const struct frame *own = symbol_own_frame(frames, n);
	if (own)
		*out = *own;
	return own || race_site(r, access, out);
}

/* Whether the name of a site, "put", and that of a frame, "cache::put", are of one function. */
static bool is_same_function(const char *site, const char *frame)
{
	size_t n = strlen(site), m = strlen(frame);

	return n && m >= n && !strcmp(frame + m - n, site) && (m == n || frame[m - n - 1] == ':');
}

size_t race_stack(const struct race *r, int access, struct frame *out, size_t max)
{
	struct frame site;
	size_t n = whole_stack(r, access, out, max);

	/* The site has the line as written; the debug information has only what the optimiser left of it. */
	if (n && race_site(r, access, &site) && is_same_function(site.function, out[0].function) &&
	    !strcmp(base_name(site.file), base_name(out[0].file)) && site.line) {
		out[0].line = site.line;
		out[0].column = site.column;
	}
	return n;
}

const struct board_thread *race_thread(const struct race *r, uint32_t fiber)
{
	for (uint32_t i = 0; i < r->execution->nthreads; i++)
		if (r->execution->threads[i].fiber == fiber)
			return &r->execution->threads[i];
	return NULL;
}
