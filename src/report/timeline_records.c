/*
 * One walk over the events makes the records.  The time is in nanoseconds: a scheduling point is a microsecond, and the
 * events of one point follow each other by STEP, so that each has a time of its own and no slice is empty.
 *
 * The length of a slice is set when the slice ends.  Slices of one track must nest, but a thread may release its locks
 * in any order: a release cuts the slices of the locks that were taken later in two.  An arrow goes from the record of
 * a release to that of an acquire.  Every thread has a slice as long as its life, so both ends of an arrow lie on
 * slices.
 */
#include "report/timeline_records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/variable.h"

#define STEP 2ul /* nanoseconds between two events of one point */

static struct named *slot_of(const struct names *n, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15u >> 32) & (n->room - 1);

	while (n->at[i].text && n->at[i].key != key)
		i = (i + 1) & (n->room - 1);
	return &n->at[i];
}

static void names_grow(struct names *n)
{
	struct names old = *n;

	n->room = old.room ? 2 * old.room : 256;
	n->at = must_alloc(n->room * sizeof *n->at);
	for (size_t i = 0; i < old.room; i++)
		if (old.at[i].text)
			*slot_of(n, old.at[i].key) = old.at[i];
	free(old.at);
}

/* The entry of a key; a new one has no text yet. */
static struct named *names_find(struct names *n, uint64_t key)
{
	if (2 * n->count >= n->room)
		names_grow(n);
	struct named *s = slot_of(n, key);
	s->key = key;
	return s;
}

static void names_free(struct names *n)
{
	for (size_t i = 0; i < n->room; i++)
		free(n->at[i].text);
	free(n->at);
}

/* The innermost frame in the program's own source; if there is none, the innermost frame. */
static bool find_place(const struct timeline_walk *w, uint64_t where, struct frame *out)
{
	uint64_t number = where / 2 % EVENT_STACKS;

	if (!(where & 1))
		return symbol_where(w->t->result, where, out);
	struct event_stack s = w->t->stacks[number];
	for (uint64_t i = 0; i < s.depth && i < EVENT_FRAMES; i++)
		if (symbol_where(w->t->result, 2 * s.pc[i] + 1, out) && out->own)
			return true;
	return s.depth && symbol_where(w->t->result, 2 * s.pc[0] + 1, out);
}

const char *timeline_place(struct timeline_walk *w, uint64_t where)
{
	struct named *n = names_find(&w->places, where);
	struct frame f;

	if (n->text)
		return n->text;
	w->places.count++;
	if (!find_place(w, where, &f) || !(f.line || f.function[0]))
		n->text = must_format("%s", "");
	else if (!f.line)
		n->text = must_format("%s", f.function);
	else
		n->text = must_format("%s:%u%s%s", f.file, f.line, f.function[0] ? " in " : "", f.function);
	return n->text;
}

const char *timeline_object(struct timeline_walk *w, const struct event *e)
{
	struct named *n = names_find(&w->objects, e->object);
	char name[192];

	if (n->text)
		return n->text;
	w->objects.count++;
	const char *at = timeline_place(w, e->where);
	if (lock_name(w->t->result, e->object, name, sizeof name))
		n->text = must_format("`%s`", name);
	else if (*at)
		n->text = must_format("at %.*s", (int)strcspn(at, " "), at);
	else
		n->text = must_format("0x%" PRIx64, e->object);
	return n->text;
}

struct record *timeline_record(struct timeline_walk *w, size_t i) { return &w->records[i]; }

/* Appends a record with the current time; returns its number. */
static size_t add_record(struct timeline_walk *w, enum record_kind kind, uint32_t fiber, const struct event *e)
{
	if (w->count == w->room) {
		w->room = w->room ? 2 * w->room : 1024;
		w->records = must_resize(w->records, w->room * sizeof *w->records);
	}
	w->records[w->count] =
	        (struct record){.kind = kind, .fiber = fiber, .time = w->now, .event = e, .next = NO_RECORD};
	return w->count++;
}

/* Ends a slice that is open. */
static void end_slice(struct timeline_walk *w, size_t *slice, uint64_t at, const struct event *until)
{
	if (*slice == NO_RECORD)
		return;
	timeline_record(w, *slice)->end = at;
	timeline_record(w, *slice)->until = until;
	*slice = NO_RECORD;
}

/* Draws an arrow from a release to here. */
static void add_arrow(struct timeline_walk *w, size_t from, uint32_t fiber, const struct event *e, const char *name)
{
	if (from == NO_RECORD)
		return;
	size_t to = add_record(w, RECORD_ACQUIRE, fiber, e);
	timeline_record(w, to)->name = name;
	timeline_record(w, to)->next = timeline_record(w, from)->next;
	timeline_record(w, from)->next = to;
}

