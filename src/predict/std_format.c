#include "predict/std_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/file.h"

#define LINE_MOST 65536 /* bytes */
#define BUFFER    (1ul << 20)

/* A piece of a line. */
struct piece {
	const char *at;
	size_t size;
};

static bool piece_is(struct piece p, const char *text) { return p.size == strlen(text) && !memcmp(p.at, text, p.size); }

/* Cuts off and returns the text before the first `mark`, and drops the mark; the whole text if there is no mark. */
static struct piece cut(struct piece *rest, char mark)
{
	const char *found = rest->size ? memchr(rest->at, mark, rest->size) : NULL;
	struct piece p = {rest->at, found ? (size_t)(found - rest->at) : rest->size};
	size_t gone = p.size + (found != NULL);

	rest->at += gone;
	rest->size -= gone;
	return p;
}

static struct piece trim(struct piece p)
{
	while (p.size && (p.at[0] == ' ' || p.at[0] == '\t'))
		p.at++, p.size--;
	while (p.size && (p.at[p.size - 1] == ' ' || p.at[p.size - 1] == '\t'))
		p.size--;
	return p;
}

/* How much of a text a message shows. */
static int shown(struct piece p) { return p.size > 40 ? 40 : (int)p.size; }

/* Operation names that the table does not have: compare and swap. */
static const struct {
	const char *name;
	enum op op;
} swaps[] = {{"cas", OP_RMW}, {"casf", OP_ATOMIC_READ}};

/* The signs that may follow the name of an access, and of which accesses. */
static const struct {
	char sign;
	uint8_t flag;
	unsigned of;
} signs[] = {{'*', EVENT_DEPENDS, IS_READ | IS_WRITE}, {'-', EVENT_CONFINED, IS_READ}, {'+', EVENT_FED, IS_WRITE}};

enum { SIGNS = sizeof signs / sizeof signs[0] };

static uint8_t flag_of(char sign)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (signs[i].sign == sign)
			return signs[i].flag;
	return 0;
}

static void cut_signs(struct piece *name, struct trace_event *n)
{
	while (name->size && flag_of(name->at[name->size - 1]))
		n->flags |= flag_of(name->at[--name->size]);
}

static bool signs_fit(const struct trace_event *n)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (n->flags & signs[i].flag &&
		    (!event_is(n, signs[i].of) || (signs[i].sign != '*' && event_is(n, IS_ATOMIC))))
			return false;
	return true;
}

static bool find_op(struct piece name, struct trace_event *n)
{
	cut_signs(&name, n);
	for (size_t i = 0; i < sizeof swaps / sizeof swaps[0]; i++)
		if (piece_is(name, swaps[i].name)) {
			n->op = swaps[i].op;
			n->flags |= EVENT_PINNED;
			return signs_fit(n);
		}
	for (n->op = 0; n->op < OP_COUNT; n->op++)
		if (piece_is(name, ops[n->op].name))
			return signs_fit(n);
	return false;
}

static bool name_object(struct trace *t, enum object_kind kind, struct piece name, uint32_t *id, struct error *e)
{
	if (!name.size)
		return error_set(e, "a %s is missing", object_kinds[kind]);
	*id = trace_object(t, kind, name.at, name.size);
	if (*id < INTERN_MOST && (kind != OBJECT_THREAD || *id < THREADS_MOST))
		return true;
	return error_set(e, "there are too many %ss", object_kinds[kind]);
}

static bool read_value(struct trace *t, struct piece text, uint32_t *value, struct error *e)
{
	*value = text.size ? trace_value(t, text.at, text.size) : VALUE_UNKNOWN;
	return *value < INTERN_MOST || error_set(e, "there are too many values");
}

/* NAME or NAME=VALUE; NAME=READ:WRITTEN for an operation that reads and writes. */
static bool read_access(struct trace *t, struct piece argument, struct trace_event *n, struct error *e)
{
	const char *equals = argument.size ? memrchr(argument.at, '=', argument.size) : NULL;
	struct piece name = argument, value = {"", 0};

	if (equals) {
		name.size = (size_t)(equals - argument.at);
		value = (struct piece){equals + 1, argument.size - name.size - 1};
	}
	if (!name_object(t, OBJECT_VARIABLE, trim(name), &n->object, e))
		return false;
	if (n->op == OP_RMW) {
		struct piece seen = cut(&value, ':');
		return read_value(t, trim(seen), &n->value, e) && read_value(t, trim(value), &n->written, e);
	}
	return read_value(t, trim(value), &n->value, e);
}

static bool read_argument(struct trace *t, struct piece argument, struct trace_event *n, struct error *e)
{
	enum object_kind kind = ops[n->op].kind;

	if (kind == OBJECT_NONE)
		return true;
	if (kind == OBJECT_VARIABLE)
		return read_access(t, argument, n, e);
	if (n->op == OP_WAIT || n->op == OP_WAKE) {
		struct piece condition = cut(&argument, ',');
		if (!name_object(t, OBJECT_CONDITION, trim(condition), &n->condition, e))
			return false;
	}
	return name_object(t, kind, trim(argument), &n->object, e);
}

