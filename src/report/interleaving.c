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
#include "report/subject.h"
#include "report/verdict.h"
#include "trace/names.h"

#define ROWS_SHOWN   8
#define ROWS_LAST    3 /* of them, the last ones */
#define COLUMNS      2
#define INDENT       4
#define FIRST_VALUES 2
#define SHORTEST     12 /* of a source line that makes room for what it does */

struct row {
	uint32_t thread;
	const char *kind; /* "read", "write", "update", "free", "lock", "unlock", "wait", "end", or a consequence's */
	struct frame place;
	bool placed;
	char text[120]; /* the source line */
	char note[160]; /* "read 1, wrote 2" */
	char end[80];   /* "<- use after free", in the last one */
	uint32_t values;
	size_t kept; /* of the note, while values are left out of it */
	bool racy;   /* one of the race's own accesses */
};

struct rows {
	const struct race *race;
	const struct board_result *result;  /* of the execution that is told */
	const struct board_result *symbols; /* where names come from: what ends well keeps none */
	struct row *list;
	size_t count;
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
static bool find_place(const struct rows *all, const struct moment *m, struct frame *out)
{
	struct frame frames[8];

	if (!(m->event.where & 1))
		return m->event.where && symbol_where(all->symbols, m->event.where, out);
	for (uint64_t i = 0; i < m->stack.depth; i++) {
		size_t n = symbol_code(all->symbols, m->stack.pc[i] - 1, frames, 8);
		for (size_t k = 0; k < n; k++)
			if (frames[k].own) {
				*out = frames[k];
				return true;
			}
		if (!i)
			*out = frames[0];
	}
	return m->stack.depth;
}

static void say_value(struct row *r, const struct event *e)
{
	char value[32];
	const char *verb = e->flags & ACCESS_WRITE ? "wrote" : "read", *before = r->values ? ", " : "";

	if (e->flags & ACCESS_FREE || !(e->flags & ACCESS_HAS_VALUE) || !e->size || e->size > 8)
		return;
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

static struct row *add_row(struct rows *all, const struct row *r)
{
	struct row *last = last_row(all);

	/* what one line does without a switch is one row */
	if (last && is_same_place(last, r)) {
		if (strcmp(last->kind, r->kind))
			last->kind = !strcmp(last->kind, "read") && !strcmp(r->kind, "write") ? "update" : r->kind;
		last->racy |= r->racy;
		return last;
	}
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count] = *r;
	find_text(all, &all->list[all->count]);
	return &all->list[all->count++];
}

static void add_access(struct rows *all, struct row *r, const struct event *e)
{
	int access = access_of(all->race, e);

	r->kind = access_kind(e->flags);
	r->racy = access >= 0;
	/* what a library's header does is done where it is called from, which only the race knows */
	if (r->placed && !r->place.own && (!r->racy || !race_place(all->race, access, &r->place)))
		return;
	say_value(add_row(all, r), e);
}

/* "mutex `m`" */
static void say_object(const struct rows *all, const struct event *e, const char *verb, struct row *r)
{
	static const char *const waits[] = {
#define X(id, name) [FOR_##id] = name,
	        EVENT_WAITS(X)
#undef X
	};
	const char *what = "lock";
	char name[128] = "";

	if (e->kind == EVENT_WAIT)
		what = e->flags < sizeof waits / sizeof waits[0] ? waits[e->flags] : "something";
	bool number = e->kind == EVENT_WAIT && (e->flags == FOR_THREAD || e->flags == FOR_FILE);
	bool nameless =
	        e->kind == EVENT_WAIT && (e->flags == FOR_SLEEP || e->flags == FOR_SIGNAL || e->flags == FOR_CHILD);
	if (number)
		snprintf(name, sizeof name, e->flags == FOR_THREAD ? " T%lu" : " %lu", e->object);
	else if (!nameless && lock_name(all->symbols, e->object, name + 2, sizeof name - 4))
		name[0] = ' ', name[1] = '`', strcat(name, "`");
	snprintf(r->note, sizeof r->note, "%s %s%s", verb, what, name);
}

static void add_moment(struct rows *all, const struct moment *m)
{
	const struct event *e = &m->event;
	struct row r = {.thread = e->fiber};
	/* who takes which lock matters where that is what goes wrong */
	bool locks = all->result->ending == ENDING_DEADLOCK || all->result->ending == ENDING_LOCK;

	r.placed = find_place(all, m, &r.place);
	switch (e->kind) {
	case EVENT_ACCESS:
		add_access(all, &r, e);
		return;
	case EVENT_WAIT:
		if (e->flags == FOR_THREAD)
			return; /* a join is the end of what it does, mostly */
		r.kind = "wait";
		say_object(all, e, "waits for", &r);
		break;
	case EVENT_LOCK:
	case EVENT_UNLOCK:
		if (!locks)
			return;
		r.kind = e->kind == EVENT_LOCK ? "lock" : "unlock";
		say_object(all, e, e->kind == EVENT_LOCK ? "takes" : "gives back", &r);
		break;
	default:
		return;
	}
	struct row *last = last_row(all);
	if (last && is_same_place(last, &r) && !strcmp(last->kind, r.kind))
		return; /* waits again */
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count] = r;
	find_text(all, &all->list[all->count++]);
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
	struct row *at = add_end(all, b->fiber, kind, symbol_own_frame(frames, n));
	/* "use after free: read of …": what comes behind stands in the first line of the report */
	const char *colon = b->ending == ENDING_MEMORY ? strchr(b->message, ':') : NULL;
	snprintf(at->end, sizeof at->end, "<- %.*s", colon ? (int)(colon - b->message) : (int)strlen(kind),
	         colon ? b->message : kind);
}

