/*
 * An evidence has two threads, seldom more, that do little between two switches, once it is reduced.  Of that what is
 * told are the accesses to the bytes that raced, what a thread waits for, and where it ends: a line each, in the column
 * of its thread, so that time goes down the page.
 */
#include "report/interleaving.h"

#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "report/source.h"
#include "report/race_subject.h"
#include "report/verdict.h"
#include "format/enum_names.h"

#define ROWS_SHOWN   8
#define LINES_SHOWN  10 /* with those that say that rows are left out */
#define COLUMNS      2
#define INDENT       4
#define FIRST_VALUES 2
#define SHORTEST     12 /* of a source line that makes room for what it does */

struct row {
	uint32_t thread;
	/* "read", "write", "update", "free", "lock", "unlock", "wait", "signal", "broadcast", "post", "arrive", "end",
	   "output", or a consequence's */
	const char *kind;
	struct frame place;
	bool placed;
	char text[120]; /* the source line */
	char note[160]; /* "read 1, wrote 2" */
	char end[80];   /* "<- use after free", in the last one */
	uint32_t values;
	uint64_t value, object; /* the last one, and where it stands */
	size_t kept;            /* of the note, while values are left out of it */
	bool racy;              /* one of the race's own accesses, in this execution if that is known */
	bool matters;           /* it is what threads hang on in the end */
};

struct rows {
	const struct race *race;
	const struct board_result *result;  /* of the execution that is told */
	const struct board_result *symbols; /* where names come from: what ends well keeps none */
	struct row *list;
	size_t count;
	size_t pair[2]; /* of the moments: as in struct verdict */
};

/* ---- rows ---- */

/* A comment at the end of a line is not what it does. */
static void cut_comment(char *line)
{
	bool quoted = false;

	for (char *c = line; *c; c++) {
		if (*c == '"' && (c == line || c[-1] != '\\'))
			quoted = !quoted;
		if (!quoted && *c == '/' && (c[1] == '/' || c[1] == '*') && c > line) {
			*c = 0;
			return;
		}
	}
}

static void find_text(const struct rows *all, struct row *r)
{
	char line[256];

	if (!r->placed || !source_line(all->symbols, &r->place, line, sizeof line))
		return;
	char *text = source_trim(line);
	cut_comment(text);
	snprintf(r->text, sizeof r->text, "%s", source_trim(text));
}

/* The innermost place of the program's own source; without one the innermost. */
static bool find_in_stack(const struct rows *all, const struct event_stack *s, struct frame *out)
{
	struct frame frames[8];

	for (uint64_t i = 0; i < s->depth; i++) {
		size_t n = symbol_code(all->symbols, s->pc[i] - 1, frames, 8);
		for (size_t k = 0; k < n; k++)
			if (frames[k].own && frames[k].line) {
				*out = frames[k];
				return true;
			}
		if (!i)
			*out = frames[0];
	}
	return s->depth;
}

/* What a library's header does is done where it is called from. */
static bool find_place(const struct rows *all, const struct moment *m, struct frame *out)
{
	struct frame caller;

	if (m->event.where & 1)
		return find_in_stack(all, &m->stack, out);
	if (!m->event.where || !symbol_where(all->symbols, m->event.where, out))
		return false;
	if (!out->own && find_in_stack(all, &m->stack, &caller) && caller.own)
		*out = caller;
	return true;
}

static void say_value(struct row *r, const struct event *e)
{
	char value[32];
	const char *verb = e->flags & ACCESS_WRITE ? "wrote" : "read", *before = r->values ? ", " : "";

	if (e->flags & ACCESS_FREE || !(e->flags & ACCESS_HAS_VALUE) || !e->size || e->size > 8)
		return;
	/* what it has read or written just before is still there */
	if (r->values && r->value == e->value && r->object == e->object && !(e->flags & ACCESS_WRITE))
		return;
	r->value = e->value;
	r->object = e->object;
	if (r->values == FIRST_VALUES)
		r->kept = strlen(r->note);
	if (r->values > FIRST_VALUES) { /* of many the first ones and the last */
		r->note[r->kept] = 0;
		before = " … ";
	}
	size_t at = strlen(r->note);
	r->values++;
	value_format(e->value, e->size, value, sizeof value);
	snprintf(r->note + at, sizeof r->note - at, "%s%s %s", before, verb, value);
}

