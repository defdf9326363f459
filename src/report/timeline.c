/*
 * The time of a trace is microseconds; here one is a scheduling point, and the events of one point follow each other by
 * nanoseconds, so that each has a time of its own and a slice is never empty.
 *
 * One walk over the events makes records in the order of time; the length of a slice is filled in when it ends. Slices
 * of one track must nest, but locks need not be given back in the order in which they were taken: what was taken later
 * is then cut in two. An arrow (a flow) goes from the record of a release to that of an acquire; every thread has a
 * slice as long as its life, so both ends lie on slices.
 */
#include "report/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/race_subject.h"
#include "format/json.h"
#include "format/enum_names.h"

#define POINT      1000ul /* nanoseconds */
#define STEP       2ul    /* between two events of one point */
#define MAX_TRACKS (1u << 20)
#define PROGRAM    1000 /* process of the tracks: a fiber's is PROGRAM + its number */
#define SCHEDULE   1    /* process of the track that shows who runs */
#define NO_RECORD  SIZE_MAX
#define FLAT       2 /* depth in the JSON from which on everything stands on one line */

enum record_kind {
	RECORD_LIFE,    /* of a thread */
	RECORD_HOLD,    /* of a lock */
	RECORD_WAIT,    /* of a fiber */
	RECORD_STINT,   /* of a fiber on the processor */
	RECORD_RELEASE, /* where arrows begin */
	RECORD_ACQUIRE, /* where one ends */
	RECORD_SIGNAL,
	RECORD_RACE,
};

struct record {
	uint8_t kind;   /* enum record_kind */
	bool continued; /* the rest of a slice that was cut */
	uint32_t fiber;
	uint64_t time, end; /* end: of a slice; 0 while it is open */
	const struct event *event;
	const struct event *until; /* what ended it, or NULL */
	const char *name;          /* of an arrow */
	size_t next;               /* of a release: its first acquire; of an acquire: the next of the same release */
	const struct race *race;
};

struct hold {
	uint64_t object;
	size_t record;
};

struct track {
	bool known;
	char name[17];
	size_t life, wait;
	size_t woken_by;             /* the record of who woke it, if that is to be shown */
	const struct event *created; /* by whom, and where */
	size_t created_by;           /* the record of that */
	size_t ended;                /* that of its end */
	struct hold *holds;
	size_t count, room;
};

/* A text for a number, looked up once. */
struct named {
	uint64_t key;
	char *text;
};

struct names {
	struct named *at;
	size_t count, room; /* room: a power of two */
};

struct walk {
	const struct timeline *t;
	struct json_writer json;
	struct record *records;
	size_t count, room;
	size_t *released; /* by event: the record of a release */
	struct track *tracks;
	uint32_t ntracks;
	uint64_t now;
	size_t stint;
	struct names places, objects;
};

/* ---- names ---- */

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

/* The innermost frame of the program's own source; without one the innermost. */
static bool find_place(const struct walk *w, uint64_t where, struct frame *out)
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

/* "queue.c:41 in put"; empty: unknown. */
static const char *place(struct walk *w, uint64_t where)
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

/* "`queue.lock`"; without a variable "at queue.c:41", where it was first seen. */
static const char *object(struct walk *w, const struct event *e)
{
	struct named *n = names_find(&w->objects, e->object);
	char name[192];

	if (n->text)
		return n->text;
	w->objects.count++;
	const char *at = place(w, e->where);
	if (lock_name(w->t->result, e->object, name, sizeof name))
		n->text = must_format("`%s`", name);
	else if (*at)
		n->text = must_format("at %.*s", (int)strcspn(at, " "), at);
	else
		n->text = must_format("0x%" PRIx64, e->object);
	return n->text;
}

/* ---- records ---- */

static struct record *record(struct walk *w, size_t i) { return &w->records[i]; }

static size_t add(struct walk *w, enum record_kind kind, uint32_t fiber, const struct event *e)
{
	if (w->count == w->room) {
		w->room = w->room ? 2 * w->room : 1024;
		w->records = must_resize(w->records, w->room * sizeof *w->records);
	}
	w->records[w->count] =
	        (struct record){.kind = kind, .fiber = fiber, .time = w->now, .event = e, .next = NO_RECORD};
	return w->count++;
}

static void end(struct walk *w, size_t *slice, uint64_t at, const struct event *until)
{
	if (*slice == NO_RECORD)
		return;
	record(w, *slice)->end = at;
	record(w, *slice)->until = until;
	*slice = NO_RECORD;
}

