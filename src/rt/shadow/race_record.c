#include "rt/shadow/race_record.h"

#include <string.h>
#include <sys/auxv.h>

#include "rt/core/text.h"
#include "rt/shadow/cells.h"

uint64_t shadow_near[PLACES];
struct shadow_load shadow_last_load;

static void find_places(void)
{
	shadow_near[1] = getauxval(AT_PHDR) - NEAR / 2;
	shadow_near[2] = omen.text_low - NEAR / 2;
}

void shadow_start(void)
{
	find_places();
	overflow_start(shadow_is_precise());
	cells_start();
}

#define FIRST_ROOM 3

static size_t record_size(uint32_t room) { return sizeof(struct record) + room * sizeof(struct past); }

static void put_record(uint32_t *link, const struct record *r)
{
	uint64_t number = ((uint64_t)r - ARENA_ADDRESS) / POOL_UNIT;

	if (number > NUMBERS)
		text_die("more accesses to remember than there is room for");
	*link = RECORD | (*link & (OBJECT | WRITES)) | (uint32_t)number;
}

void record_drop(uint32_t *link, struct record *r)
{
	*link &= OBJECT;
	pool_free(r, record_size(r->room));
}

void record_add(uint32_t *link, uint32_t half, uint32_t site)
{
	struct record *r = record_of(link);

	if (!r) {
		r = pool_alloc(record_size(FIRST_ROOM));
		*r = (struct record){.room = FIRST_ROOM};
		put_record(link, r);
	} else if (r->n == r->room) {
		uint32_t room = 2 * r->room + 1; /* with the header the size is a power of two */
		struct record *bigger = pool_alloc(record_size(room));
		memcpy(bigger, r, record_size(r->n));
		bigger->room = room;
		pool_free(r, record_size(r->room));
		r = bigger;
		put_record(link, r);
	}
	r->past[r->n++] = (struct past){half, site};
	if (site & WROTE)
		*link |= WRITES;
}
