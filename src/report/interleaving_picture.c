/*
 * The execution that shows a verdict has two threads, seldom more, that do little between two switches, because it was
 * reduced.  The picture has a line for each row, in the column of its thread, so that time goes down the page.
 */
#include "report/interleaving_picture.h"

#include <stdlib.h>
#include <string.h>

#include "report/interleaving_rows.h"
#include "report/module.h"
#include "report/screen_text.h"
#include "report/verdict.h"

#define ROWS_SHOWN  8
#define LINES_SHOWN 10 /* rows, and lines that stand for omitted rows */
#define COLUMNS     2
#define INDENT      4
#define SHORTEST    12 /* columns that are left of a source line when it is cut */

/* The rows of the race's two accesses.  False: they are not known. */
static bool find_racy_rows(const struct rows *all, size_t pair[2])
{
	size_t n = 0;

	for (size_t i = 0; i < all->count && n < 2; i++)
		if (all->list[i].racy)
			pair[n++] = i;
	return n == 2;
}

static size_t distance(size_t a, size_t b) { return a < b ? b - a : a - b; }

/*
 * How far a row is from what the picture must show: the end, the two accesses, what threads wait for at the end, and
 * what the two threads do near their accesses.
 */
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

/* How many lines the shown rows take: each gap between them is a line, too. */
static size_t count_lines(const bool *shown, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += shown[i] || (i ? shown[i - 1] : true);
	return n;
}

/* Chooses the rows with the lowest ranks that fit, with the lines that stand for omitted rows.  Malloc'ed. */
static bool *choose_rows(const struct rows *all)
{
	bool *shown = must_alloc(all->count * sizeof *shown), found, more = true;
	size_t pair[2] = {0};

	found = find_racy_rows(all, pair);
	for (size_t at = 0; more; at++) {
		more = false;
		for (size_t i = 0; i < all->count; i++) {
			size_t is = rank(all, i, pair, found);
			more |= is > at;
			if (is != at)
				continue;
			shown[i] = true;
			shown[i] = count_lines(shown, all->count) <= LINES_SHOWN;
		}
	}
	return shown;
}

/* Two threads have a column each.  A row of another thread stands between them and starts with its number. */
struct columns {
	uint32_t threads[COLUMNS];
	size_t count;
	char file[256]; /* the file that has both accesses; empty: they are in different files */
};

static size_t column_of(const struct columns *c, uint32_t thread)
{
	size_t i = 0;

	while (i < c->count && c->threads[i] != thread)
		i++;
	return i;
}

/* Gives columns to the threads of shown rows; `racy`: only of racy ones. */
static void add_columns(struct columns *c, const struct rows *all, const bool *shown, bool racy)
{
	for (size_t i = 0; i < all->count; i++)
		if (shown[i] && (!racy || all->list[i].racy) && column_of(c, all->list[i].thread) == c->count &&
		    c->count < COLUMNS)
			c->threads[c->count++] = all->list[i].thread;
}

/* The thread of the first row has the first column. */
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

/* Rows do not name the file if both accesses are in the same one. */
static void find_common_file(struct columns *c, const struct race *r)
{
	struct frame a, b;

	if (!race_place(r, 0, &a) || !race_place(r, 1, &b) || strcmp(base_name(a.file), base_name(b.file)))
		return;
	snprintf(c->file, sizeof c->file, "%s", base_name(a.file));
}

/* The function that a thread began with, from one of its accesses. */
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

/*
 * "T1 worker": the thread and the function that it began with.  The function comes from an access of the thread, or
 * from the stack of the race's own access by this thread.
 */
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

/* Place, source, note and end of a row in at most `most` columns.  The source is cut first, then the note. */
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
	size_t end = r->end[0] ? 2 + text_width(r->end) : 0, fixed = text_width(place) + 2 + end;
	size_t other = fixed + (note[0] ? 2 + text_width(note) : 0);
	text_clip(text, most > other + SHORTEST ? most - other : SHORTEST);
	other = fixed + text_width(text) + 2;
	if (other + text_width(note) > most)
		text_clip(note, most > other && !end ? most - other : 0);
	snprintf(out, size, "%s  %s%s%s%s%s", place, text, note[0] ? "  " : "", note, end ? "  " : "", r->end);
	text_clip(out, most);
}

#define COLUMN_WIDTH ((SCREEN_COLUMNS - INDENT) / COLUMNS)

static void print_row(FILE *out, const struct row *r, const struct columns *c)
{
	char text[512];
	size_t column = column_of(c, r->thread), most = COLUMN_WIDTH - 1;

	if (column == c->count) {
		format_row(r, c->file, SCREEN_COLUMNS - INDENT - 8, text, sizeof text);
		fprintf(out, "%*sT%u  %s\n", INDENT, "", r->thread, text);
		return;
	}
	/* nothing stands beside the row that ends the execution */
	if (!column && (c->count == 1 || r->end[0]))
		most = SCREEN_COLUMNS - INDENT;
	format_row(r, c->file, most, text, sizeof text);
	fprintf(out, "%*s%s\n", (int)(INDENT + column * COLUMN_WIDTH), "", text);
}

static void print_heads(FILE *out, const struct rows *all, const struct columns *c, const struct style *style)
{
	fprintf(out, "%*s%s", INDENT, "", style->strong);
	for (size_t i = 0; i < c->count; i++) {
		char name[128];
		name_thread(all, c->threads[i], name, sizeof name);
		text_clip(name, COLUMN_WIDTH - 1);
		fprintf(out, "%s%*s", name, i + 1 < c->count ? (int)(COLUMN_WIDTH - text_width(name)) : 0, "");
	}
	fprintf(out, "%s\n", style->end);
}

static void print_rows(FILE *out, const struct rows *all, const struct style *style)
{
	struct columns c = {0};
	bool *shown = choose_rows(all);

	find_common_file(&c, all->race);
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

/* Waits explain why threads switch, but of a long execution they would fill the picture; a deadlock needs them. */
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

void interleaving_text(FILE *out, const struct race *r, const struct style *style)
{
	struct rows all = interleaving_rows(r);

	if (all.count)
		drop_waits(&all);
	if (all.count)
		print_rows(out, &all, style);
	free(all.list);
}

void interleaving_json(struct json_writer *w, const struct race *r)
{
	struct rows all = interleaving_rows(r);

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