/* Which of the race's accesses it is, or -1. Where one has no site the event has an address of code. */
static int access_of(const struct race *r, const struct event *e)
{
	for (int i = 0; i < 2; i++) {
		const struct board_access *a = &r->seen.access[i];
		bool placed = e->where & 1 ? !a->site : e->where == a->site;
		if (placed && !((a->flags ^ e->flags) & (ACCESS_WRITE | ACCESS_FREE)))
			return i;
	}
	return -1;
}

static bool is_same_place(const struct row *a, const struct row *b)
{
	return a->thread == b->thread && a->placed && b->placed && a->place.line && a->place.line == b->place.line &&
	       !strcmp(base_name(a->place.file), base_name(b->place.file));
}

static struct row *last_row(struct rows *all) { return all->count ? &all->list[all->count - 1] : NULL; }

static bool is_plain(const char *kind)
{
	return !strcmp(kind, "read") || !strcmp(kind, "write") || !strcmp(kind, "update");
}

static struct row *add_row(struct rows *all, const struct row *r)
{
	struct row *last = last_row(all);

	/* what one line does without a switch is one row */
	if (last && is_same_place(last, r)) {
		if (strcmp(last->kind, r->kind))
			last->kind = is_plain(last->kind) && is_plain(r->kind) ? "update" : r->kind;
		last->racy |= r->racy;
		return last;
	}
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count] = *r;
	find_text(all, &all->list[all->count]);
	return &all->list[all->count++];
}

/* Which two of the moments are the race's is known. */
static bool has_pair(const struct rows *all) { return all->pair[0] < all->pair[1]; }

/* The one access of the race and the other. */
static bool is_both(const struct race *r, const struct event *a, const struct event *b)
{
	const struct board_access *of = r->seen.access;
	bool same = of[0].site == of[1].site && !((of[0].flags ^ of[1].flags) & (ACCESS_WRITE | ACCESS_FREE));
	int i = access_of(r, a), k = access_of(r, b);

	return i >= 0 && k >= 0 && (i != k || same) && a->fiber != b->fiber;
}

/* Of an execution that was not made to show this race any two will do: the last ones before a violation, else the
 * first. */
static void find_pair(struct rows *all)
{
	const struct verdict *v = all->race->verdict;

	memcpy(all->pair, v->pair, sizeof all->pair);
	for (size_t k = 0; k < v->nmoments && !(has_pair(all) && v->kind != VERDICT_SPEC); k++)
		for (size_t i = k; v->pair[0] >= v->pair[1] && v->moments[k].event.kind == EVENT_ACCESS && i-- > 0;)
			if (v->moments[i].event.kind == EVENT_ACCESS &&
			    is_both(all->race, &v->moments[i].event, &v->moments[k].event)) {
				all->pair[0] = i;
				all->pair[1] = k;
				break;
			}
}

static void add_access(struct rows *all, struct row *r, size_t moment)
{
	const struct verdict *v = all->race->verdict;
	const struct event *e = &v->moments[moment].event;

	r->kind = access_kind(e->flags);
	/* a thread that only passes the same place is not the race's */
	r->racy = has_pair(all) ? moment == all->pair[0] || moment == all->pair[1] : access_of(all->race, e) >= 0;
	if (r->placed && !(r->place.own && r->place.line) && !r->racy)
		return;
	say_value(add_row(all, r), e);
}

/* "condition `c`" */
static void say_named(const struct rows *all, uint64_t object, const char *verb, const char *what, struct row *r)
{
	char name[128] = "";

	if (lock_name(all->symbols, object, name + 2, sizeof name - 4))
		name[0] = ' ', name[1] = '`', strcat(name, "`");
	snprintf(r->note, sizeof r->note, "%s %s%s", verb, what, name);
}

static void say_wait(const struct rows *all, const struct event *e, struct row *r)
{
	static const char *const waits[] = {
#define X(id, name) [FOR_##id] = name,
	        EVENT_WAITS(X)
#undef X
	};
	const char *what = e->flags < sizeof waits / sizeof waits[0] ? waits[e->flags] : "something";

	if (e->flags == FOR_THREAD || e->flags == FOR_FILE)
		snprintf(r->note, sizeof r->note, e->flags == FOR_THREAD ? "waits for %s T%lu" : "waits for %s %lu",
		         what, e->object);
	else if (e->flags == FOR_SLEEP || e->flags == FOR_SIGNAL || e->flags == FOR_CHILD)
		snprintf(r->note, sizeof r->note, "waits for %s", what);
	else
		say_named(all, e->object, "waits for", what, r);
}