/* The track of a fiber; NULL: no fiber has this number. */
static struct track *track_of(struct timeline_walk *w, uint64_t fiber)
{
	if (fiber >= MAX_TRACKS)
		return NULL;
	if (fiber >= w->ntracks) {
		uint32_t n = w->ntracks ? w->ntracks : 64;
		while (n <= fiber)
			n *= 2;
		w->tracks = must_resize(w->tracks, n * sizeof *w->tracks);
		for (uint32_t i = w->ntracks; i < n; i++)
			w->tracks[i] = (struct track){.life = NO_RECORD,
			                              .wait = NO_RECORD,
			                              .woken_by = NO_RECORD,
			                              .created_by = NO_RECORD,
			                              .ended = NO_RECORD};
		w->ntracks = n;
	}
	return &w->tracks[fiber];
}

static void take_lock(struct timeline_walk *w, struct track *t, const struct event *e)
{
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 4;
		t->holds = must_resize(t->holds, t->room * sizeof *t->holds);
	}
	timeline_object(w, e); /* a lock without a name is called by the place where it was first taken */
	t->holds[t->count++] = (struct hold){e->object, add_record(w, RECORD_HOLD, e->fiber, e)};
}

/*
 * Ends the slice of a lock, and cuts the slices of locks that were taken later.  False if the thread does not hold it.
 */
static bool release_lock(struct timeline_walk *w, struct track *t, const struct event *e)
{
	size_t i = t->count;

	while (i && t->holds[i - 1].object != e->object)
		i--;
	if (!i)
		return false;
	for (size_t k = i - 1; k < t->count; k++) {
		struct record *r = timeline_record(w, t->holds[k].record);
		r->end = w->now;
		r->until = k == i - 1 ? e : NULL;
	}
	t->count--;
	for (size_t k = i - 1; k < t->count; k++) {
		struct record before = *timeline_record(w, t->holds[k + 1].record);
		t->holds[k] =
		        (struct hold){t->holds[k + 1].object, add_record(w, RECORD_HOLD, before.fiber, before.event)};
		timeline_record(w, t->holds[k].record)->continued = true;
	}
	return true;
}

/* A lock may be released by another thread than the one that took it. */
static void unlock(struct timeline_walk *w, struct track *t, const struct event *e)
{
	if (release_lock(w, t, e))
		return;
	for (uint32_t i = 0; i < w->ntracks; i++)
		if (release_lock(w, &w->tracks[i], e))
			return;
}

/* The first time that a fiber runs. */
static void start_thread(struct timeline_walk *w, struct track *t, const struct event *e)
{
	t->known = true;
	t->life = add_record(w, RECORD_LIFE, e->fiber, e);
	add_arrow(w, t->created_by, e->fiber, t->created, "create → start");
}

static void switch_to(struct timeline_walk *w, struct track *t, const struct event *e)
{
	end_slice(w, &w->stint, w->now, e);
	w->stint = add_record(w, RECORD_STINT, e->fiber, e);
	if (!t->known)
		start_thread(w, t, e);
}

static void create_thread(struct timeline_walk *w, const struct event *e)
{
	struct track *made = track_of(w, e->object);

	if (!made || made->known)
		return;
	made->created = e;
	made->created_by = add_record(w, RECORD_RELEASE, e->fiber, e);
}

/* Ends all slices of a thread. */
static void finish_track(struct timeline_walk *w, struct track *t, const struct event *e, uint64_t at)
{
	for (size_t i = 0; i < t->count; i++)
		end_slice(w, &t->holds[i].record, at, e);
	t->count = 0;
	end_slice(w, &t->wait, at, e);
	end_slice(w, &t->life, at, e);
}

/* The arrow comes from the last thread that ended with this pthread_t: the C library reuses them. */
static void join_thread(struct timeline_walk *w, const struct event *e)
{
	size_t last = NO_RECORD;

	for (uint32_t i = 0; i < w->ntracks; i++) {
		const struct track *t = &w->tracks[i];
		if (t->created && t->created->value == e->object && t->ended != NO_RECORD &&
		    (last == NO_RECORD || t->ended > last))
			last = t->ended;
	}
	add_arrow(w, last, e->fiber, e, "exit → join");
}

static void resume(struct timeline_walk *w, struct track *t, const struct event *e)
{
	if (e->flags == RESUME_WOKEN)
		add_arrow(w, t->woken_by, e->fiber, e, "signal → wait");
	t->woken_by = NO_RECORD;
	end_slice(w, &t->wait, w->now + 1, e);
}

