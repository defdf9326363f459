/*
 * Of the two executions that a verdict compares, only hashes of their output are kept, with the names of the streams
 * and files. Each execution is replayed once for the bytes of the stream that differs, and once more for the stack of
 * whoever wrote the first byte that differs.
 */
#include "classify/difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/replayer.h"
#include "format/utf8.h"

#define LINE_SHOWN   200
#define BINARY_SHOWN 24 /* bytes shown */
#define BINARY_EARLY 8  /* of these, before the one that differs */

/* One of the two executions, and what it has of the stream. */
struct side {
	const struct execution *execution;
	const struct finding *directed; /* where it leaves its primary; NULL: nowhere */
	bool there;
	struct bytes bytes;
	uint64_t at;    /* the byte that differs */
	uint32_t place; /* enum capture_place */
	struct board_stack stack;
};

static bool same_stream(const struct board_output *a, const struct board_output *b)
{
	return a->kind == b->kind && a->number == b->number && !strcmp(a->name, b->name);
}

static bool same_content(const struct board_output *a, const struct board_output *b)
{
	return a->there == b->there && a->size == b->size && a->hash == b->hash;
}

/* No stream of this name has the same content there; without `any`: the stream itself has not. */
static bool is_changed(const struct board_output *g, const struct trial *there, bool any)
{
	for (uint32_t i = 0; i < there->noutputs; i++) {
		const struct board_output *o = &there->outputs[i];
		bool same = any ? o->kind == g->kind && !strcmp(o->name, g->name) : same_stream(g, o);
		if (same && same_content(g, o))
			return false;
	}
	return true;
}

static const struct board_output *first_changed(const struct trial *a, const struct trial *b, bool any)
{
	for (uint32_t i = 0; i < a->noutputs; i++)
		if (is_changed(&a->outputs[i], b, any))
			return &a->outputs[i];
	return NULL;
}

/* The stream to show: if possible one whose content is new, otherwise one whose content another stream has. */
static const struct board_output *stream_to_show(const struct trial *primary, const struct trial *other)
{
	const struct board_output *g = NULL;

	for (int any = 1; any >= 0 && !g; any--) {
		g = first_changed(other, primary, any);
		g = g ? g : first_changed(primary, other, any);
	}
	return g;
}

/* Replays an execution and captures a stream. False: it does not come to the same end. */
static bool replay(struct classifier *c, struct side *s, const struct board_output *g, enum capture wanted, uint64_t at)
{
	struct replayer r = replayer_nothing;
	struct error e;
	bool ok = replayer_prepare(&r, c, s->execution, &e);

	if (ok) {
		struct board *b = r.process.board;
		struct board_capture *p = &b->capture;
		p->wanted = wanted;
		p->kind = g->kind;
		p->number = g->number;
		p->at = at;
		memcpy(p->name, g->name, sizeof p->name);
		b->config.detect = DETECT_RACES;
		if (s->directed) {
			replayer_depart(&r, &s->directed->watch, s->directed->touch);
		}
		ok = replayer_start(&r, c, &e);
	}
	if (ok) {
		const struct board *b = r.process.board;
		replayer_wait(&r);
		ok = b->result.ending == s->execution->result->ending;
	}
	if (ok) {
		const struct board_capture *p = &r.process.board->capture;
		s->there = p->there;
		s->place = p->place;
		s->stack = p->stack;
		bytes_free(&s->bytes);
		bytes_add(&s->bytes, p->bytes, p->size < sizeof p->bytes ? p->size : sizeof p->bytes);
	}
	replayer_end(&r);
	return ok;
}

static uint64_t first_difference(const struct bytes *a, const struct bytes *b)
{
	uint64_t at = 0;

	while (at < a->size && at < b->size && a->data[at] == b->data[at])
		at++;
	return at;
}

/* Lines sorted by text; equal ones in the order in which they stand. */
struct line {
	const uint8_t *text;
	size_t size;
	bool matched;
};