/* "wakes T1, T2"; of a signal that nobody waits for: that it is lost. */
static void say_woken(const struct moment *m, struct row *r)
{
	bool kept = m->event.flags == GIVE_POST || m->event.flags == GIVE_ARRIVAL;
	uint32_t shown = m->nwoken < WOKEN ? m->nwoken : WOKEN;
	size_t at = kept ? strlen(r->note) : 0;

	if (!m->nwoken && (kept || m->event.value))
		return;
	at += (size_t)snprintf(r->note + at, sizeof r->note - at, "%swakes%s", at ? ", " : "",
	                       m->nwoken ? "" : " nobody");
	for (uint32_t i = 0; i < shown; i++)
		at += (size_t)snprintf(r->note + at, sizeof r->note - at, "%s T%u", i ? "," : "", m->woken[i]);
	if (shown < m->nwoken)
		snprintf(r->note + at, sizeof r->note - at, " and %u more", m->nwoken - shown);
}

static void say_given(const struct rows *all, const struct moment *m, struct row *r)
{
	static const struct {
		const char *kind, *verb, *what;
	} words[] = {[GIVE_SIGNAL] = {"signal", "signals", "condition"},
	             [GIVE_BROADCAST] = {"broadcast", "signals", "condition"},
	             [GIVE_POST] = {"post", "posts", "semaphore"},
	             [GIVE_ARRIVAL] = {"arrive", "arrives at", "barrier"}};
	uint8_t what = m->event.flags < sizeof words / sizeof *words ? m->event.flags : 0;

	r->kind = words[what].kind;
	say_named(all, m->event.object, words[what].verb, words[what].what, r);
	say_woken(m, r);
}

/* A thread waits there, and goes on no more. */
static bool is_last_wait(const struct verdict *v, size_t i)
{
	const struct event *e = &v->moments[i].event;
	bool last = e->kind == EVENT_WAIT;

	for (size_t k = i + 1; k < v->nmoments && last; k++)
		last = v->moments[k].event.fiber != e->fiber;
	return last;
}

/* Does a thread wait for this when nobody gets on any more? */
static bool is_hung_on(const struct verdict *v, uint64_t object)
{
	for (size_t i = 0; i < v->nmoments; i++)
		if (v->moments[i].event.object == object && is_last_wait(v, i))
			return true;
	return false;
}

static void append_row(struct rows *all, const struct row *r)
{
	struct row *last = last_row(all);
	bool same = last && is_same_place(last, r);

	if (same && !strcmp(last->kind, r->kind))
		return; /* waits again */
	if (same && !strcmp(last->kind, "arrive") && !strcmp(r->kind, "wait")) {
		*last = *r; /* and waits there */
		find_text(all, last);
		return;
	}
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count] = *r;
	find_text(all, &all->list[all->count++]);
}

/* What threads do to each other, where that is what goes wrong: of locks those that one waits for in the end. */
static bool find_step(const struct rows *all, const struct moment *m, struct row *r)
{
	const struct event *e = &m->event;
	bool deadlock = all->result->ending == ENDING_DEADLOCK;
	bool hung = deadlock && is_hung_on(all->race->verdict, e->object);

	if (!deadlock && all->result->ending != ENDING_LOCK && all->result->ending != ENDING_LOOP)
		return false;
	r->matters = hung;
	switch (e->kind) {
	case EVENT_LOCK:
	case EVENT_UNLOCK:
		r->kind = e->kind == EVENT_LOCK ? "lock" : "unlock";
		say_named(all, e->object, e->kind == EVENT_LOCK ? "takes" : "gives back", "lock", r);
		return hung || all->result->ending == ENDING_LOCK;
	case EVENT_GIVE:
		say_given(all, m, r);
		return true;
	case EVENT_END:
		r->kind = "end";
		r->matters = false;
		snprintf(r->note, sizeof r->note, "ends");
		return deadlock;
	default:
		return false;
	}
}