/* Where the other output was written, if it was. */
static void add_difference(struct rows *all)
{
	const struct difference *d = &all->race->verdict->difference;
	struct frame frames[STACK_FRAMES];

	if (!d->place || d->primary)
		return;
	size_t n = symbol_access_stack(all->race->execution->result, &d->stack, frames, STACK_FRAMES);
	const struct frame *own = symbol_own_frame(frames, n);
	if (own && own->line)
		snprintf(add_end(all, d->stack.fiber, "output", own)->end, sizeof all->list->end, "<- differs");
}

static struct rows rows_of(const struct race *r)
{
	const struct verdict *v = r->verdict;
	struct rows all = {.race = r, .result = v && v->alternate ? v->alternate->result : NULL};

	if (!all.result || !v->nmoments)
		return all;
	all.symbols = all.result->nmodules ? all.result : r->execution->result;
	for (size_t i = 0; i < v->nmoments; i++)
		add_moment(&all, &v->moments[i]);
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

/* The two accesses that the race is about: the last ones before a violation, the first ones otherwise. */
static size_t middle(const struct rows *all)
{
	size_t found = 0;
	bool last = all->race->verdict->kind == VERDICT_SPEC;

	for (size_t i = 1; i < all->count; i++) {
		const struct row *a = &all->list[i - 1], *b = &all->list[i];
		if (a->thread == b->thread || !a->racy || !b->racy)
			continue;
		found = i;
		if (!last)
			break;
	}
	return found;
}

/* Which rows are shown: first ones from `*from` on, and the last ones. */
static void choose(const struct rows *all, size_t *from, size_t *count, size_t *last)
{
	*from = 0;
	*count = all->count;
	*last = 0;
	if (all->count <= ROWS_SHOWN)
		return;
	size_t at = middle(all);
	*from = at > 2 ? at - 2 : 0;
	*count = ROWS_SHOWN - ROWS_LAST;
	*last = ROWS_LAST;
	if (*from + *count + *last >= all->count) {
		*from = all->count - ROWS_SHOWN;
		*count = ROWS_SHOWN;
		*last = 0;
	}
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

static void add_columns(struct columns *c, const struct rows *all, size_t from, size_t count, bool racy)
{
	for (size_t i = from; i < from + count; i++)
		if ((!racy || all->list[i].racy) && column_of(c, all->list[i].thread) == c->count && c->count < COLUMNS)
			c->threads[c->count++] = all->list[i].thread;
}

/* Who comes first has the first one. */
static void order_columns(struct columns *c, const struct row *first)
{
	if (c->count == COLUMNS && first->thread == c->threads[1]) {
		c->threads[1] = c->threads[0];
		c->threads[0] = first->thread;
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

/* The function that the thread began with, from the stack of an access that it makes. */
static void name_thread(const struct rows *all, uint32_t thread, char *out, size_t size)
{
	struct frame frames[STACK_FRAMES];
	const struct verdict *v = all->race->verdict;
	const char *name = thread ? "" : " main";
	char begun[96];

	for (size_t i = 0; i < v->nmoments && thread; i++) {
		const struct event *e = &v->moments[i].event;
		int access = e->kind == EVENT_ACCESS && e->fiber == thread && !*name ? access_of(all->race, e) : -1;
		if (access < 0)
			continue;
		size_t n = race_stack(all->race, access, frames, STACK_FRAMES);
		while (n && !frames[n - 1].own)
			n--;
		snprintf(begun, sizeof begun, " %.90s", n ? frames[n - 1].function : "");
		name = begun;
	}
	snprintf(out, size, "T%u%s", thread, name);
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
	size_t from, count, last;

	find_file(&c, all->race);
	choose(all, &from, &count, &last);
	for (int racy = 1; racy >= 0; racy--) {
		add_columns(&c, all, from, count, racy);
		add_columns(&c, all, all->count - last, last, racy);
	}
	order_columns(&c, &all->list[from]);
	print_heads(out, all, &c, style);
	if (from)
		fprintf(out, "%*s…\n", INDENT, "");
	for (size_t i = 0; i < count; i++)
		print_row(out, &all->list[from + i], &c);
	if (last && from + count + last < all->count)
		fprintf(out, "%*s…\n", INDENT, "");
	for (size_t i = all->count - last; i < all->count; i++)
		print_row(out, &all->list[i], &c);
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
