#include "report/timeline.h"

#include "report/raced_memory.h"
#include "report/timeline_records.h"
#include "format/json.h"
#include "format/enum_names.h"

#define PROGRAM  1000 /* the process of the tracks; the thread of a fiber is PROGRAM + its number */
#define SCHEDULE 1    /* the process of the track that shows who runs */
#define FLAT     2    /* from this depth on the JSON is on one line */

struct writer {
	struct timeline_walk walk;
	struct json_writer json;
};

/* `phase`: the type of the trace event, in the letters of the format. */
static void open_event(struct writer *w, const char *phase, uint32_t process, uint32_t thread)
{
	json_open(&w->json, NULL, '{');
	json_string(&w->json, "ph", phase);
	json_number(&w->json, "pid", process);
	json_number(&w->json, "tid", thread);
}

static void write_time(struct writer *w, const char *key, uint64_t time)
{
	json_real(&w->json, key, (double)time / POINT);
}

static void write_place(struct writer *w, const char *key, uint64_t where)
{
	const char *at = timeline_place(&w->walk, where);

	if (*at)
		json_string(&w->json, key, at);
}

static void write_metadata(struct writer *w, const char *what, uint32_t process, uint32_t thread, const char *name)
{
	open_event(w, "M", process, thread);
	json_string(&w->json, "name", what);
	json_open(&w->json, "args", '{');
	json_string(&w->json, "name", name);
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

static void format_track_name(struct writer *w, uint32_t fiber, char *out, size_t size)
{
	if (fiber < w->walk.ntracks && w->walk.tracks[fiber].name[0])
		snprintf(out, size, "%s", w->walk.tracks[fiber].name);
	else
		snprintf(out, size, "T%u", fiber);
}

static void write_track_names(struct writer *w)
{
	char name[32];

	write_metadata(w, "process_name", SCHEDULE, SCHEDULE, "schedule");
	write_metadata(w, "thread_name", SCHEDULE, SCHEDULE, "who runs");
	write_metadata(w, "process_name", PROGRAM, PROGRAM, w->walk.t->program);
	for (uint32_t i = 0; i < w->walk.ntracks; i++) {
		if (!w->walk.tracks[i].known)
			continue;
		format_track_name(w, i, name, sizeof name);
		write_metadata(w, "thread_name", PROGRAM, PROGRAM + i, name);
	}
}

static void describe_hold(struct writer *w, const struct event *e, char *out, size_t size)
{
	static const char *const what[] = {
	        [HELD_MUTEX] = "mutex", [HELD_READ] = "rwlock", [HELD_WRITE] = "rwlock", [HELD_SPIN] = "spin lock"};
	uint8_t how = e->flags <= HELD_SPIN ? e->flags : HELD_MUTEX;

	snprintf(out, size, "%s %s%s", what[how], timeline_object(&w->walk, e),
	         how == HELD_READ    ? " (read)"
	         : how == HELD_WRITE ? " (write)"
	                             : "");
}

static void describe_wait(struct writer *w, const struct event *e, char *out, size_t size)
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
		snprintf(out, size, "waits for %s %s", what, timeline_object(&w->walk, e));
	}
}

static const struct {
	const char *category;
	void (*describe)(struct writer *w, const struct event *e, char *out, size_t size);
	const char *from, *until; /* the keys of the places where it begins and ends */
} slices[] = {
        [RECORD_HOLD] = {"lock", describe_hold, "locked at", "unlocked at"},
        [RECORD_WAIT] = {"wait", describe_wait, "at", NULL},
};

static void open_slice(struct writer *w, const struct record *r, uint32_t process, uint32_t thread,
                       const char *category, const char *name)
{
	open_event(w, "X", process, thread);
	write_time(w, "ts", r->time);
	write_time(w, "dur", r->end - r->time);
	json_string(&w->json, "cat", category);
	json_string(&w->json, "name", name);
	json_open(&w->json, "args", '{');
	json_number(&w->json, "point", r->event->point);
}