static void arrow(struct walk *w, size_t from, uint32_t fiber, const struct event *e, const char *name)
{
	if (from == NO_RECORD)
		return;
	size_t to = add(w, RECORD_ACQUIRE, fiber, e);
	record(w, to)->name = name;
	record(w, to)->next = record(w, from)->next;
	record(w, from)->next = to;
}

/* NULL: a number that no fiber has. */
static struct track *track(struct walk *w, uint64_t fiber)
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

/* ---- locks ---- */

static void take(struct walk *w, struct track *t, const struct event *e)
{
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 4;
		t->holds = must_resize(t->holds, t->room * sizeof *t->holds);
	}
	object(w, e); /* its name is where it was taken first */
	t->holds[t->count++] = (struct hold){e->object, add(w, RECORD_HOLD, e->fiber, e)};
}

/* Ends the slice of the lock; those above it are cut. False if the thread does not have it. */
static bool give(struct walk *w, struct track *t, const struct event *e)
{
	size_t i = t->count;

	while (i && t->holds[i - 1].object != e->object)
		i--;
	if (!i)
		return false;
	for (size_t k = i - 1; k < t->count; k++) {
		struct record *r = record(w, t->holds[k].record);
		r->end = w->now;
		r->until = k == i - 1 ? e : NULL;
	}
	t->count--;
	for (size_t k = i - 1; k < t->count; k++) {
		struct record before = *record(w, t->holds[k + 1].record);
		t->holds[k] = (struct hold){t->holds[k + 1].object, add(w, RECORD_HOLD, before.fiber, before.event)};
		record(w, t->holds[k].record)->continued = true;
	}
	return true;
}

/* A lock may be given back by another thread than took it. */
static void unlock(struct walk *w, struct track *t, const struct event *e)
{
	if (give(w, t, e))
		return;
	for (uint32_t i = 0; i < w->ntracks; i++)
		if (give(w, &w->tracks[i], e))
			return;
}

/* ---- the walk ---- */

static void start(struct walk *w, struct track *t, const struct event *e)
{
	t->known = true;
	t->life = add(w, RECORD_LIFE, e->fiber, e);
	arrow(w, t->created_by, e->fiber, t->created, "create → start");
}

static void run(struct walk *w, struct track *t, const struct event *e)
{
	end(w, &w->stint, w->now, e);
	w->stint = add(w, RECORD_STINT, e->fiber, e);
	if (!t->known)
		start(w, t, e);
}

static void create(struct walk *w, const struct event *e)
{
	struct track *made = track(w, e->object);

	if (!made || made->known)
		return;
	made->created = e;
	made->created_by = add(w, RECORD_RELEASE, e->fiber, e);
}

static void finish(struct walk *w, struct track *t, const struct event *e, uint64_t at)
{
	for (size_t i = 0; i < t->count; i++)
		end(w, &t->holds[i].record, at, e);
	t->count = 0;
	end(w, &t->wait, at, e);
	end(w, &t->life, at, e);
}

/* The last that ended of those that had this pthread_t: the C library uses them again. */
static void join(struct walk *w, const struct event *e)
{
	size_t last = NO_RECORD;

	for (uint32_t i = 0; i < w->ntracks; i++) {
		const struct track *t = &w->tracks[i];
		if (t->created && t->created->value == e->object && t->ended != NO_RECORD &&
		    (last == NO_RECORD || t->ended > last))
			last = t->ended;
	}
	arrow(w, last, e->fiber, e, "exit → join");
}

static void resume(struct walk *w, struct track *t, const struct event *e)
{
	if (e->flags == RESUME_WOKEN)
		arrow(w, t->woken_by, e->fiber, e, "signal → wait");
	t->woken_by = NO_RECORD;
	end(w, &t->wait, w->now + 1, e);
}

/* Other waits end with an acquire, whose arrow tells more. */
static void wake(struct walk *w, const struct event *e)
{
	struct track *woken = track(w, e->object);

	if (!woken || woken->wait == NO_RECORD)
		return;
	uint8_t what = record(w, woken->wait)->event->flags;
	if (what == FOR_CONDITION || what == FOR_FUTEX)
		woken->woken_by = add(w, RECORD_RELEASE, e->fiber, e);
}

static const char *arrow_name(struct walk *w, const struct event *e)
{
	const struct event *from = &w->t->events[e->value - 1];
	const struct event *before = e > w->t->events ? e - 1 : e;

	if (from->object >> 63)
		return "write → read";
	if (before->kind == EVENT_LOCK && before->object == e->object)
		return "unlock → lock";
	return "release → acquire";
}

