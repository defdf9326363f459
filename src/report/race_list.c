#include "report/race_list.h"

#include "report/optimised.h"
#include "report/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "report/source.h"

const char *access_kind(uint32_t flags)
{
	return flags & ACCESS_FREE ? "free" : flags & ACCESS_WRITE ? "write" : "read";
}

/* What has no site (free, code that another compiler instrumented) goes by the code's address. */
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

static bool access_is(const struct board_access *a, uint64_t place, uint32_t flags)
{
	return access_place(a) == place && (a->flags & ACCESS_KIND) == (flags & ACCESS_KIND);
}

bool race_is(const struct board_race *r, const uint64_t place[2], const uint32_t flags[2])
{
	const struct board_access *a = r->access;

	return (access_is(&a[0], place[0], flags[0]) && access_is(&a[1], place[1], flags[1])) ||
	       (access_is(&a[0], place[1], flags[1]) && access_is(&a[1], place[0], flags[0]));
}

/* The same for either order of the accesses. */
static uint32_t bucket_of(const struct board_race *r)
{
	const struct board_access *a = r->access;
	uint64_t mix = (access_place(&a[0]) + access_place(&a[1])) * 0x9e3779b97f4a7c15u;

	return (uint32_t)((mix >> 40) + (a[0].flags & ACCESS_KIND) + (a[1].flags & ACCESS_KIND)) % RACE_BUCKETS;
}

static struct race *find(const struct races *all, const struct board_race *seen)
{
	const struct board_access *a = seen->access;

	for (struct race *r = all->buckets[bucket_of(seen)]; r; r = r->next)
		if (race_is(&r->seen, (uint64_t[]){access_place(&a[0]), access_place(&a[1])},
		            (uint32_t[]){a[0].flags, a[1].flags}))
			return r;
	return NULL;
}

/* A race from the board, which the program could write on: every count in it is made good. */
static struct board_race race_copy(const struct board_race *from, uint64_t seed, bool explained)
{
	struct board_race r = *from;

	r.seed = seed;
	r.explained = explained;
	for (int i = 0; i < 2; i++)
		if (r.access[i].nlocks > BOARD_LOCKS)
			r.access[i].nlocks = BOARD_LOCKS;
	return r;
}

/* Two reads do not race: somebody else wrote this. */
static bool is_race(const struct board_race *r)
{
	return (r->access[0].flags | r->access[1].flags) & (ACCESS_WRITE | ACCESS_FREE);
}

static uint32_t race_count(const struct board *b) { return b->nraces < BOARD_RACES ? b->nraces : BOARD_RACES; }

static void leave_execution(struct race *r)
{
	if (r->execution && !--r->execution->races)
		execution_free(r->execution);
	r->execution = NULL;
}

static void describe(struct race *r, const struct board_race *seen, struct execution *x)
{
	x->races++;
	leave_execution(r);
	r->seen = *seen;
	r->execution = x;
}

static struct race *add(struct races *all, const struct board_race *seen)
{
	struct race *r = must_alloc(sizeof *r), **bucket = &all->buckets[bucket_of(seen)];

	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	r->next = *bucket;
	return all->list[all->count++] = *bucket = r;
}

static void race_free(struct race *r)
{
	leave_execution(r);
	free(r->evidence);
	verdict_free(r->verdict);
	optimised_free(r->optimised);
	free(r);
}

uint32_t races_take(struct races *all, const struct board *b, uint32_t from)
{
	uint32_t count = race_count(b);
	struct execution *x = NULL;

	for (uint32_t i = from; i < count; i++) {
		struct board_race seen = race_copy(&b->races[i], b->result.seed, false);
		struct race *r = find(all, &seen);
		if (!is_race(&seen) || (r && r->seen.seed <= seen.seed))
			continue;
		if (!x)
			x = execution_take(b);
		describe(r ? r : add(all, &seen), &seen, x);
	}
	return count;
}

void races_count(struct races *all, const struct board *b)
{
	uint32_t count = race_count(b);

	for (uint32_t i = 0; i < count; i++) {
		struct race *r = find(all, &b->races[i]);
		if (!r)
			continue;
		r->instances += b->races[i].instances;
		r->executions += b->races[i].executions;
	}
	all->lost += b->races_lost;
}

static bool overlap(const struct board_access *a, const struct board_access *b)
{
	return a->address < b->address + (b->size ? b->size : 1) && b->address < a->address + (a->size ? a->size : 1);
}

/*
 * The explained race on the board that tells what `r`, with an earlier access of no site, could not.  If none of them
 * is on its bytes, these raced by places that are known from other bytes: every distinct pair was told.
 */
static const struct board_race *full_story(const struct board *b, const struct race *r)
{
	const struct board_access *later = &r->seen.access[1];
	const struct board_race *elsewhere = NULL;

	for (uint32_t i = 0; i < race_count(b); i++)
		for (int k = 0; k < 2; k++) {
			const struct board_access *a = &b->races[i].access[k];
			if (!b->races[i].explained || !access_is(a, access_place(later), later->flags))
				continue;
			if (overlap(a, later))
				return &b->races[i];
			elsewhere = &b->races[i];
		}
	return elsewhere;
}