/* Notes which thread wakes another from a condition or futex.  Other waits end with an acquire, which has an arrow. */
static void wake(struct timeline_walk *w, const struct event *e)
{
	struct track *woken = track_of(w, e->object);

	if (!woken || woken->wait == NO_RECORD)
		return;
	uint8_t what = timeline_record(w, woken->wait)->event->flags;
	if (what == FOR_CONDITION || what == FOR_FUTEX)
		woken->woken_by = add_record(w, RECORD_RELEASE, e->fiber, e);
}

/* What an acquire that follows the release says of its kind. */
static const char *arrow_name(struct timeline_walk *w, const struct event *e)
{
	const struct event *from = &w->t->events[e->value - 1];
	const struct event *before = e > w->t->events ? e - 1 : e;

	if (from->object >> 63)
		return "write → read";
	if (before->kind == EVENT_LOCK && before->object == e->object)
		return "unlock → lock";
	return "release → acquire";
}

static void acquire(struct timeline_walk *w, const struct event *e)
{
	uint64_t number = (uint64_t)(e - w->t->events) + 1;

	if (e->value && e->value < number && w->released[e->value - 1] != NO_RECORD)
		add_arrow(w, w->released[e->value - 1], e->fiber, e, arrow_name(w, e));
}

/* Adds a record for each race that the access belongs to. */
static void add_races(struct timeline_walk *w, const struct event *e)
{
	uint64_t number = (uint64_t)(e - w->t->events) + 1;

	for (size_t i = 0; i < w->t->race_count; i++) {
		const struct board_access *a = w->t->races[i]->seen.access;
		if (a[0].event != number && a[1].event != number)
			continue;
		size_t r = add_record(w, RECORD_RACE, e->fiber, e);
		timeline_record(w, r)->race = w->t->races[i];
	}
}

static void take_event(struct timeline_walk *w, const struct event *e)
{
	struct track *t = track_of(w, e->fiber);

	if (!t)
		return;
	w->now = e->point * POINT > w->now + STEP ? e->point * POINT : w->now + STEP;
	if (!t->known && e->kind != EVENT_RUN && e->kind != EVENT_NAME)
		return;
	switch (e->kind) {
	case EVENT_RUN:
		return switch_to(w, t, e);
	case EVENT_CREATE:
		return create_thread(w, e);
	case EVENT_END:
		t->ended = add_record(w, RECORD_RELEASE, e->fiber, e);
		return finish_track(w, t, e, w->now + 1);
	case EVENT_JOIN:
		return join_thread(w, e);
	case EVENT_NAME:
		memcpy(t->name, &e->object, 8);
		memcpy(t->name + 8, &e->value, 8);
		return;
	case EVENT_WAIT:
		t->wait = add_record(w, RECORD_WAIT, e->fiber, e);
		return;
	case EVENT_RESUME:
		return resume(w, t, e);
	case EVENT_WAKE:
		return wake(w, e);
	case EVENT_LOCK:
		return take_lock(w, t, e);
	case EVENT_UNLOCK:
		return unlock(w, t, e);
	case EVENT_RELEASE:
		w->released[e - w->t->events] = add_record(w, RECORD_RELEASE, e->fiber, e);
		return;
	case EVENT_ACQUIRE:
		return acquire(w, e);
	case EVENT_SIGNAL:
		add_record(w, RECORD_SIGNAL, e->fiber, e);
		return;
	case EVENT_ACCESS:
		return add_races(w, e);
	}
}

void timeline_record_events(struct timeline_walk *w)
{
	w->stint = NO_RECORD;
	w->released = must_alloc((w->t->count + 1) * sizeof *w->released);
	for (uint64_t i = 0; i < w->t->count; i++)
		w->released[i] = NO_RECORD;
	for (uint64_t i = 0; i < w->t->count; i++)
		take_event(w, &w->t->events[i]);
	uint64_t last = w->t->lost ? 0 : w->t->result->points * POINT;
	w->now = last > w->now + STEP ? last : w->now + STEP;
	for (uint32_t i = 0; i < w->ntracks; i++)
		finish_track(w, &w->tracks[i], NULL, w->now);
	end_slice(w, &w->stint, w->now, NULL);
}

void timeline_free(struct timeline_walk *w)
{
	for (uint32_t i = 0; i < w->ntracks; i++)
		free(w->tracks[i].holds);
	free(w->tracks);
	free(w->records);
	free(w->released);
	names_free(&w->places);
	names_free(&w->objects);
}