static void acquire(struct walk *w, const struct event *e)
{
	uint64_t number = (uint64_t)(e - w->t->events) + 1;

	if (e->value && e->value < number && w->released[e->value - 1] != NO_RECORD)
		arrow(w, w->released[e->value - 1], e->fiber, e, arrow_name(w, e));
}

static void access(struct walk *w, const struct event *e)
{
	uint64_t number = (uint64_t)(e - w->t->events) + 1;

	for (size_t i = 0; i < w->t->race_count; i++) {
		const struct board_access *a = w->t->races[i]->seen.access;
		if (a[0].event != number && a[1].event != number)
			continue;
		size_t r = add(w, RECORD_RACE, e->fiber, e);
		record(w, r)->race = w->t->races[i];
	}
}

static void step(struct walk *w, const struct event *e)
{
	struct track *t = track(w, e->fiber);

	if (!t)
		return;
	w->now = e->point * POINT > w->now + STEP ? e->point * POINT : w->now + STEP;
	if (!t->known && e->kind != EVENT_RUN && e->kind != EVENT_NAME)
		return;
	switch (e->kind) {
	case EVENT_RUN:
		return run(w, t, e);
	case EVENT_CREATE:
		return create(w, e);
	case EVENT_END:
		t->ended = add(w, RECORD_RELEASE, e->fiber, e);
		return finish(w, t, e, w->now + 1);
	case EVENT_JOIN:
		return join(w, e);
	case EVENT_NAME:
		memcpy(t->name, &e->object, 8);
		memcpy(t->name + 8, &e->value, 8);
		return;
	case EVENT_WAIT:
		t->wait = add(w, RECORD_WAIT, e->fiber, e);
		return;
	case EVENT_RESUME:
		return resume(w, t, e);
	case EVENT_WAKE:
		return wake(w, e);
	case EVENT_LOCK:
		return take(w, t, e);
	case EVENT_UNLOCK:
		return unlock(w, t, e);
	case EVENT_RELEASE:
		w->released[e - w->t->events] = add(w, RECORD_RELEASE, e->fiber, e);
		return;
	case EVENT_ACQUIRE:
		return acquire(w, e);
	case EVENT_SIGNAL:
		add(w, RECORD_SIGNAL, e->fiber, e);
		return;
	case EVENT_ACCESS:
		return access(w, e);
	}
}

static void walk(struct walk *w)
{
	for (uint64_t i = 0; i < w->t->count; i++)
		w->released[i] = NO_RECORD;
	for (uint64_t i = 0; i < w->t->count; i++)
		step(w, &w->t->events[i]);
	uint64_t last = w->t->lost ? 0 : w->t->result->points * POINT;
	w->now = last > w->now + STEP ? last : w->now + STEP;
	for (uint32_t i = 0; i < w->ntracks; i++)
		finish(w, &w->tracks[i], NULL, w->now);
	end(w, &w->stint, w->now, NULL);
}

/* ---- JSON ---- */

static void open_event(struct walk *w, const char *phase, uint32_t process, uint32_t thread)
{
	json_open(&w->json, NULL, '{');
	json_string(&w->json, "ph", phase);
	json_number(&w->json, "pid", process);
	json_number(&w->json, "tid", thread);
}

static void time_of(struct walk *w, const char *key, uint64_t time) { json_real(&w->json, key, (double)time / POINT); }

static void say_place(struct walk *w, const char *key, uint64_t where)
{
	const char *at = place(w, where);

	if (*at)
		json_string(&w->json, key, at);
}