static void add_moment(struct rows *all, size_t i)
{
	const struct moment *m = &all->race->verdict->moments[i];
	const struct event *e = &m->event;
	struct row r = {.thread = e->fiber};

	r.placed = find_place(all, m, &r.place);
	if (e->kind == EVENT_ACCESS) {
		add_access(all, &r, i);
	} else if (e->kind == EVENT_WAIT) {
		if (e->flags == FOR_THREAD)
			return; /* a join is the end of what it does, mostly */
		r.kind = "wait";
		r.matters = all->result->ending == ENDING_DEADLOCK && is_last_wait(all->race->verdict, i);
		say_wait(all, e, &r);
		append_row(all, &r);
	} else if (find_step(all, m, &r)) {
		append_row(all, &r);
	}
}

/* The row that it ends in. */
static struct row *add_end(struct rows *all, uint32_t thread, const char *kind, const struct frame *own)
{
	struct row r = {.thread = thread, .kind = kind, .placed = own};

	if (own)
		r.place = *own;
	struct row *at = last_row(all);
	if (!at || !is_same_place(at, &r))
		at = add_row(all, &r);
	at->kind = kind;
	return at;
}

static void add_consequence(struct rows *all)
{
	const struct board_result *b = all->result;
	struct frame frames[STACK_FRAMES];
	size_t n = b->nstacks ? symbol_stack(b, &b->stacks[0], frames, STACK_FRAMES) : 0;
	const char *kind = consequence_name(b->ending);
	/* who ran last may have ended: the place is that of the first stack */
	uint32_t thread = b->nstacks ? b->stacks[0].fiber : b->fiber;
	struct row *at = add_end(all, thread, kind, symbol_own_frame(frames, n));
	/* "use after free: read of …": what comes behind stands in the first line of the report */
	const char *colon = b->ending == ENDING_MEMORY ? strchr(b->message, ':') : NULL;
	at->racy |= has_pair(all) && all->pair[1] == all->race->verdict->nmoments;
	snprintf(at->end, sizeof at->end, "<- %.*s", colon ? (int)(colon - b->message) : (int)strlen(kind),
	         colon ? b->message : kind);
}

static bool is_behind_pair(const struct rows *all, size_t row)
{
	for (size_t i = row + 1; i < all->count; i++)
		if (all->list[i].racy)
			return false;
	return true;
}

/* Where the other output was written, if it was: what is told of that line already, and nothing behind it. */
static void add_difference(struct rows *all)
{
	const struct difference *d = &all->race->verdict->difference;
	struct frame frames[STACK_FRAMES];

	if (!d->place || d->primary)
		return;
	size_t n = symbol_access_stack(all->race->execution->result, &d->stack, frames, STACK_FRAMES);
	const struct frame *own = symbol_own_frame(frames, n);
	if (!own || !own->line)
		return;
	const struct row written = {.thread = d->stack.fiber, .placed = true, .place = *own};
	for (size_t i = all->count; i-- > 0;)
		if (is_same_place(&all->list[i], &written) && is_behind_pair(all, i)) {
			all->count = i + 1;
			break;
		}
	snprintf(add_end(all, d->stack.fiber, "output", own)->end, sizeof all->list->end, "<- differs");
}

static struct rows rows_of(const struct race *r)
{
	const struct verdict *v = r->verdict;
	struct rows all = {.race = r, .result = v && v->alternate ? v->alternate->result : NULL};

	if (!all.result || !v->nmoments)
		return all;
	all.symbols = all.result->nmodules ? all.result : r->execution->result;
	find_pair(&all);
	for (size_t i = 0; i < v->nmoments; i++)
		add_moment(&all, i);
	if (v->kind == VERDICT_SPEC)
		add_consequence(&all);
	else if (v->kind == VERDICT_OUTPUT)
		add_difference(&all);
	return all;
}

/* ---- on the screen ---- */

/* How many columns a text has: bytes that go on a character count nothing. */
static size_t width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

#define ELLIPSIS (sizeof "…" - 1)

/* Cuts it to so many columns; behind it there is room for ELLIPSIS more. */
static void clip(char *text, size_t most)
{
	size_t n = 0;
	char *end = text;

	if (!most)
		*text = 0;
	if (width(text) <= most)
		return;
	for (; *end && (n + 1 < most || ((unsigned char)*end & 0xc0) == 0x80); end++)
		n += ((unsigned char)*end & 0xc0) != 0x80;
	strcpy(end, "…");
}

