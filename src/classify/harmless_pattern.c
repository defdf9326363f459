/*
 * The explaining replay of each primary leaves all accesses to the bytes that raced, in their order and with the values
 * before and after. Here they are collected for each race, by 8 bytes, over all primaries. A pattern is given only if
 * nothing in them contradicts it. Where something is not known there is no pattern.
 */
#include "classify/harmless_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "report/load_flows.h"
#include "abi/hooks.h"

/* With more than this there is no pattern. */
#define READINGS 32 /* different ones */
#define CHANGES  32
#define FIBERS   64
#define WORDS    64
#define SITES    8

/* A read by one of the two accesses, and what its thread did to the bytes next. */
struct reading {
	uint64_t value, bytes;
	uint64_t lock[2];
	uint64_t next_lock[2];
	uint64_t next; /* 0: nothing, 1: a read, 2: a write */
};

struct change {
	uint64_t before, after;
};

/* What is known of 8 bytes. `pair` stands for the two accesses of the race only. */
struct word {
	uint64_t address;
	bool touched[2];             /* by each of the two accesses */
	uint64_t fibers[2];          /* by which threads, for each access */
	uint64_t writers;            /* threads that have written here, at any place */
	bool written, pair_written;  /* in the current execution */
	uint64_t value, pair_value;  /* the last one written */
	bool varies, pair_varies;    /* in some execution not always the same value was written */
	bool differing_read_stays;   /* a thread read another value and did not then write the same one */
	bool reader_writes;          /* a thread read another value, or had written here before it read */
	bool pair_changes_value;     /* a write of the pair has changed the value, or may have */
	uint64_t pair_changed;       /* bits that writes of the pair changed */
	bool adds, sets_bits;        /* every write does that to a value that its thread has read */
	uint64_t changed_by[FIBERS]; /* for each thread, the bits that it changed of what it had read */
	uint64_t pair_looks_at;      /* bits that the program looks at after reads of the pair */
	bool pair_has_written;       /* the pair has made a write */
	uint64_t pair_locks[2];      /* locks that all writes of the pair hold */
	struct reading reading[READINGS];
	uint32_t nreadings;
	struct change change[CHANGES];
	uint32_t nchanges;
	uint64_t pair_readers, pair_writers;        /* in the current execution */
	bool read_follows;                          /* one of these reads comes after one of these writes */
	uint64_t read_at[SITES], written_at[SITES]; /* by any thread */
	uint32_t nread_at, nwritten_at;
};

struct access_history {
	bool unknown;
	bool has_read;     /* one of the two accesses is a read */
	bool reads_follow; /* in each execution that has both, some read comes after the other access */
	struct word *words;
	size_t count;
};

void access_history_free(struct access_history *h)
{
	if (h)
		free(h->words);
	free(h);
}

static struct word *find_word(const struct access_history *h, uint64_t address)
{
	for (size_t i = 0; i < h->count; i++)
		if (h->words[i].address == address)
			return &h->words[i];
	return NULL;
}

static void add_word(struct access_history *h, uint64_t address)
{
	if (find_word(h, address))
		return;
	if (h->count == WORDS) {
		h->unknown = true;
		return;
	}
	h->words = must_resize(h->words, (h->count + 1) * sizeof *h->words);
	struct word *w = &h->words[h->count++];
	*w = (struct word){.address = address, .adds = true, .sets_bits = true};
}

static void add_site(uint64_t *list, uint32_t *count, uint64_t site)
{
	for (uint32_t i = 0; i < *count && i < SITES; i++)
		if (list[i] == site)
			return;
	if (*count < SITES)
		list[*count] = site;
	if (*count <= SITES)
		++*count; /* SITES + 1 means: too many */
}

static bool is_access(const struct board_touch *t, const struct board_access *a)
{
	return a->site && t->site == a->site && !((t->flags ^ a->flags) & ACCESS_WRITE);
}

static bool is_write(const struct board_touch *t) { return t->flags & ACCESS_WRITE; }

/* What the thread read of these bytes before it wrote them; NULL: its last access is not a read. */
static const struct board_touch *read_before(const struct execution *x, uint32_t i)
{
	const struct board_touch *t = &x->touches[i];

	while (i-- > 0)
		if (x->touches[i].fiber == t->fiber && x->touches[i].address == t->address)
			return is_write(&x->touches[i]) ? NULL : &x->touches[i];
	return NULL;
}

