/*
 * The id of a race is a hash of its two accesses: of their kinds, file names, functions and source lines.  The numbers
 * of the lines do not count, so that the id stays the same when other lines of the program change.
 */
#include "report/race_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "report/race_access.h"
#include "report/source_line.h"

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* Races of one execution stand together, and in it races on one variable. */
static int in_report_order(const void *a, const void *b)
{
	const struct board_race *r = &(*(struct race *const *)a)->seen, *s = &(*(struct race *const *)b)->seen;
	int c = compare(r->seed, s->seed);

	c = c ? c : compare(r->address, s->address);
	for (int i = 0; i < 2; i++) {
		c = c ? c : compare(r->access[i].site, s->access[i].site);
		c = c ? c : compare(r->access[i].flags & ACCESS_KIND, s->access[i].flags & ACCESS_KIND);
	}
	return c;
}

#define FNV_START 0xcbf29ce484222325u

/* FNV-1a over a string and its NUL. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	while (*text++);
	return hash;
}

static uint64_t hash_place(uint64_t hash, const struct board_result *r, const struct frame *f)
{
	char number[16], line[256];

	snprintf(number, sizeof number, "%u", f->line);
	hash = hash_text(hash, base_name(f->file));
	hash = hash_text(hash, f->function);
	return hash_text(hash, source_line(r, f, line, sizeof line) ? source_trim(line) : number);
}

uint64_t access_identity(const struct board_result *r, uint32_t flags, const struct frame *place,
                         const struct frame *site)
{
	uint64_t hash = FNV_START;

	hash = hash_text(hash, access_kind(flags));
	hash = hash_text(hash, flags & ACCESS_ATOMIC ? "atomic" : "");
	hash = hash_place(hash, r, place);
	return site ? hash_place(hash, r, site) : hash;
}

static uint64_t hash_access(const struct race *r, int access)
{
	struct frame place = {0}, site;

	race_place(r, access, &place);
	return access_identity(r->execution->result, r->seen.access[access].flags, &place,
	                       !place.operation && race_site(r, access, &site) ? &site : NULL);
}

struct race_and_id {
	struct race *race;
	uint64_t identity, place[2]; /* place: line and column of the accesses, the smaller one first */
};

static uint64_t place_number(const struct race *r, int access)
{
	struct frame f = {0};

	return race_place(r, access, &f) ? (uint64_t)f.line << 32 | f.column : 0;
}

static int in_id_order(const void *a, const void *b)
{
	const struct race_and_id *x = a, *y = b;
	int c = compare(x->identity, y->identity);

	c = c ? c : compare(x->place[0], y->place[0]);
	c = c ? c : compare(x->place[1], y->place[1]);
	return c ? c : in_report_order(&x->race, &y->race);
}

static void sort_two(uint64_t *two)
{
	if (two[0] > two[1]) {
		uint64_t first = two[0];
		two[0] = two[1];
		two[1] = first;
	}
}

uint64_t race_identity(uint64_t one, uint64_t other)
{
	uint64_t pair[2] = {one, other};
	char both[40];

	sort_two(pair);
	snprintf(both, sizeof both, "%016lx%016lx", pair[0], pair[1]);
	return hash_text(FNV_START, both);
}

void race_name(uint64_t identity, unsigned twin, char *id, size_t size)
{
	snprintf(id, size, twin > 1 ? "%016lx-%u" : "%016lx", identity, twin);
}

void races_identify(struct races *all)
{
	struct race_and_id *ids = must_alloc(all->count * sizeof *ids);
	unsigned twin = 1;

	if (all->count)
		qsort(all->list, all->count, sizeof *all->list, in_report_order);
	for (size_t i = 0; i < all->count; i++) {
		struct race *r = all->list[i];
		ids[i] = (struct race_and_id){.race = r,
		                              .identity = race_identity(hash_access(r, 0), hash_access(r, 1)),
		                              .place = {place_number(r, 0), place_number(r, 1)}};
		sort_two(ids[i].place);
	}
	if (all->count)
		qsort(ids, all->count, sizeof *ids, in_id_order);
	for (size_t i = 0; i < all->count; i++) {
		twin = i && ids[i].identity == ids[i - 1].identity ? twin + 1 : 1;
		race_name(ids[i].identity, twin, ids[i].race->id, sizeof ids[i].race->id);
	}
	free(ids);
}