/* ---- which rows are shown ---- */

/* The rows of the two accesses. */
static bool find_middle(const struct rows *all, size_t pair[2])
{
	size_t n = 0;

	for (size_t i = 0; i < all->count && n < 2; i++)
		if (all->list[i].racy)
			pair[n++] = i;
	return n == 2;
}

static size_t distance(size_t a, size_t b) { return a < b ? b - a : a - b; }

/* How far a row is from what matters: the two accesses, what their threads did before and do then, and the end. */
static size_t rank(const struct rows *all, size_t i, const size_t pair[2], bool found)
{
	const struct row *r = &all->list[i];
	size_t far = distance(i, all->count - 1);
	bool own = false;

	if (r->end[0] || (found && (i == pair[0] || i == pair[1])))
		return 0;
	if (r->matters)
		return 1;
	for (int k = 0; k < 2 && found; k++) {
		far = distance(i, pair[k]) < far ? distance(i, pair[k]) : far;
		own |= r->thread == all->list[pair[k]].thread;
	}
	return 1 + far + (own || !found ? 0 : 2);
}

static size_t lines_of(const bool *shown, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += shown[i] || (i ? shown[i - 1] : true);
	return n;
}

/* The best ones, as long as there is room for them and for what says that others are left out. */
static bool *choose(const struct rows *all)
{
	bool *shown = must_alloc(all->count * sizeof *shown), found, more = true;
	size_t pair[2] = {0};

	found = find_middle(all, pair);
	for (size_t at = 0; more; at++) {
		more = false;
		for (size_t i = 0; i < all->count; i++) {
			size_t is = rank(all, i, pair, found);
			more |= is > at;
			if (is != at)
				continue;
			shown[i] = true;
			shown[i] = lines_of(shown, all->count) <= LINES_SHOWN;
		}
	}
	return shown;
}

/* Two threads have a column each; what others do stands between, with their number. */
struct columns {
	uint32_t threads[COLUMNS];
	size_t count;
	char file[256]; /* that both accesses are in, or empty */
};

static size_t column_of(const struct columns *c, uint32_t thread)
{
	size_t i = 0;

	while (i < c->count && c->threads[i] != thread)
		i++;
	return i;
}

static void add_columns(struct columns *c, const struct rows *all, const bool *shown, bool racy)
{
	for (size_t i = 0; i < all->count; i++)
		if (shown[i] && (!racy || all->list[i].racy) && column_of(c, all->list[i].thread) == c->count &&
		    c->count < COLUMNS)
			c->threads[c->count++] = all->list[i].thread;
}

/* Who comes first has the first one. */
static void order_columns(struct columns *c, const struct rows *all, const bool *shown)
{
	size_t i = 0;

	while (i < all->count && (!shown[i] || column_of(c, all->list[i].thread) == c->count))
		i++;
	if (i < all->count && c->count == COLUMNS && all->list[i].thread == c->threads[1]) {
		c->threads[1] = c->threads[0];
		c->threads[0] = all->list[i].thread;
	}
}

/* The one file that both accesses are in need not be named in every row. */
static void find_file(struct columns *c, const struct race *r)
{
	struct frame a, b;

	if (!race_place(r, 0, &a) || !race_place(r, 1, &b) || strcmp(base_name(a.file), base_name(b.file)))
		return;
	snprintf(c->file, sizeof c->file, "%s", base_name(a.file));
}

/* The function that a thread began with, as an access of it tells. */
static bool find_start(const struct rows *all, const struct moment *m, struct frame *out)
{
	struct frame frames[8];

	if (m->event.kind != EVENT_ACCESS)
		return false;
	if (m->began)
		return symbol_where(all->symbols, m->began, out);
	for (uint64_t i = m->event.where & 1 ? 0 : m->stack.depth; i-- > 0;)
		for (size_t n = symbol_code(all->symbols, m->stack.pc[i] - 1, frames, 8); n-- > 0;)
			if (frames[n].own && frames[n].line) {
				*out = frames[n];
				return true;
			}
	return false;
}