static void keep_common_locks(uint64_t lock[2], const uint64_t held[2])
{
	for (int i = 0; i < 2; i++)
		if (lock[i] != held[0] && lock[i] != held[1])
			lock[i] = 0;
}

static void note_write(struct access_history *h, struct word *w, const struct execution *x, uint32_t i, bool of_race)
{
	const struct board_touch *t = &x->touches[i], *had = read_before(x, i);

	w->varies |= w->written && w->value != t->after;
	w->value = t->after;
	w->written = true;
	w->writers |= 1ul << t->fiber;
	w->adds &= t->update == OMEN_SITE_ADDS && had;
	w->sets_bits &= t->update == OMEN_SITE_SETS_BITS && had;
	w->changed_by[t->fiber] |= had ? had->after ^ t->after : UINT64_MAX;
	if (!of_race)
		return;
	w->pair_varies |= w->pair_written && w->pair_value != t->after;
	w->pair_value = t->after;
	w->pair_changes_value |= t->no_before || t->before != t->after;
	w->pair_changed |= t->no_before ? UINT64_MAX : t->before ^ t->after;
	if (!w->pair_has_written)
		memcpy(w->pair_locks, t->lock, sizeof w->pair_locks);
	w->pair_has_written = true;
	keep_common_locks(w->pair_locks, t->lock);
	w->pair_written = true;
	if (t->no_before || t->before == t->after)
		return;
	for (uint32_t k = 0; k < w->nchanges; k++)
		if (w->change[k].before == t->before && w->change[k].after == t->after)
			return;
	if (w->nchanges == CHANGES)
		h->unknown = true;
	else
		w->change[w->nchanges++] = (struct change){t->before, t->after};
}

static void note_read(struct access_history *h, struct word *w, const struct execution *x, uint32_t i)
{
	const struct board_touch *t = &x->touches[i];
	struct reading r;

	memset(&r, 0, sizeof r);
	r.value = t->after;
	r.bytes = t->bytes;
	memcpy(r.lock, t->lock, sizeof r.lock);
	for (uint32_t k = i + 1; k < x->ntouches && !r.next; k++) {
		const struct board_touch *n = &x->touches[k];
		if (n->fiber != t->fiber || n->address != t->address)
			continue;
		r.next = is_write(n) ? 2 : 1;
		memcpy(r.next_lock, n->lock, sizeof r.next_lock);
	}
	w->pair_looks_at |= t->looked_at;
	for (uint32_t k = 0; k < w->nreadings; k++)
		if (!memcmp(&w->reading[k], &r, sizeof r))
			return;
	if (w->nreadings == READINGS)
		h->unknown = true;
	else
		w->reading[w->nreadings++] = r;
}

/* The next write of the thread, after this read, writes the value. */
static bool writes_next(const struct execution *x, uint32_t i, uint64_t value)
{
	const struct board_touch *t = &x->touches[i];

	for (uint32_t k = i + 1; k < x->ntouches; k++)
		if (x->touches[k].fiber == t->fiber && x->touches[k].address == t->address && is_write(&x->touches[k]))
			return x->touches[k].after == value;
	return false;
}

/* The thread has written these bytes before. */
static bool has_written(const struct execution *x, uint32_t i)
{
	const struct board_touch *t = &x->touches[i];

	while (i-- > 0)
		if (x->touches[i].fiber == t->fiber && x->touches[i].address == t->address && is_write(&x->touches[i]))
			return true;
	return false;
}

static bool several(uint64_t fibers) { return fibers & (fibers - 1); }

static void begin_execution(struct access_history *h)
{
	for (size_t i = 0; i < h->count; i++)
		h->words[i].written = h->words[i].pair_written = false;
}

/*
 * Looks for an execution whose reads all come before the writes. Where the program has a lock of its own, the second
 * thread must wait.
 */
