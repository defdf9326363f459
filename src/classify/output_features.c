/*
 * Where the output of a program depends on speed, a difference of two outputs says nothing of a race. So an output is
 * split into single features: how it ended; all of a stream; how often a line is there; how often a line is there that
 * is the same except for its numbers (its family); which numbers a family has in its first place, its second and so on,
 * in whatever line; the contents of a file or connection, the same without the order of lines, and the number of bytes.
 *
 * Several executions with the same order of the two accesses and with different schedules show which features depend on
 * the schedule. A feature that is the same in all of them and different in the other order is caused by the race:
 * "worker 2: job 7" may be another worker's, but if job 7 is missing, something was lost. A new line alone means
 * nothing, as every execution may have lines that no other has. It counts if it replaces a line that they all have, or
 * if nothing like it is in them.
 *
 * A feature that varies may still have a value that is possible in one order only. Then executions of both orders are
 * compared, value by value. That all n executions with a value belong to one order by chance has a probability; the
 * more features are compared, the smaller it must be.
 */
#include "classify/output_features.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "classify/output_hash.h"

#define CHANCE   0.01 /* of a false difference, over all that is compared */
#define FREQUENT 0.3  /* of the executions so far: a value this frequent deserves more samples */

enum feature_kind {
	FEATURE_END,
	FEATURE_ALL,
	FEATURE_FAMILY,
	FEATURE_NUMBERS,
	FEATURE_LINE,
	FEATURE_STREAM,
	FEATURE_STREAM_LINES,
	FEATURE_STREAM_SIZE
};

/* Where a feature comes from: standard output, standard error, or a file or connection. */
struct origin {
	enum part part;
	uint64_t stream;
};

static void add(struct features *all, enum feature_kind kind, struct origin of, uint64_t key, uint64_t value,
                uint64_t family)
{
	uint64_t what = hash_mix(hash_mix(1, (uint64_t)kind * (PARTS + 1) + of.part), of.stream);

	if (!(all->count & (all->count - 1)))
		all->list = must_resize(all->list, (all->count ? 2 * all->count : 1) * sizeof *all->list);
	all->list[all->count++] = (struct feature){.key = hash_mix(what, key),
	                                           .value = value,
	                                           .family = family,
	                                           .stream = of.stream,
	                                           .kind = kind,
	                                           .part = of.part};
}

static size_t digits_in(const uint8_t *text, size_t size)
{
	size_t n = 0;

	while (n < size && isdigit(text[n]))
		n++;
	return n;
}

uint64_t feature_family(const uint8_t *line, size_t size)
{
	uint64_t h = 1;

	for (size_t i = 0, n; i < size; i += n ? n : 1) {
		n = digits_in(line + i, size - i);
		h = hash_mix(h, n ? '0' : line[i]);
	}
	return h;
}

static void add_line(struct features *all, struct origin of, const uint8_t *line, size_t size)
{
	uint64_t family = feature_family(line, size), place = 0;

	add(all, FEATURE_FAMILY, of, family, 1, family);
	add(all, FEATURE_LINE, of, hash_of(line, size), 1, family);
	for (size_t i = 0, n; i < size; i += n ? n : 1) {
		n = digits_in(line + i, size - i);
		if (n)
			add(all, FEATURE_NUMBERS, of, hash_mix(hash_mix(1, family), ++place), hash_of(line + i, n),
			    family);
	}
}

static void add_lines(struct features *all, struct origin of, const struct bytes *b)
{
	for (size_t at = 0; at < b->size;) {
		const uint8_t *end = memchr(b->data + at, '\n', b->size - at);
		size_t size = end ? (size_t)(end - b->data) - at : b->size - at;
		add_line(all, of, b->data + at, size);
		at += size + 1;
	}
}