static int by_text(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	size_t n = x->size < y->size ? x->size : y->size;
	int order = n ? memcmp(x->text, y->text, n) : 0;

	if (order || x->size != y->size)
		return order ? order : x->size < y->size ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

static struct line *lines_of(const struct bytes *b, size_t *count)
{
	struct line *list = NULL;
	size_t n = 0;

	for (size_t at = 0; at < b->size;) {
		const uint8_t *end = memchr(b->data + at, '\n', b->size - at);
		size_t size = end ? (size_t)(end - b->data) - at : b->size - at;
		if (!(n & (n - 1)))
			list = must_resize(list, (n ? 2 * n : 1) * sizeof *list);
		list[n++] = (struct line){.text = b->data + at, .size = size};
		at += size + 1;
	}
	if (n)
		qsort(list, n, sizeof *list, by_text);
	*count = n;
	return list;
}

static bool same_text(const struct line *a, const struct line *b)
{
	return a->size == b->size && (!a->size || !memcmp(a->text, b->text, a->size));
}

static void match(struct line *a, size_t n, struct line *b, size_t m)
{
	for (size_t i = 0, k = 0; i < n && k < m;) {
		if (same_text(&a[i], &b[k]))
			a[i++].matched = b[k++].matched = true;
		else if (by_text(&a[i], &b[k]) < 0)
			i++;
		else
			k++;
	}
}

/* The first line that the other side does not have, of this family if one is given; NULL: it has them all. */
static const struct line *first_unmatched(const struct line *list, size_t n, const uint64_t *family)
{
	const struct line *first = NULL;

	for (size_t i = 0; i < n; i++)
		if (!list[i].matched && (!first || list[i].text < first->text) &&
		    (!family || feature_family(list[i].text, list[i].size) == *family))
			first = &list[i];
	return first;
}

/*
 * Finds where the two sides differ. The first choice is a line of this family, then any line that the other side does
 * not have, then the order of the lines. Each side looks for itself: a line with other words is of another family.
 */
static void find_bytes(struct side side[2], const uint64_t *family)
{
	size_t n[2], common = 0;
	struct line *lines[2];
	const struct line *own[2];

	for (int i = 0; i < 2; i++)
		lines[i] = lines_of(&side[i].bytes, &n[i]);
	match(lines[0], n[0], lines[1], n[1]);
	for (int i = 0; i < 2; i++)
		own[i] = first_unmatched(lines[i], n[i], family);
	for (int i = 0; i < 2; i++)
		own[i] = own[i] ? own[i] : first_unmatched(lines[i], n[i], NULL);
	while (own[0] && own[1] && common < own[0]->size && common < own[1]->size &&
	       own[0]->text[common] == own[1]->text[common])
		common++;
	for (int i = 0; i < 2; i++)
		side[i].at = !own[0] && !own[1] ? first_difference(&side[0].bytes, &side[1].bytes)
		             : own[i]           ? (size_t)(own[i]->text - side[i].bytes.data) + common
		                                : side[i].bytes.size;
	free(lines[0]);
	free(lines[1]);
}

/* Adds the line that contains the byte. */
static void add_line(struct bytes *out, const struct bytes *b, uint64_t at)
{
	size_t line = at < b->size ? at : b->size;

	if (at >= b->size && line && b->data[line - 1] == '\n')
		return;
	while (line && b->data[line - 1] != '\n' && at - line < LINE_SHOWN)
		line--;
	size_t n = b->size - line;
	const void *end = n ? memchr(b->data + line, '\n', n) : NULL;
	n = end ? (size_t)((const uint8_t *)end - b->data - line) : n;
	bytes_add(out, n ? b->data + line : (const uint8_t *)"", n < LINE_SHOWN ? n : LINE_SHOWN);
}

/* Shows data without lines as bytes around the first one that differs, the same range of both sides. */
static void show_bytes(struct difference *d, const struct bytes *bytes[2])
{
	d->binary = true;
	d->offset = first_difference(bytes[0], bytes[1]);
	d->first = d->offset > BINARY_EARLY ? d->offset - BINARY_EARLY : 0;
	for (int i = 0; i < 2; i++) {
		uint64_t left = bytes[i]->size > d->first ? bytes[i]->size - d->first : 0;
		bytes_free(&d->output[i]);
		if (left)
			bytes_add(&d->output[i], bytes[i]->data + d->first, left < BINARY_SHOWN ? left : BINARY_SHOWN);
	}
}

/* Shows both sides, each at its byte that differs. */
static void show(struct difference *d, const struct bytes *a, const struct bytes *b, const uint64_t at[2])
{
	const struct bytes *bytes[2] = {a, b};

	for (int i = 0; i < 2; i++)
		add_line(&d->output[i], bytes[i], at[i]);
	if (!bytes_are_text(d->output[0].data, d->output[0].size) ||
	    !bytes_are_text(d->output[1].data, d->output[1].size))
		show_bytes(d, bytes);
}

static void set_status(struct difference *d, const struct finding *f)
{
	char text[32];

	d->status = true;
	for (int i = 0; i < 2; i++) {
		snprintf(text, sizeof text, "%d", i ? f->trial.status : f->primary.status);
		bytes_add(&d->output[i], text, strlen(text));
	}
}

/*
 * Takes the writer's place from the other order, if it is known there. If the file ends early in the recorded order, it
 * is the place that cut it.
 */
static void set_place(struct difference *d, const struct side side[2])
{
	bool cut = side[0].place && side[0].bytes.size <= side[0].at;
	const struct side *s = side[1].place && !cut ? &side[1] : &side[0];

	d->place = s->place;
	d->primary = s == &side[0];
	d->stack = s->stack;
}

/* The file or connection that the difference is about, if it is known and differs here. */
static const struct board_output *row_of_feature(const struct finding *f)
{
	const struct trial *of[2] = {&f->trial, &f->primary};

	for (int k = 0; k < 2 && f->feature.part == PART_OTHER; k++)
		for (uint32_t i = 0; i < of[k]->noutputs; i++)
			if (feature_stream(&of[k]->outputs[i]) == f->feature.stream &&
			    is_changed(&of[k]->outputs[i], of[1 - k], false))
				return &of[k]->outputs[i];
	return NULL;
}

/* Finds the stream that differs. False: it is not known. */
static bool find_stream(const struct finding *f, struct board_output *g)
{
	enum part part_of_feature = f->feature.part;
	for (enum part part = PART_STDOUT; part <= PART_STDERR; part++)
		if (!trial_same_part(&f->primary, &f->trial, part, SAME_BYTES) &&
		    (part == part_of_feature || part_of_feature == PARTS ||
		     trial_same_part(&f->primary, &f->trial, part_of_feature, SAME_BYTES))) {
			*g = (struct board_output){.kind = OUTPUT_STANDARD, .number = part + 1};
			snprintf(g->name, sizeof g->name, "standard %s", part == PART_STDOUT ? "output" : "error");
			return true;
		}
	const struct board_output *row = row_of_feature(f);
	row = row ? row : stream_to_show(&f->primary, &f->trial);
	if (row)
		*g = *row;
	return row != NULL;
}

/* "connection accepted at port 80", "connection accepted at port 80, number 2" */
static char *name_of(const struct board_output *g)
{
	return g->kind == OUTPUT_STREAM && g->number > 1 ? must_format("%s, number %u", g->name, g->number)
	                                                 : must_format("%s", g->name);
}

static void locate(struct classifier *c, const struct finding *f, const struct board_output *g, struct difference *d)
{
	struct side side[2] = {{.execution = f->primary.execution},
	                       {.execution = f->trial.execution, .directed = f->touch ? f : NULL}};
	bool ok = true;

	for (int i = 0; i < 2; i++)
		ok = replay(c, &side[i], g, CAPTURE_BYTES, 0) && ok;
	if (ok) {
		find_bytes(side, f->feature.family ? &f->feature.family : NULL);
		d->offset = side[side[1].at < side[1].bytes.size].at;
		show(d, &side[0].bytes, &side[1].bytes, (const uint64_t[]){side[0].at, side[1].at});
		for (int i = 0; i < 2; i++) {
			d->missing[i] = !side[i].there;
			side[i].at = d->binary ? d->offset : side[i].at;
		}
	}
	bool named = d->missing[0] != d->missing[1] && g->kind == OUTPUT_FILE;
	for (int i = 0; i < 2; i++)
		ok = ok && replay(c, &side[i], g, named ? CAPTURE_NAME : CAPTURE_PLACE, side[i].at);
	if (ok)
		set_place(d, side);
	for (int i = 0; i < 2; i++)
		bytes_free(&side[i].bytes);
}

void difference_find(struct classifier *c, struct finding *f)
{
	struct difference *d = &f->difference;
	struct board_output g;

	if (trial_same_output(&f->primary, &f->trial) || !find_stream(f, &g)) {
		if (f->primary.status != f->trial.status)
			set_status(d, f);
		return;
	}
	d->stream = name_of(&g);
	d->descriptor = g.kind == OUTPUT_STANDARD ? (int)g.number : 0;
	if (f->primary.execution && f->trial.execution)
		locate(c, f, &g, d);
	if (g.kind == OUTPUT_STANDARD && !d->output[0].size &&
	    !d->output[1].size) { /* the executions could not be replayed */
		const struct bytes *a = &f->primary.printed[g.number - 1], *b = &f->trial.printed[g.number - 1];
		d->offset = first_difference(a, b);
		show(d, a, b, (const uint64_t[]){d->offset, d->offset});
	}
}
