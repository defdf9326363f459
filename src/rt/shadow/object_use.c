/* Synchronisation objects as memory: a use that can show nothing new is not checked again. */
#include "rt/core/op.h"
#include "rt/shadow/race_record.h"
#include "rt/shadow/watch.h"

/*
 * Objects that the running fiber has used in its current segment, with no other fiber running in between.  Another
 * check would find nothing new.
 */
#define USES 16

static struct use {
	uint64_t address, switches;
	uint32_t segment;
} uses[USES];

static struct use *use_of(uint64_t address) { return &uses[(address >> 3 ^ address >> 7) % USES]; }

static bool is_used_again(uint64_t address)
{
	struct use *u = use_of(address), now = {address, omen.switches, clock_segment()};

	if (u->address == now.address && u->segment == now.segment && u->switches == now.switches)
		return true;
	*u = now;
	return false;
}

/*
 * Observers are told of OBJECT_ACCESS, not ACCESS: the step log has operations of its own for these objects, and a
 * trace must not show what they do to the memory itself.
 */
void shadow_object(uint64_t address, uint64_t size, uint32_t flags)
{
	bool is_use = flags == ACCESS_ATOMIC && (address & 7) + size <= 8;

	if (omen.off || access_ignored(flags & ACCESS_WRITE) || !shadow_is_place(address) ||
	    unlikely(watch_passes(address, size)) || !(mode_is(DETECT) || mode_is(PAST_RACE)))
		return;
	if (OP(OBJECT_ACCESS, .object = (const void *)address, .size = size, .flags = flags) || !mode_is(DETECT))
		return;
	if (!is_use)
		shadow_detect(address, size, flags, NULL);
	else if (!is_used_again(address))
		shadow_detect_use(address, size);
}

void shadow_forget_use(uint64_t address) { use_of(address)->address = 0; }