/* The function that the thread began with: as an access of it tells, or the race where it is the same thread. */
static void name_thread(const struct rows *all, uint32_t thread, char *out, size_t size)
{
	struct frame frames[STACK_FRAMES], began;
	const struct race *r = all->race;
	const char *name = thread ? "" : "main";

	for (size_t i = 0; i < r->verdict->nmoments && !*name; i++) {
		const struct moment *m = &r->verdict->moments[i];
		if (m->event.fiber == thread && find_start(all, m, &began))
			name = began.function;
	}
	for (int i = 0; i < 2 && !*name; i++) {
		size_t n = r->seen.access[i].stack.fiber == thread ? race_stack(r, i, frames, STACK_FRAMES) : 0;
		while (n && !frames[n - 1].own)
			n--;
		name = n ? frames[n - 1].function : "";
	}
	snprintf(out, size, "T%u%s%.90s", thread, *name ? " " : "", name);
}

static void format_place(const struct row *r, const char *file, char *out, size_t size)
{
	const struct frame *f = &r->place;

	if (!r->placed)
		snprintf(out, size, "?");
	else if (f->file[0] && f->line)
		snprintf(out, size, "%.60s:%u", strcmp(base_name(f->file), file) ? base_name(f->file) : "", f->line);
	else if (f->function[0])
		snprintf(out, size, "%.60s", f->function);
	else
		snprintf(out, size, "%.60s+0x%lx", f->module, f->module[0] ? f->offset : f->address);
}

/* Place, source and what it does; the source makes room if there is too little. */
static void format_row(const struct row *r, const char *file, size_t most, char *out, size_t size)
{
	char place[80], text[sizeof r->text + ELLIPSIS], note[sizeof r->note + ELLIPSIS];

	if (!strcmp(r->kind, "end")) {
		snprintf(out, size, "%s", r->note);
		return;
	}
	format_place(r, file, place, sizeof place);
	snprintf(text, sizeof r->text, "%s", r->text[0] ? r->text : r->kind);
	snprintf(note, sizeof r->note, "%s", r->note);
	size_t end = r->end[0] ? 2 + width(r->end) : 0, fixed = width(place) + 2 + end;
	size_t other = fixed + (note[0] ? 2 + width(note) : 0);
	clip(text, most > other + SHORTEST ? most - other : SHORTEST);
	other = fixed + width(text) + 2;
	if (other + width(note) > most)
		clip(note, most > other && !end ? most - other : 0);
	snprintf(out, size, "%s  %s%s%s%s%s", place, text, note[0] ? "  " : "", note, end ? "  " : "", r->end);
	clip(out, most);
}

#define EACH ((SCREEN_COLUMNS - INDENT) / COLUMNS)

static void print_row(FILE *out, const struct row *r, const struct columns *c)
{
	char text[512];
	size_t column = column_of(c, r->thread), most = EACH - 1;

	if (column == c->count) {
		format_row(r, c->file, SCREEN_COLUMNS - INDENT - 8, text, sizeof text);
		fprintf(out, "%*sT%u  %s\n", INDENT, "", r->thread, text);
		return;
	}
	/* where it ends nothing stands beside it */
	if (!column && (c->count == 1 || r->end[0]))
		most = SCREEN_COLUMNS - INDENT;
	format_row(r, c->file, most, text, sizeof text);
	fprintf(out, "%*s%s\n", (int)(INDENT + column * EACH), "", text);
}

static void print_heads(FILE *out, const struct rows *all, const struct columns *c, const struct style *style)
{
	fprintf(out, "%*s%s", INDENT, "", style->strong);
	for (size_t i = 0; i < c->count; i++) {
		char name[128];
		name_thread(all, c->threads[i], name, sizeof name);
		clip(name, EACH - 1);
		fprintf(out, "%s%*s", name, i + 1 < c->count ? (int)(EACH - width(name)) : 0, "");
	}
	fprintf(out, "%s\n", style->end);
}

static void print_rows(FILE *out, const struct rows *all, const struct style *style)
{
	struct columns c = {0};
	bool *shown = choose(all);

	find_file(&c, all->race);
	for (int racy = 1; racy >= 0; racy--)
		add_columns(&c, all, shown, racy);
	order_columns(&c, all, shown);
	print_heads(out, all, &c, style);
	for (size_t i = 0; i < all->count; i++)
		if (shown[i])
			print_row(out, &all->list[i], &c);
		else if (!i || shown[i - 1])
			fprintf(out, "%*s…\n", INDENT, "");
	free(shown);
}