static int by_key(const void *a, const void *b)
{
	const struct feature *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Adds up what is there several times, and sorts. */
static void merge_equal(struct features *all)
{
	size_t n = 0;

	if (all->count)
		qsort(all->list, all->count, sizeof *all->list, by_key);
	for (size_t i = 0; i < all->count; i++)
		if (n && all->list[n - 1].key == all->list[i].key)
			all->list[n - 1].value += all->list[i].value;
		else
			all->list[n++] = all->list[i];
	all->count = n;
}

uint64_t feature_stream(const struct board_output *g)
{
	return hash_mix(hash_mix(1, hash_of(g->name, strlen(g->name))), g->kind);
}

static void add_outputs(struct features *all, const struct trial *t)
{
	add(all, FEATURE_ALL, (struct origin){PART_OTHER, 0}, 0, t->outputs_hash[SAME_BYTES], 0);
	for (uint32_t i = 0; i < t->noutputs; i++) {
		const struct board_output *g = &t->outputs[i];
		struct origin of = {PART_OTHER, feature_stream(g)};
		add(all, FEATURE_STREAM, of, g->number, hash_mix(hash_mix(1, g->hash), g->size * 2 + g->there) | 1, 0);
		add(all, FEATURE_STREAM_LINES, of, 0, hash_mix(hash_mix(1, g->lines), g->there), 0);
		add(all, FEATURE_STREAM_SIZE, of, 0, g->size + 1, 0);
		if (t->kept && t->kept[i].size)
			add_lines(all, of, &t->kept[i]);
	}
}

struct features features_of(const struct trial *t)
{
	struct features all = {0};

	if (t->plain)
		return features_of(t->plain);
	add(&all, FEATURE_END, (struct origin){PARTS, 0}, 0, hash_mix(hash_mix(1, t->ending), (uint64_t)t->status) | 1,
	    0);
	for (enum part part = PART_STDOUT; part <= PART_STDERR; part++) {
		struct origin of = {part, 0};
		uint64_t hash = hash_of(t->printed[part].data, t->printed[part].size);
		add(&all, FEATURE_ALL, of, 0, hash_mix(hash_mix(1, t->printed_hash[part]), hash), 0);
		add_lines(&all, of, &t->printed[part]);
	}
	add_outputs(&all, t);
	merge_equal(&all);
	return all;
}

void features_free(struct features *t) { free(t->list); }

void samples_add(struct samples *all, const struct trial *t)
{
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count++] = features_of(t);
}

void samples_free(struct samples *all)
{
	for (size_t i = 0; i < all->count; i++)
		features_free(&all->list[i]);
	free(all->list);
	*all = (struct samples){0};
}

uint64_t features_value(const struct features *t, uint64_t key)
{
	const struct feature *found =
	        t->count ? bsearch(&(struct feature){.key = key}, t->list, t->count, sizeof *t->list, by_key) : NULL;

	return found ? found->value : 0;
}

static bool agree(const struct samples *all, uint64_t key)
{
	for (size_t i = 1; i < all->count; i++)
		if (features_value(&all->list[i], key) != features_value(&all->list[0], key))
			return false;
	return true;
}

/* Some sample has a family of lines, or a stream, that no other has: then a new one says nothing. */
static bool have_unique(const struct samples *all, enum feature_kind kind)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->list[i].count; k++) {
			size_t have = 0;
			for (size_t l = 0; l < all->count && all->list[i].list[k].kind == kind; l++)
				have += features_value(&all->list[l], all->list[i].list[k].key) != 0;
			if (have == 1)
				return true;
		}
	return false;
}

/* The samples agree about this feature, and here it is different. */
static bool is_contradicted(const struct samples *all, const struct feature *what, uint64_t here)
{
	uint64_t theirs = features_value(&all->list[0], what->key);

	if (theirs == here || !agree(all, what->key))
		return false;
	if (what->kind == FEATURE_NUMBERS)
		return theirs && here; /* otherwise the family is missing, which is a feature of its own */
	if (what->kind == FEATURE_LINE)
		return theirs;
	return theirs || !have_unique(all, what->kind);
}