static void close_slice(struct writer *w)
{
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

static void write_slice(struct writer *w, const struct record *r)
{
	static const char *const ends[] = {"woken", "timeout", "interrupted"};
	char name[512];

	slices[r->kind].describe(w, r->event, name, sizeof name);
	open_slice(w, r, PROGRAM, PROGRAM + r->fiber, slices[r->kind].category, name);
	write_place(w, slices[r->kind].from, r->event->where);
	if (slices[r->kind].until && r->until)
		write_place(w, slices[r->kind].until, r->until->where);
	if (r->kind == RECORD_WAIT && r->until && r->until->kind == EVENT_RESUME && r->until->flags < 3)
		json_string(&w->json, "ended by", ends[r->until->flags]);
	if (r->continued)
		json_bool(&w->json, "continued", true);
	if (!r->until && r->end == w->walk.now)
		json_bool(&w->json, "open at the end", true);
	close_slice(w);
}

static void write_life(struct writer *w, const struct record *r)
{
	const struct event *created = w->walk.tracks[r->fiber].created;
	char name[32];

	format_track_name(w, r->fiber, name, sizeof name);
	open_slice(w, r, PROGRAM, PROGRAM + r->fiber, "thread", name);
	json_number(&w->json, "thread", r->fiber);
	if (created) {
		json_number(&w->json, "created by", created->fiber);
		write_place(w, "created at", created->where);
	}
	if (!r->until)
		json_bool(&w->json, "open at the end", true);
	close_slice(w);
}

static void write_stint(struct writer *w, const struct record *r)
{
	char name[32];

	format_track_name(w, r->fiber, name, sizeof name);
	open_slice(w, r, SCHEDULE, SCHEDULE, "run", name);
	close_slice(w);
}

static void write_end_of_arrow(struct writer *w, const char *phase, const struct record *at, size_t id,
                               const char *name)
{
	open_event(w, phase, PROGRAM, PROGRAM + at->fiber);
	write_time(w, "ts", at->time);
	json_string(&w->json, "cat", "order");
	json_string(&w->json, "name", name);
	json_number(&w->json, "id", id);
	if (*phase == 'f')
		json_string(&w->json, "bp", "e");
	json_open(&w->json, "args", '{');
	write_place(w, "at", at->event->where);
	if ((at->event->kind == EVENT_RELEASE || at->event->kind == EVENT_ACQUIRE) && !(at->event->object >> 63))
		json_string(&w->json, "by", timeline_object(&w->walk, at->event));
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

static void write_release(struct writer *w, const struct record *r)
{
	for (size_t i = r->next; i != NO_RECORD; i = timeline_record(&w->walk, i)->next)
		write_end_of_arrow(w, "s", r, i, timeline_record(&w->walk, i)->name);
}

static void open_instant(struct writer *w, const struct record *r, const char *category, const char *name)
{
	open_event(w, "i", PROGRAM, PROGRAM + r->fiber);
	write_time(w, "ts", r->time);
	json_string(&w->json, "s", "t");
	json_string(&w->json, "cat", category);
	json_string(&w->json, "name", name);
	json_open(&w->json, "args", '{');
	json_number(&w->json, "point", r->event->point);
	write_place(w, "at", r->event->where);
}

static void write_signal(struct writer *w, const struct record *r)
{
	char name[64];

	signal_format((int)r->event->object, name, sizeof name);
	open_instant(w, r, "signal", name);
	close_slice(w);
}

static void write_race(struct writer *w, const struct record *r)
{
	const struct board_access *a = r->race->seen.access;
	bool second = a[1].event == (uint64_t)(r->event - w->walk.t->events) + 1;
	struct raced_memory memory;
	char name[256];

	raced_memory_of(r->race, &memory);
	snprintf(name, sizeof name, "race: %s%s%s%s%s", a[second].flags & ACCESS_ATOMIC ? "atomic " : "",
	         access_kind(a[second].flags), memory.name[0] ? " of `" : "", memory.name, memory.name[0] ? "`" : "");
	open_instant(w, r, "race", name);
	json_string(&w->json, "race", r->race->id);
	json_address(&w->json, "address", a[second].address);
	close_slice(w);
}

static void write_record(struct writer *w, size_t i)
{
	const struct record *r = timeline_record(&w->walk, i);

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

static void write_head(struct writer *w)
{
	const struct board_result *r = w->walk.t->result;

	json_string(&w->json, "displayTimeUnit", "ns");
	json_open(&w->json, "otherData", '{');
	json_string(&w->json, "program", w->walk.t->program);
	json_string(&w->json, "evidence", w->walk.t->evidence);
	json_string(&w->json, "clock", "virtual: 1 µs is one scheduling point of the execution");
	json_number(&w->json, "points", r->points);
	json_string(&w->json, "ending", ending_name(r->ending));
	json_string(&w->json, "message", r->message);
	json_number(&w->json, "events", w->walk.t->count);
	json_number(&w->json, "events_lost", w->walk.t->lost);
	json_close(&w->json, '}');
}

void report_timeline(FILE *out, const struct timeline *t)
{
	struct writer w = {.walk = {.t = t}, .json = {.out = out, .one_line_depth = FLAT}};

	timeline_record_events(&w.walk);
	json_open(&w.json, NULL, '{');
	write_head(&w);
	json_open(&w.json, "traceEvents", '[');
	write_track_names(&w);
	for (size_t i = 0; i < w.walk.count; i++)
		write_record(&w, i);
	json_close(&w.json, ']');
	json_close(&w.json, '}');
	timeline_free(&w.walk);
}