/* Who waits for what tells why threads take turns, unless that is what all do all the time. */
static void drop_waits(struct rows *all)
{
	size_t kept = 0;

	if (all->count <= ROWS_SHOWN || all->result->ending == ENDING_DEADLOCK)
		return;
	for (size_t i = 0; i < all->count; i++) {
		const struct row *r = &all->list[i];
		if (strcmp(r->kind, "wait") || r->end[0])
			all->list[kept++] = *r;
	}
	all->count = kept;
}

void print_interleaving(FILE *out, const struct race *r, const struct style *style)
{
	struct rows all = rows_of(r);

	if (all.count)
		drop_waits(&all);
	if (all.count)
		print_rows(out, &all, style);
	free(all.list);
}

static size_t escape_length(const char *p)
{
	const char *end = p;

	if (*p != '\033')
		return 0;
	while (*end && *end != 'm')
		end++;
	return (size_t)(end - p) + (*end == 'm');
}

static void print_clipped_line(FILE *out, const char *p, size_t size)
{
	size_t n = 0, columns = 0;

	for (size_t i = 0; i < size; i++) {
		size_t escape = escape_length(p + i);
		if (escape)
			i += escape - 1;
		else
			columns += ((unsigned char)p[i] & 0xc0) != 0x80;
	}
	for (size_t i = 0; i < size; i++) {
		size_t escape = escape_length(p + i);
		bool starts = ((unsigned char)p[i] & 0xc0) != 0x80;
		if (escape) {
			fwrite(p + i, 1, escape, out);
			i += escape - 1;
		} else if (columns <= SCREEN_COLUMNS || n + starts < SCREEN_COLUMNS) {
			fputc(p[i], out);
			n += starts;
		} else if (n < SCREEN_COLUMNS) {
			fputs("…", out);
			n = SCREEN_COLUMNS;
		}
	}
	fputc('\n', out);
}

/* The last space in the first SCREEN_COLUMNS columns of a line, or 0. */
static size_t fold(const char *p, size_t size)
{
	size_t columns = 0, space = 0;

	for (size_t i = 0; i < size && columns < SCREEN_COLUMNS; i++) {
		size_t escape = escape_length(p + i);
		if (escape) {
			i += escape - 1;
			continue;
		}
		columns += ((unsigned char)p[i] & 0xc0) != 0x80;
		if (p[i] == ' ' && columns > SCREEN_COLUMNS / 2)
			space = i;
	}
	return columns < SCREEN_COLUMNS ? 0 : space;
}

void print_folded(FILE *out, const char *text)
{
	while (*text) {
		size_t size = strcspn(text, "\n"), first = fold(text, size);
		print_clipped_line(out, text, first ? first : size);
		if (first) {
			char *rest = must_format("    %.*s", (int)(size - first - 1), text + first + 1);
			print_clipped_line(out, rest, strlen(rest));
			free(rest);
		}
		text += size + (text[size] == '\n');
	}
}

void print_clipped(FILE *out, const char *text)
{
	while (*text) {
		size_t size = strcspn(text, "\n");
		print_clipped_line(out, text, size);
		text += size + (text[size] == '\n');
	}
}

/* ---- for programs ---- */

void write_interleaving(struct json_writer *w, const struct race *r)
{
	struct rows all = rows_of(r);

	if (all.count) {
		json_open(w, "interleaving", '[');
		for (size_t i = 0; i < all.count; i++) {
			const struct row *row = &all.list[i];
			json_open(w, NULL, '{');
			json_number(w, "thread", row->thread);
			json_string(w, "kind", row->kind);
			if (row->placed && row->place.file[0])
				json_string(w, "file", row->place.file);
			if (row->placed && row->place.line)
				json_number(w, "line", row->place.line);
			if (row->placed && row->place.function[0])
				json_string(w, "function", row->place.function);
			if (row->text[0])
				json_string(w, "text", row->text);
			if (row->note[0])
				json_string(w, "note", row->note);
			if (row->end[0])
				json_bool(w, "end", true);
			if (row->racy)
				json_bool(w, "racy", true);
			json_close(w, '}');
		}
		json_close(w, ']');
	}
	free(all.list);
}