/* Operations of RAPID that mean nothing here: calls, and atomic blocks, which are begin and end with an argument. */
static bool is_ignored(struct piece name, struct piece argument)
{
	static const char *const ignored[] = {"enter", "exit", "dummy"};

	for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
		if (piece_is(name, ignored[i]))
			return true;
	return argument.size && (piece_is(name, "begin") || piece_is(name, "end"));
}

/* OP or OP(ARGUMENT). */
static bool read_op(struct trace *t, struct piece text, struct trace_event *n, bool *ignored, struct error *e)
{
	struct piece whole = text, name = cut(&text, '(');

	if (name.size < whole.size) {
		if (!text.size || text.at[text.size - 1] != ')')
			return error_set(e, "a ) is missing after %.*s", shown(whole), whole.at);
		text.size--;
	}
	*ignored = is_ignored(trim(name), trim(text));
	if (*ignored)
		return true;
	if (!find_op(trim(name), n))
		return error_set(e, "there is no operation %.*s", shown(name), name.at);
	return read_argument(t, trim(text), n, e);
}

/* THREAD|OP(ARGUMENT)|LOCATION */
static bool read_event(struct trace *t, struct piece line, struct error *e)
{
	struct trace_event n = {0};
	struct piece whole = line, thread = trim(cut(&line, '|'));
	uint32_t id;
	bool ignored;

	if (thread.size + 1 > whole.size || !line.size)
		return error_set(e, "%.*s is not THREAD|OPERATION|PLACE", shown(whole), whole.at);
	if (!name_object(t, OBJECT_THREAD, thread, &id, e))
		return false;
	n.thread = (uint16_t)id;
	if (!read_op(t, trim(cut(&line, '|')), &n, &ignored, e))
		return false;
	if (ignored)
		return true;
	line = trim(line);
	n.location = trace_location(t, line.at, line.size);
	if (n.location >= INTERN_MOST)
		return error_set(e, "there are too many places");
	return trace_add(t, &n, e);
}

static bool read_line(struct trace *t, struct piece line, struct error *e)
{
	if (line.size && line.at[line.size - 1] == '\r')
		line.size--;
	for (size_t i = 0; i < line.size; i++)
		if ((unsigned char)line.at[i] < ' ' && line.at[i] != '\t')
			return error_set(e, "this is not text: byte %zu of the line is %u", i + 1,
			                 (unsigned char)line.at[i]);
	line = trim(line);
	if (piece_is(line, "# branches"))
		t->branches = true;
	if (!line.size || line.at[0] == '#')
		return true;
	return read_event(t, line, e);
}

struct reader {
	FILE *in;
	char *buffer;
	size_t from, to;
	bool ended;
	uint64_t line;
};

/* Moves the rest of the buffer to its front and reads more. */
static bool refill(struct reader *r, struct error *e)
{
	r->to -= r->from;
	memmove(r->buffer, r->buffer + r->from, r->to);
	r->from = 0;
	r->to += fread(r->buffer + r->to, 1, BUFFER - r->to, r->in);
	if (ferror(r->in))
		return error_set(e, "%s", strerror(errno));
	r->ended = feof(r->in);
	return true;
}

/* The next line, without its end. False: there is none, or it is too long; at the end of the file `e` is empty. */
static bool next_line(struct reader *r, struct piece *line, struct error *e)
{
	const char *end;

	e->text[0] = 0;
	while (!(end = memchr(r->buffer + r->from, '\n', r->to - r->from)) && !r->ended && r->to - r->from < LINE_MOST)
		if (!refill(r, e))
			return false;
	if (!end && r->from == r->to)
		return false;
	r->line++;
	*line = (struct piece){r->buffer + r->from, (end ? (size_t)(end - r->buffer) : r->to) - r->from};
	if (line->size >= LINE_MOST)
		return error_set(e, "the line has more than %u bytes", LINE_MOST - 1);
	r->from += line->size + (end != NULL);
	return true;
}

/* Reports what is unusual about the trace but no error. */
static void warn(const struct trace *t, const char *name, uint64_t line, struct error *warning)
{
	const struct trace_event *n = &t->events[t->repeated_fork];
	char more[64] = "";

	warning->text[0] = 0;
	if (!t->repeated_forks)
		return;
	if (t->repeated_forks > 1)
		snprintf(more, sizeof more, " (and %u more like it)", t->repeated_forks - 1);
	error_set(warning, "%s: line %lu: %s forks %s, which was forked before: both are taken for one thread%s", name,
	          line, interned(&t->names[OBJECT_THREAD], n->thread), interned(&t->names[OBJECT_THREAD], n->object),
	          more);
}

bool std_read(FILE *in, const char *name, struct trace *t, struct error *warning, struct error *e)
{
	struct reader r = {.in = in, .buffer = must_alloc(BUFFER)};
	struct piece line;

	uint64_t warned = 0;

	trace_start(t);
	bool ok = true;
	while (ok && next_line(&r, &line, e)) {
		ok = read_line(t, line, e);
		if (t->repeated_forks && !warned)
			warned = r.line;
	}
	free(r.buffer);
	if (ok && !e->text[0]) {
		trace_finish(t);
		warn(t, name, warned, warning);
		return true;
	}
	trace_free(t);
	struct error why = *e;
	if (!ok || r.line)
		return error_set(e, "%s: line %lu: %s", name, r.line, why.text);
	return error_set(e, "cannot read %s: %s", name, why.text);
}