static void find_reads_before_writes(struct access_history *h, const struct board_access access[2],
                                     const struct execution *x)
{
	for (size_t i = 0; i < h->count; i++)
		h->words[i].pair_readers = h->words[i].pair_writers = h->words[i].read_follows = 0;
	for (uint32_t i = 0; i < x->ntouches; i++) {
		const struct board_touch *t = &x->touches[i];
		struct word *w = find_word(h, t->address);
		uint64_t fiber = t->fiber < FIBERS ? 1ul << t->fiber : 0;
		if (!w || !fiber || !(is_access(t, &access[0]) || is_access(t, &access[1])))
			continue;
		if (is_write(t)) {
			w->pair_writers |= fiber;
		} else {
			w->pair_readers |= fiber;
			w->read_follows |= (w->pair_writers & ~fiber) != 0;
		}
	}
	for (size_t i = 0; i < h->count; i++) {
		const struct word *w = &h->words[i];
		uint64_t fibers = w->pair_readers | w->pair_writers;
		h->reads_follow &= !w->pair_readers || !w->pair_writers || !several(fibers) || w->read_follows;
	}
}

bool access_history_read_follows(const struct access_history *h) { return !h || h->reads_follow; }

void access_history_add(struct access_history **all, const struct board_access access[2], const struct execution *x)
{
	if (!*all) {
		*all = must_alloc(sizeof **all);
		(*all)->reads_follow = true;
	}
	struct access_history *h = *all;

	/* values of freed or atomic memory are not known well enough */
	h->unknown |= !x->ntouches || ((access[0].flags | access[1].flags) & (ACCESS_FREE | ACCESS_ATOMIC));
	h->has_read = !(access[0].flags & access[1].flags & ACCESS_WRITE);
	for (uint32_t i = 0; i < x->ntouches && !h->unknown; i++)
		if (is_access(&x->touches[i], &access[0]) || is_access(&x->touches[i], &access[1]))
			add_word(h, x->touches[i].address);
	begin_execution(h);
	for (uint32_t i = 0; i < x->ntouches && !h->unknown; i++) {
		const struct board_touch *t = &x->touches[i];
		bool of[2] = {is_access(t, &access[0]), is_access(t, &access[1])};
		struct word *w = find_word(h, t->address);
		if (!w)
			continue;
		if (t->fiber >= FIBERS || !(t->flags & ACCESS_HAS_VALUE)) {
			h->unknown = true;
			continue;
		}
		for (int k = 0; k < 2; k++) {
			w->touched[k] |= of[k];
			w->fibers[k] |= of[k] ? 1ul << t->fiber : 0;
		}
		if (is_write(t))
			add_site(w->written_at, &w->nwritten_at, t->site);
		else
			add_site(w->read_at, &w->nread_at, t->site);
		if (is_write(t))
			note_write(h, w, x, i, of[0] || of[1]);
		else if (of[0] || of[1])
			note_read(h, w, x, i);
	}
	for (uint32_t i = 0; i < x->ntouches && !h->unknown; i++) {
		const struct board_touch *t = &x->touches[i];
		struct word *w = find_word(h, t->address);
		if (!w || is_write(t) || !(is_access(t, &access[0]) || is_access(t, &access[1])) || !w->written)
			continue;
		w->differing_read_stays |= t->after != w->value && !writes_next(x, i, w->value);
		w->reader_writes |= t->after != w->value || has_written(x, i);
	}
	if (h->has_read && x->result->ending == ENDING_EXIT)
		find_reads_before_writes(h, access, x);
}

/* Both accesses were made to these bytes, and not all by one thread. */
static bool is_raced(const struct word *w)
{
	return w->touched[0] && w->touched[1] && several(w->fibers[0] | w->fibers[1]);
}

static bool has_lock(const uint64_t held[2], uint64_t lock) { return lock && (held[0] == lock || held[1] == lock); }

/* All threads write the same value. Whoever reads another one goes on to write this one, or had written it before. */
static bool all_write_the_same(const struct word *w)
{
	return several(w->writers) && !w->varies && w->reader_writes && !w->differing_read_stays;
}

static bool is_redundant(const struct access_history *h, const struct word *w)
{
	if (!h->has_read)
		return !w->pair_varies;
	return !w->pair_changes_value || all_write_the_same(w);
}