static void remove_at(struct races *all, size_t index)
{
	struct race **place = &all->buckets[bucket_of(&all->list[index]->seen)];

	while (*place != all->list[index])
		place = &(*place)->next;
	*place = (*place)->next;
	race_free(all->list[index]);
	all->count--;
	memmove(all->list + index, all->list + index + 1, (all->count - index) * sizeof *all->list);
}

/* Takes out those of `x` that were the shadow of an explained one. */
static void drop_half_known(struct races *all, const struct execution *x, const struct board *b)
{
	for (size_t i = 0; i < all->count;) {
		struct race *r = all->list[i];
		bool half_known = r->execution == x && !r->seen.explained && !r->seen.access[0].site;
		const struct board_race *full = half_known ? full_story(b, r) : NULL;
		struct race *told = full ? find(all, full) : NULL;
		if (!told || told == r) {
			i++;
			continue;
		}
		told->instances += r->instances;
		told->executions = told->executions > r->executions ? told->executions : r->executions;
		remove_at(all, i);
	}
}

void races_explain(struct races *all, struct execution *x, const struct board *b, bool whole)
{
	uint32_t count = race_count(b);
	uint64_t seed = x->result->seed;

	execution_explain(x, b);
	x->races++; /* stays while its races may be told anew */
	for (uint32_t i = 0; i < count; i++) {
		if (!b->races[i].explained || !is_race(&b->races[i]))
			continue;
		struct board_race seen = race_copy(&b->races[i], seed, true);
		struct race *r = find(all, &seen);
		if (!r && whole) {
			r = add(all, &seen);
			r->instances = seen.instances;
			r->executions = seen.executions;
			describe(r, &seen, x);
		} else if (r && (whole || r->execution == x) && (!r->seen.explained || seed < r->seen.seed)) {
			describe(r, &seen, x);
		}
	}
	if (whole)
		drop_half_known(all, x, b);
	if (!--x->races)
		execution_free(x);
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

static bool site_place(const struct race *r, int access, struct frame *out)
{
	uint64_t site = r->seen.access[access].site;

	return site && symbol_site(r->execution->result, site, out);
}

bool race_place(const struct race *r, int access, struct frame *out)
{
	struct frame frames[STACK_FRAMES];

	/* An access in a header of a library stands where the program called it. */
	if (site_place(r, access, out) && out->own)
		return true;
	size_t n = whole_stack(r, access, frames, STACK_FRAMES);
	const struct frame *own = symbol_own_frame(frames, n);
	if (own)
		*out = *own;
	return own || site_place(r, access, out);
}

/* "put" is "cache::put", as sites have the name without what it is nested in. */
static bool same_function(const char *site, const char *frame)
{
	size_t n = strlen(site), m = strlen(frame);

	return n && m >= n && !strcmp(frame + m - n, site) && (m == n || frame[m - n - 1] == ':');
}

size_t race_stack(const struct race *r, int access, struct frame *out, size_t max)
{
	struct frame site;
	size_t n = whole_stack(r, access, out, max);

	/* The site knows the line that was written; what the optimiser left of it stands in the debug information. */
	if (n && site_place(r, access, &site) && same_function(site.function, out[0].function) &&
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

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* Races of one execution stand together, and in it those on one variable. */
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
	                       !place.operation && site_place(r, access, &site) ? &site : NULL);
}

struct order {
	struct race *race;
	uint64_t hash, place[2]; /* lines and columns, the smaller one first */
};

static uint64_t place_number(const struct race *r, int access)
{
	struct frame f = {0};

	return race_place(r, access, &f) ? (uint64_t)f.line << 32 | f.column : 0;
}

static int in_id_order(const void *a, const void *b)
{
	const struct order *x = a, *y = b;
	int c = compare(x->hash, y->hash);

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
	struct order *orders = must_alloc(all->count * sizeof *orders);
	unsigned twin = 1;

	if (all->count)
		qsort(all->list, all->count, sizeof *all->list, in_report_order);
	for (size_t i = 0; i < all->count; i++) {
		struct race *r = all->list[i];
		orders[i] = (struct order){.race = r,
		                           .hash = race_identity(hash_access(r, 0), hash_access(r, 1)),
		                           .place = {place_number(r, 0), place_number(r, 1)}};
		sort_two(orders[i].place);
	}
	if (all->count)
		qsort(orders, all->count, sizeof *orders, in_id_order);
	for (size_t i = 0; i < all->count; i++) {
		twin = i && orders[i].hash == orders[i - 1].hash ? twin + 1 : 1;
		race_name(orders[i].hash, twin, orders[i].race->id, sizeof orders[i].race->id);
	}
	free(orders);
}

void races_free(struct races *all)
{
	for (size_t i = 0; i < all->count; i++)
		race_free(all->list[i]);
	free(all->list);
	*all = (struct races){0};
}
