#include "report/interleaving_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "report/print.h"
#include "report/source_line.h"
#include "report/variable.h"
#include "report/verdict.h"
#include "format/enum_names.h"

#define FIRST_VALUES 2 /* of the values after these the note shows only the last one */

/* Cuts the comment at the end of a source line. */
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

static void read_source(const struct rows *all, struct row *r)
{
	char line[256];

	if (!r->placed || !source_line(all->symbols, &r->place, line, sizeof line))
		return;
	char *text = source_trim(line);
	cut_comment(text);
	snprintf(r->text, sizeof r->text, "%s", source_trim(text));
}

/* The innermost frame in the program's own source; if there is none, the innermost frame. */
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

/* An operation in a library's header gets the place where the program calls it. */
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

/* Adds the value of an access to the note of its row. */
static void add_value(struct row *r, const struct event *e)
{
	char value[32];
	const char *verb = e->flags & ACCESS_WRITE ? "wrote" : "read", *before = r->values ? ", " : "";

	if (e->flags & ACCESS_FREE || !(e->flags & ACCESS_HAS_VALUE) || !e->size || e->size > 8)
		return;
	/* the thread reads what it read or wrote just before */
	if (r->values && r->value == e->value && r->object == e->object && !(e->flags & ACCESS_WRITE))
		return;
	r->value = e->value;
	r->object = e->object;
	if (r->values == FIRST_VALUES)
		r->kept = strlen(r->note);
	if (r->values > FIRST_VALUES) { /* the last value replaces the one before it */
		r->note[r->kept] = 0;
		before = " … ";
	}
	size_t at = strlen(r->note);
	r->values++;
	value_format(e->value, e->size, value, sizeof value);
	snprintf(r->note + at, sizeof r->note - at, "%s%s %s", before, verb, value);
}

/* Which of the race's accesses an event is, or -1.  An access without a site has an event with a code address. */
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

static struct row *push_row(struct rows *all, const struct row *r)
{
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	struct row *new = &all->list[all->count++];
	*new = *r;
	read_source(all, new);
	return new;
}

/* Adds an access or the end: all that a thread does in one line without a switch is one row. */
static struct row *add_row(struct rows *all, const struct row *r)
{
	struct row *last = last_row(all);

	if (last && is_same_place(last, r)) {
		if (strcmp(last->kind, r->kind))
			last->kind = is_plain(last->kind) && is_plain(r->kind) ? "update" : r->kind;
		last->racy |= r->racy;
		return last;
	}
	return push_row(all, r);
}

/* Whether the race's two accesses are known among the moments. */
static bool has_pair(const struct rows *all) { return all->pair[0] < all->pair[1]; }

/* Whether two events of different threads are the two accesses of the race. */
static bool are_both(const struct race *r, const struct event *a, const struct event *b)
{
	const struct board_access *of = r->seen.access;
	bool same = of[0].site == of[1].site && !((of[0].flags ^ of[1].flags) & (ACCESS_WRITE | ACCESS_FREE));
	int i = access_of(r, a), k = access_of(r, b);

	return i >= 0 && k >= 0 && (i != k || same) && a->fiber != b->fiber;
}

/*
 * Finds the race's two accesses.  An execution that was not made to show this race may have several pairs of them: the
 * last pair counts where a violation follows, else the first one.
 */
static void find_pair(struct rows *all)
{
	const struct verdict *v = all->race->verdict;

	memcpy(all->pair, v->pair, sizeof all->pair);
	for (size_t k = 0; k < v->nmoments && !(has_pair(all) && v->kind != VERDICT_SPEC); k++)
		for (size_t i = k; v->pair[0] >= v->pair[1] && v->moments[k].event.kind == EVENT_ACCESS && i-- > 0;)
			if (v->moments[i].event.kind == EVENT_ACCESS &&
			    are_both(all->race, &v->moments[i].event, &v->moments[k].event)) {
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
	/* a third thread that executes the same line does not count */
	r->racy = has_pair(all) ? moment == all->pair[0] || moment == all->pair[1] : access_of(all->race, e) >= 0;
	if (r->placed && !(r->place.own && r->place.line) && !r->racy)
		return;
	add_value(add_row(all, r), e);
}

/* Sets the note to a verb and an object: "waits for condition `c`". */
static void describe_object(const struct rows *all, uint64_t object, const char *verb, const char *what, struct row *r)
{
	char name[128] = "";

	if (lock_name(all->symbols, object, name + 2, sizeof name - 4))
		name[0] = ' ', name[1] = '`', strcat(name, "`");
	snprintf(r->note, sizeof r->note, "%s %s%s", verb, what, name);
}

static void describe_wait(const struct rows *all, const struct event *e, struct row *r)
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
		describe_object(all, e->object, "waits for", what, r);
}