static void metadata(struct walk *w, const char *what, uint32_t process, uint32_t thread, const char *name)
{
	open_event(w, "M", process, thread);
	json_string(&w->json, "name", what);
	json_open(&w->json, "args", '{');
	json_string(&w->json, "name", name);
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

static void name_track(struct walk *w, uint32_t fiber, char *out, size_t size)
{
	if (fiber < w->ntracks && w->tracks[fiber].name[0])
		snprintf(out, size, "%s", w->tracks[fiber].name);
	else
		snprintf(out, size, "T%u", fiber);
}

static void name_tracks(struct walk *w)
{
	char name[32];

	metadata(w, "process_name", SCHEDULE, SCHEDULE, "schedule");
	metadata(w, "thread_name", SCHEDULE, SCHEDULE, "who runs");
	metadata(w, "process_name", PROGRAM, PROGRAM, w->t->program);
	for (uint32_t i = 0; i < w->ntracks; i++) {
		if (!w->tracks[i].known)
			continue;
		name_track(w, i, name, sizeof name);
		metadata(w, "thread_name", PROGRAM, PROGRAM + i, name);
	}
}

static void describe_hold(struct walk *w, const struct event *e, char *out, size_t size)
{
	static const char *const what[] = {
	        [HELD_MUTEX] = "mutex", [HELD_READ] = "rwlock", [HELD_WRITE] = "rwlock", [HELD_SPIN] = "spin lock"};
	uint8_t how = e->flags <= HELD_SPIN ? e->flags : HELD_MUTEX;

	snprintf(out, size, "%s %s%s", what[how], object(w, e),
	         how == HELD_READ    ? " (read)"
	         : how == HELD_WRITE ? " (write)"
	                             : "");
}

static void describe_wait(struct walk *w, const struct event *e, char *out, size_t size)
{
	static const char *const names[] = {
#define X(id, name) name,
	        EVENT_WAITS(X)
#undef X
	};
	const char *what = e->flags < sizeof names / sizeof names[0] ? names[e->flags] : "something";

	switch (e->flags) {
	case FOR_SLEEP:
	case FOR_SIGNAL:
	case FOR_CHILD:
		snprintf(out, size, "waits for %s", what);
		return;
	case FOR_THREAD:
		if (e->object < MAX_TRACKS)
			snprintf(out, size, "waits for %s T%u", what, (uint32_t)e->object);
		else
			snprintf(out, size, "waits for %s a thread", what);
		return;
	case FOR_FILE:
		snprintf(out, size, "waits for %s %u%s", what, (uint32_t)e->object, e->value > 1 ? " and others" : "");
		return;
	default:
		snprintf(out, size, "waits for %s %s", what, object(w, e));
	}
}

static const struct {
	const char *category;
	void (*describe)(struct walk *w, const struct event *e, char *out, size_t size);
	const char *from, *until; /* names of the places where it begins and ends */
} slices[] = {
        [RECORD_HOLD] = {"lock", describe_hold, "locked at", "unlocked at"},
        [RECORD_WAIT] = {"wait", describe_wait, "at", NULL},
};

static void open_slice(struct walk *w, const struct record *r, uint32_t process, uint32_t thread, const char *category,
                       const char *name)
{
	open_event(w, "X", process, thread);
	time_of(w, "ts", r->time);
	time_of(w, "dur", r->end - r->time);
	json_string(&w->json, "cat", category);
	json_string(&w->json, "name", name);
	json_open(&w->json, "args", '{');
	json_number(&w->json, "point", r->event->point);
}

static void close_slice(struct walk *w)
{
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

static void write_slice(struct walk *w, const struct record *r)
{
	static const char *const ends[] = {"woken", "timeout", "interrupted"};
	char name[512];

	slices[r->kind].describe(w, r->event, name, sizeof name);
	open_slice(w, r, PROGRAM, PROGRAM + r->fiber, slices[r->kind].category, name);
	say_place(w, slices[r->kind].from, r->event->where);
	if (slices[r->kind].until && r->until)
		say_place(w, slices[r->kind].until, r->until->where);
	if (r->kind == RECORD_WAIT && r->until && r->until->kind == EVENT_RESUME && r->until->flags < 3)
		json_string(&w->json, "ended by", ends[r->until->flags]);
	if (r->continued)
		json_bool(&w->json, "continued", true);
	if (!r->until && r->end == w->now)
		json_bool(&w->json, "open at the end", true);
	close_slice(w);
}

static void write_life(struct walk *w, const struct record *r)
{
	const struct event *created = w->tracks[r->fiber].created;
	char name[32];

	name_track(w, r->fiber, name, sizeof name);
	open_slice(w, r, PROGRAM, PROGRAM + r->fiber, "thread", name);
	json_number(&w->json, "thread", r->fiber);
	if (created) {
		json_number(&w->json, "created by", created->fiber);
		say_place(w, "created at", created->where);
	}
	if (!r->until)
		json_bool(&w->json, "open at the end", true);
	close_slice(w);
}

static void write_stint(struct walk *w, const struct record *r)
{
	char name[32];

	name_track(w, r->fiber, name, sizeof name);
	open_slice(w, r, SCHEDULE, SCHEDULE, "run", name);
	close_slice(w);
}

static void write_end_of_arrow(struct walk *w, const char *phase, const struct record *at, size_t id, const char *name)
{
	open_event(w, phase, PROGRAM, PROGRAM + at->fiber);
	time_of(w, "ts", at->time);
	json_string(&w->json, "cat", "order");
	json_string(&w->json, "name", name);
	json_number(&w->json, "id", id);
	if (*phase == 'f')
		json_string(&w->json, "bp", "e");
	json_open(&w->json, "args", '{');
	say_place(w, "at", at->event->where);
	if ((at->event->kind == EVENT_RELEASE || at->event->kind == EVENT_ACQUIRE) && !(at->event->object >> 63))
		json_string(&w->json, "by", object(w, at->event));
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

static void write_release(struct walk *w, const struct record *r)
{
	for (size_t i = r->next; i != NO_RECORD; i = record(w, i)->next)
		write_end_of_arrow(w, "s", r, i, record(w, i)->name);
}

static void open_instant(struct walk *w, const struct record *r, const char *category, const char *name)
{
	open_event(w, "i", PROGRAM, PROGRAM + r->fiber);
	time_of(w, "ts", r->time);
	json_string(&w->json, "s", "t");
	json_string(&w->json, "cat", category);
	json_string(&w->json, "name", name);
	json_open(&w->json, "args", '{');
	json_number(&w->json, "point", r->event->point);
	say_place(w, "at", r->event->where);
}

static void write_signal(struct walk *w, const struct record *r)
{
	char name[64];

	signal_format((int)r->event->object, name, sizeof name);
	open_instant(w, r, "signal", name);
	close_slice(w);
}

static void write_race(struct walk *w, const struct record *r)
{
	const struct board_access *a = r->race->seen.access;
	bool second = a[1].event == (uint64_t)(r->event - w->t->events) + 1;
	struct subject subject;
	char name[256];

	race_subject(r->race, &subject);
	snprintf(name, sizeof name, "race: %s%s%s%s%s", a[second].flags & ACCESS_ATOMIC ? "atomic " : "",
	         access_kind(a[second].flags), subject.name[0] ? " of `" : "", subject.name,
	         subject.name[0] ? "`" : "");
	open_instant(w, r, "race", name);
	json_string(&w->json, "race", r->race->id);
	json_address(&w->json, "address", a[second].address);
	close_slice(w);
}

static void write_record(struct walk *w, size_t i)
{
	const struct record *r = record(w, i);

	switch ((enum record_kind)r->kind) {
	case RECORD_LIFE:
		return write_life(w, r);
	case RECORD_HOLD:
	case RECORD_WAIT:
		return write_slice(w, r);
	case RECORD_STINT:
		return write_stint(w, r);
	case RECORD_RELEASE:
		return write_release(w, r);
	case RECORD_ACQUIRE:
		return write_end_of_arrow(w, "f", r, i, r->name);
	case RECORD_SIGNAL:
		return write_signal(w, r);
	case RECORD_RACE:
		return write_race(w, r);
	}
}

static void write_head(struct walk *w)
{
	const struct board_result *r = w->t->result;

	json_string(&w->json, "displayTimeUnit", "ns");
	json_open(&w->json, "otherData", '{');
	json_string(&w->json, "program", w->t->program);
	json_string(&w->json, "evidence", w->t->evidence);
	json_string(&w->json, "clock", "virtual: 1 µs is one scheduling point of the execution");
	json_number(&w->json, "points", r->points);
	json_string(&w->json, "ending", ending_name(r->ending));
	json_string(&w->json, "message", r->message);
	json_number(&w->json, "events", w->t->count);
	json_number(&w->json, "events_lost", w->t->lost);
	json_close(&w->json, '}');
}

void report_timeline(FILE *out, const struct timeline *t)
{
	struct walk w = {.t = t, .json = {.out = out, .one_line_depth = FLAT}, .stint = NO_RECORD};

	w.released = must_alloc((t->count + 1) * sizeof *w.released);
	walk(&w);
	json_open(&w.json, NULL, '{');
	write_head(&w);
	json_open(&w.json, "traceEvents", '[');
	name_tracks(&w);
	for (size_t i = 0; i < w.count; i++)
		write_record(&w, i);
	json_close(&w.json, ']');
	json_close(&w.json, '}');
	for (uint32_t i = 0; i < w.ntracks; i++)
		free(w.tracks[i].holds);
	free(w.tracks);
	free(w.records);
	free(w.released);
	names_free(&w.places);
	names_free(&w.objects);
}