/* Prefers a line to the whole stream; of files and connections the whole, if all samples agree about it. */
static int rank(const struct feature *t)
{
	static const int ranks[] = {
	        [FEATURE_END] = 6,    [FEATURE_NUMBERS] = 5,      [FEATURE_FAMILY] = 4,      [FEATURE_LINE] = 3,
	        [FEATURE_STREAM] = 2, [FEATURE_STREAM_LINES] = 1, [FEATURE_STREAM_SIZE] = 1, [FEATURE_ALL] = 0};

	return t->kind == FEATURE_ALL && t->part == PART_OTHER ? 3 : ranks[t->kind];
}

static bool is_better(const struct feature *a, const struct feature *b) { return rank(a) > rank(b); }

/* The features of both, once each. */
static struct features unite(const struct features *a, const struct features *b)
{
	struct features all = {.list = must_alloc((a->count + b->count + 1) * sizeof *all.list)};
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		bool first = k == b->count || (i < a->count && a->list[i].key <= b->list[k].key);
		k += first && k < b->count && a->list[i].key == b->list[k].key;
		all.list[all.count++] = first ? a->list[i++] : b->list[k++];
	}
	return all;
}

bool samples_contradict(const struct samples *all, const struct features *t, struct feature *what)
{
	struct features both = unite(t, &all->list[0]);
	bool found = false;

	for (size_t i = 0; i < both.count; i++)
		if ((!found || is_better(&both.list[i], what)) &&
		    is_contradicted(all, &both.list[i], features_value(t, both.list[i].key))) {
			*what = both.list[i];
			found = true;
		}
	features_free(&both);
	return found;
}

static size_t count_value(const struct samples *all, uint64_t key, uint64_t value)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += features_value(&all->list[i], key) == value;
	return n;
}

/* The probability that all n are among the first a of a + b. */
static double chance(size_t n, size_t a, size_t b)
{
	double p = 1;

	for (size_t i = 0; i < n; i++)
		p *= (double)(a - i) / (double)(a + b - i);
	return p;
}

/* Of the values that a has and b lacks, how often a has the most frequent one. */
static size_t most_exclusive(const struct samples *a, const struct samples *b, uint64_t key)
{
	size_t most = 0;

	for (size_t i = 0; i < a->count; i++) {
		uint64_t value = features_value(&a->list[i], key);
		size_t n = count_value(b, key, value) ? 0 : count_value(a, key, value);
		most = n > most ? n : most;
	}
	return most;
}

/* It is unlikely that these two differ so much by chance; `perhaps`: unlikely enough to look further. */
static bool is_unlikely(const struct samples *a, const struct samples *b, uint64_t key, double compared, bool perhaps)
{
	size_t n = most_exclusive(a, b, key);

	return perhaps ? (double)n >= FREQUENT * (double)a->count
	               : n && chance(n, a->count, b->count) * compared <= CHANCE;
}

static bool both_agree(const struct samples *a, const struct samples *b, uint64_t key)
{
	return agree(a, key) && agree(b, key) && features_value(&a->list[0], key) == features_value(&b->list[0], key);
}

bool samples_differ_in(const struct samples *a, const struct samples *b, const struct feature *what)
{
	return is_unlikely(a, b, what->key, 1, false) || is_unlikely(b, a, what->key, 1, false);
}

bool samples_differ(const struct samples *a, const struct samples *b, bool perhaps, struct feature *what)
{
	struct features all = {0};
	double varied = 0;
	bool found = false;

	for (size_t i = 0; i < a->count + b->count; i++) {
		struct features more = unite(&all, i < a->count ? &a->list[i] : &b->list[i - a->count]);
		features_free(&all);
		all = more;
	}
	for (size_t i = 0; i < all.count; i++)
		varied += !both_agree(a, b, all.list[i].key);
	for (size_t i = 0; i < all.count; i++)
		if ((!found || is_better(&all.list[i], what)) &&
		    (is_unlikely(a, b, all.list[i].key, varied, perhaps) ||
		     is_unlikely(b, a, all.list[i].key, varied, perhaps))) {
			*what = all.list[i];
			found = true;
		}
	features_free(&all);
	return found;
}
