#include "predict/place_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

static size_t first_slot(const struct pairs *p, uint32_t low, uint32_t high)
{
	uint64_t h = ((uint64_t)high << 32 | low) * 0x9e3779b97f4a7c15;

	return h >> 32 & (p->slot_count - 1);
}

/* The index of the pair in the list; the length of the list if it is not there. */
static size_t find(const struct pairs *p, uint32_t low, uint32_t high)
{
	if (!p->slot_count)
		return p->count;
	for (size_t at = first_slot(p, low, high); p->slots[at]; at = (at + 1) & (p->slot_count - 1)) {
		const struct pair *known = &p->list[p->slots[at] - 1];
		if (known->location[0] == low && known->location[1] == high)
			return p->slots[at] - 1;
	}
	return p->count;
}

bool pairs_known(const struct pairs *p, uint32_t a, uint32_t b)
{
	return find(p, a < b ? a : b, a < b ? b : a) < p->count;
}

static void fill_slot(struct pairs *p, size_t index)
{
	size_t at = first_slot(p, p->list[index].location[0], p->list[index].location[1]);

	while (p->slots[at])
		at = (at + 1) & (p->slot_count - 1);
	p->slots[at] = (uint32_t)index + 1;
}

static void make_room(struct pairs *p)
{
	if (p->count < p->capacity)
		return;
	p->capacity = p->capacity ? p->capacity * 2 : 32;
	p->list = must_resize(p->list, p->capacity * sizeof *p->list);
	p->slot_count = p->capacity * 2;
	p->slots = must_resize(p->slots, p->slot_count * sizeof *p->slots);
	memset(p->slots, 0, p->slot_count * sizeof *p->slots);
	for (size_t i = 0; i < p->count; i++)
		fill_slot(p, i);
}

struct pair *pairs_add(struct pairs *p, const struct trace *t, uint32_t event_a, uint32_t event_b, enum tier tier)
{
	uint32_t a = t->events[event_a].location, b = t->events[event_b].location;

	if (pairs_known(p, a, b))
		return NULL;
	make_room(p);
	struct pair *new = &p->list[p->count];
	*new = (struct pair){.location = {a < b ? a : b, a < b ? b : a},
	                     .event = {event_a < event_b ? event_a : event_b, event_a < event_b ? event_b : event_a},
	                     .tier = tier};
	fill_slot(p, p->count++);
	return new;
}

void pairs_free(struct pairs *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->list[i].witness);
	free(p->list);
	free(p->slots);
	*p = (struct pairs){0};
}