/* The value that was read without the lock decides whether it is read again with the lock. */
static bool is_double_check(const struct access_history *h, const struct word *w, uint64_t lock)
{
	bool again = false, not_again = false;

	if (!h->has_read || !lock)
		return false;
	for (uint32_t i = 0; i < w->nreadings; i++) {
		const struct reading *r = &w->reading[i];
		bool checked = r->next == 1 && has_lock(r->next_lock, lock);
		if (has_lock(r->lock, lock))
			return false;
		again |= checked;
		not_again |= !checked;
		for (uint32_t k = 0; k < i; k++) {
			const struct reading *other = &w->reading[k];
			if (other->value == r->value &&
			    checked != (other->next == 1 && has_lock(other->next_lock, lock)))
				return false;
		}
	}
	return again && not_again;
}

static bool are_masks_disjoint(const struct word *w)
{
	uint64_t seen = 0;

	for (int i = 0; i < FIBERS; i++) {
		if (seen & w->changed_by[i])
			return false;
		seen |= w->changed_by[i];
	}
	return seen;
}

static bool is_disjoint(const struct access_history *h, const struct word *w)
{
	if (h->has_read && w->pair_changed && !(w->pair_changed & w->pair_looks_at))
		return true;
	return w->sets_bits && several(w->writers) && are_masks_disjoint(w);
}

static bool is_counter(const struct word *w) { return w->adds && several(w->writers); }

static bool was_read(const struct word *w, uint64_t value)
{
	for (uint32_t i = 0; i < w->nreadings; i++)
		if (w->reading[i].value == value)
			return true;
	return false;
}

/* The values before and after a write were both read, or two writes left different values. */
static bool is_valid(const struct access_history *h, const struct word *w)
{
	for (uint32_t i = 0; i < w->nchanges && h->has_read; i++)
		if (was_read(w, w->change[i].before) && was_read(w, w->change[i].after))
			return true;
	return !h->has_read && w->pair_varies;
}

static bool fits(const struct access_history *h, const struct word *w, enum pattern p)
{
	switch (p) {
	case PATTERN_REDUNDANT:
		return is_redundant(h, w);
	case PATTERN_DOUBLE_CHECK:
		return is_double_check(h, w, w->pair_locks[0]) || is_double_check(h, w, w->pair_locks[1]);
	case PATTERN_BITS:
		return is_disjoint(h, w);
	case PATTERN_COUNTER:
		return is_counter(w);
	default:
		return is_valid(h, w);
	}
}

enum pattern access_history_pattern(const struct access_history *h)
{
	for (enum pattern p = PATTERN_REDUNDANT; h && !h->unknown && p <= PATTERN_VALID; p++) {
		size_t raced = 0, fit = 0;
		for (size_t i = 0; i < h->count; i++) {
			raced += is_raced(&h->words[i]);
			fit += is_raced(&h->words[i]) && fits(h, &h->words[i], p);
		}
		if (raced && (fit == raced || (fit && p == PATTERN_VALID)))
			return p;
	}
	return PATTERN_NONE;
}

bool access_history_double_checks(const struct access_history *h, uint64_t lock)
{
	if (access_history_pattern(h) != PATTERN_DOUBLE_CHECK)
		return false;
	for (size_t i = 0; i < h->count; i++)
		if (is_raced(&h->words[i]) && has_lock(h->words[i].pair_locks, lock))
			return true;
	return false;
}

/* Every value that is read here is added to and written back, and nothing else is done with it. */
static bool is_only_counted(const struct word *w, const struct board_result *r)
{
	uint64_t store;

	if (!w->adds || w->nread_at > SITES || w->nwritten_at > SITES)
		return false;
	for (uint32_t i = 0; i < w->nread_at; i++) {
		bool own = false;
		if (!flows_only_into(r, w->read_at[i], &store))
			return false;
		for (uint32_t k = 0; k < w->nwritten_at; k++)
			own |= w->written_at[k] == store;
		if (!own)
			return false;
	}
	return w->nread_at;
}

bool access_history_hides_order(const struct access_history *h, const struct board_result *r)
{
	size_t raced = 0;

	for (size_t i = 0; h && !h->unknown && i < h->count; i++) {
		const struct word *w = &h->words[i];
		if (!is_raced(w))
			continue;
		raced++;
		if (!is_only_counted(w, r) && (h->has_read || w->pair_varies))
			return false;
	}
	return raced && !h->unknown;
}