/*
 * Adds the threads that are woken to the note: "posts semaphore `s`, wakes T1".  For a signal or broadcast they replace
 * the note: "wakes T1", or "wakes nobody" if no thread is in a wait for the condition.
 */
static void describe_woken(const struct moment *m, struct row *r)
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

/* A signal, broadcast, post or arrival. */
static void describe_give(const struct rows *all, const struct moment *m, struct row *r)
{
	static const struct {
		const char *kind, *verb, *what;
	} words[] = {[GIVE_SIGNAL] = {"signal", "signals", "condition"},
	             [GIVE_BROADCAST] = {"broadcast", "signals", "condition"},
	             [GIVE_POST] = {"post", "posts", "semaphore"},
	             [GIVE_ARRIVAL] = {"arrive", "arrives at", "barrier"}};
	uint8_t what = m->event.flags < sizeof words / sizeof *words ? m->event.flags : 0;

	r->kind = words[what].kind;
	describe_object(all, m->event.object, words[what].verb, words[what].what, r);
	describe_woken(m, r);
}

/* Whether this is a wait that its thread never leaves. */
static bool is_last_wait(const struct verdict *v, size_t i)
{
	const struct event *e = &v->moments[i].event;
	bool last = e->kind == EVENT_WAIT;

	for (size_t k = i + 1; k < v->nmoments && last; k++)
		last = v->moments[k].event.fiber != e->fiber;
	return last;
}

/* Whether a thread waits for this object at the end. */
static bool is_waited_for_at_end(const struct verdict *v, uint64_t object)
{
	for (size_t i = 0; i < v->nmoments; i++)
		if (v->moments[i].event.object == object && is_last_wait(v, i))
			return true;
	return false;
}

/* Adds a wait or another operation, with a row of its own unless the thread repeats it. */
static void append_row(struct rows *all, const struct row *r)
{
	struct row *last = last_row(all);
	bool same = last && is_same_place(last, r);

	if (same && !strcmp(last->kind, r->kind))
		return; /* it waits there once more */
	if (same && !strcmp(last->kind, "arrive") && !strcmp(r->kind, "wait")) {
		*last = *r; /* it waits in the call in which it arrives */
		read_source(all, last);
		return;
	}
	push_row(all, r);
}

/*
 * Describes an operation by which threads act on each other.  False: it gets no row.  Rows are only for executions that
 * end in a deadlock, an endless loop or a misuse of locks.  A deadlock has rows only for the locks that a thread waits
 * for at the end, an endless loop has none for locks.
 */
static bool describe_operation(const struct rows *all, const struct moment *m, struct row *r)
{
	const struct event *e = &m->event;
	bool deadlock = all->result->ending == ENDING_DEADLOCK;
	bool hung = deadlock && is_waited_for_at_end(all->race->verdict, e->object);

	if (!deadlock && all->result->ending != ENDING_LOCK && all->result->ending != ENDING_LOOP)
		return false;
	r->matters = hung;
	switch (e->kind) {
	case EVENT_LOCK:
	case EVENT_UNLOCK:
		r->kind = e->kind == EVENT_LOCK ? "lock" : "unlock";
		describe_object(all, e->object, e->kind == EVENT_LOCK ? "takes" : "gives back", "lock", r);
		return hung || all->result->ending == ENDING_LOCK;
	case EVENT_GIVE:
		describe_give(all, m, r);
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
			return; /* a thread that joins mostly does nothing else any more */
		r.kind = "wait";
		r.matters = all->result->ending == ENDING_DEADLOCK && is_last_wait(all->race->verdict, i);
		describe_wait(all, e, &r);
		append_row(all, &r);
	} else if (describe_operation(all, m, &r)) {
		append_row(all, &r);
	}
}

/* The row in which the execution ends. */
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
	/* The thread that ran last may have ended: the place is that of the first stack. */
	uint32_t thread = b->nstacks ? b->stacks[0].fiber : b->fiber;
	struct row *at = add_end(all, thread, kind, symbol_own_frame(frames, n));
	/* The row has the first part of "use after free: read of …"; the first line of the report has all of it. */
	const char *colon = b->ending == ENDING_MEMORY ? strchr(b->message, ':') : NULL;
	at->racy |= has_pair(all) && all->pair[1] == all->race->verdict->nmoments;
	snprintf(at->end, sizeof at->end, "<- %.*s", colon ? (int)(colon - b->message) : (int)strlen(kind),
	         colon ? b->message : kind);
}

/* Whether no racy row follows. */
static bool is_behind_pair(const struct rows *all, size_t row)
{
	for (size_t i = row + 1; i < all->count; i++)
		if (all->list[i].racy)
			return false;
	return true;
}

/*
 * Ends the rows where the other order writes the output that differs, if it writes it: in the last row of that line, or
 * in a row of its own.
 */
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

struct rows interleaving_rows(const struct race *r)
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
