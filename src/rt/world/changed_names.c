#include "rt/world/changed_names.h"

#include <stdint.h>
#include <string.h>

#include "rt/core/arena.h"
#include "rt/world/call_memory.h"

/* A hash table: the hashes of the names. */
static struct {
	uint64_t *slot;
	uint32_t room, used;
} changed;

static uint64_t *changed_slot(uint64_t h)
{
	uint32_t at = (uint32_t)h & (changed.room - 1);

	while (changed.slot[at] && changed.slot[at] != h)
		at = (at + 1) & (changed.room - 1);
	return &changed.slot[at];
}

static uint64_t name_hash(const char *name) { return world_hash_bytes(0xcbf29ce484222325u, name, strlen(name)) | 1; }

bool changed_names_has(const char *name) { return changed.room && *changed_slot(name_hash(name)); }

void changed_names_add(const char *name)
{
	uint64_t *old = changed.slot;
	uint32_t n = changed.room;

	if (changed.used * 2 >= n) {
		changed.room = n ? 2 * n : 1024;
		changed.slot = arena_alloc(changed.room * sizeof(*old));
		for (uint32_t i = 0; i < n; i++)
			if (old[i])
				*changed_slot(old[i]) = old[i];
	}
	uint64_t h = name_hash(name), *slot = changed_slot(h);
	changed.used += !*slot;
	*slot = h;
}
