/*
 * The output of an execution, so that two executions can be compared: a hash of each stream of bytes, and of each
 * file that is not as it was.  It is noted here, below the program, both while the recording is followed and after it
 * was left, so that the same output always has the same hashes.
 *
 * Not output: what the program only sends to itself (pipes and pairs of sockets with both ends here, counters, files
 * without a name), and when something was written.
 */
#include <stdarg.h>
#include <string.h>

#include "rt/ending/ending.h"
#include "rt/model/parts.h"
#include "rt/core/text.h"

#define SEED  0xcbf29ce484222325u
#define PRIME 0x100000001b3u

/* Hashes of bytes as they come: of all bytes, and of the last line. */
struct digest {
	uint64_t size, hash, line;
	uint64_t lines; /* a sum over the complete lines */
	uint64_t rest;  /* of a file: kind, mode and owner */
};

/* Bytes of a stream, as they were written. */
struct kept_bytes {
	struct kept_bytes *next;
	uint64_t size;
	uint8_t bytes[];
};

struct output_stream {
	struct output_stream *next;
	enum output_kind kind;
	uint32_t number;
	bool lost, captured;
	struct digest digest;
	struct kept_bytes *pieces, **last;
	struct writer *writer;
	char name[OUTPUT_NAME];
};

/* Who wrote the byte that is searched. */
struct writer {
	bool called;      /* it is a function that puts the byte into a buffer */
	uint64_t pending; /* so many bytes were put there together, and are still in the buffer */
	struct board_stack stack;
};

static struct {
	struct output_stream *all, **last;
	struct output_stream *output[2];
	bool keeps_bytes;    /* plan.keep_outputs */
	uint64_t bytes_kept; /* bytes in board.capture */
} state = {.last = &state.all};

static const struct digest empty = {.hash = SEED, .line = SEED};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9fb21c651e98df25u;
	return h ^ h >> 29;
}

static void digest_add(struct digest *d, const uint8_t *bytes, uint64_t n)
{
	d->size += n;
	for (uint64_t i = 0; i < n; i++) {
		uint8_t b = bytes[i];
		d->hash = (d->hash ^ b) * PRIME;
		if (b == '\n') {
			d->lines += mix(1, d->line);
			d->line = SEED;
		} else {
			d->line = (d->line ^ b) * PRIME;
		}
	}
}

static uint64_t digest_lines(const struct digest *d) { return d->lines + (d->line != SEED ? mix(1, d->line) : 0); }

bool outputs_are_wanted(void) { return omen.board && omen.board->config.note_outputs; }

static const struct board_capture *wanted_capture(void)
{
	const struct board_capture *c = &omen.board->capture;

	return c->wanted ? c : NULL;
}

/* ---- streams ---- */

static struct output_stream *add_stream(enum output_kind kind, const char *name, uint32_t number)
{
	const struct board_capture *c = wanted_capture();
	struct output_stream *s = model_alloc(sizeof(*s));

	s->kind = kind;
	s->number = number;
	s->digest = empty;
	text_format(s->name, sizeof(s->name), "%s", name);
	s->captured = c && c->kind == kind && c->number == number && !strncmp(c->name, s->name, sizeof(s->name));
	*state.last = s;
	state.last = &s->next;
	return s;
}

struct output_stream *outputs_new_stream(enum output_kind kind, const char *format, ...)
{
	char name[OUTPUT_NAME];
	uint32_t number = 1;
	va_list args;

	if (!outputs_are_wanted())
		return NULL;
	va_start(args, format);
	text_vformat(name, sizeof(name), format, args);
	va_end(args);
	for (const struct output_stream *s = state.all; s; s = s->next)
		number += s->kind == kind && !strcmp(s->name, name);
	return add_stream(kind, name, number);
}

struct output_stream *outputs_named_stream(const char *format, ...)
{
	char name[OUTPUT_NAME];
	va_list args;

	if (!outputs_are_wanted())
		return NULL;
	va_start(args, format);
	text_vformat(name, sizeof(name), format, args);
	va_end(args);
	for (struct output_stream *s = state.all; s; s = s->next)
		if (s->kind == OUTPUT_STREAM && !strcmp(s->name, name))
			return s;
	return add_stream(OUTPUT_STREAM, name, 1);
}

struct output_stream *outputs_standard_stream(int fd)
{
	if (!outputs_are_wanted())
		return NULL;
	return state.output[fd - 1] =
	               add_stream(OUTPUT_STANDARD, fd == 1 ? "standard output" : "standard error", (uint32_t)fd);
}

/* Is the byte that is searched among these? */
static bool is_wanted_byte(uint64_t at, uint64_t size)
{
	const struct board_capture *c = wanted_capture();

	return c && c->wanted == CAPTURE_PLACE && c->at >= at && c->at - at < size;
}

static void note_writer(struct writer **at)
{
	if (!*at)
		*at = model_alloc(sizeof(**at));
	ending_stack(&(*at)->stack);
}

/* The byte is written now.  Its writer is the function that has put it into the buffer, if that is known. */
static void note_write(struct writer **at)
{
	bool buffered = *at && (*at)->pending;

	if (!buffered)
		note_writer(at);
	(*at)->called = buffered;
	(*at)->pending = 0;
}

/*
 * The byte was put into a buffer together with so many others.  If several threads have done that, the one with the
 * fewest bytes counts.
 */
static void note_call(struct writer **at, uint64_t size)
{
	if (*at && (*at)->pending && (*at)->pending <= size)
		return;
	note_writer(at);
	(*at)->called = true;
	(*at)->pending = size;
}

static void capture(struct output_stream *s, const uint8_t *bytes, uint64_t n)
{
	struct board_capture *c = &omen.board->capture;

	if (is_wanted_byte(s->digest.size, n))
		note_write(&s->writer);
	if (s->digest.size < sizeof(c->bytes)) {
		uint64_t room = sizeof(c->bytes) - s->digest.size;
		memcpy(c->bytes + s->digest.size, bytes, n < room ? n : room);
	}
}

/* The tool keeps standard output and error itself. */
static void keep_piece(struct output_stream *s, const uint8_t *bytes, uint64_t n)
{
	if (s->kind != OUTPUT_STREAM || !n)
		return;
	struct kept_bytes *p = model_alloc(sizeof(*p) + n);
	p->size = n;
	memcpy(p->bytes, bytes, n);
	*(s->last ? s->last : &s->pieces) = p;
	s->last = &p->next;
}

void model_keep_outputs(void) { state.keeps_bytes = outputs_are_wanted(); }

void outputs_put(struct output_stream *s, const struct iovec *iov, size_t n, long bytes, bool packet)
{
	uint64_t left = bytes > 0 ? (uint64_t)bytes : 0;

	for (size_t i = 0; s && i < n && left; i++) {
		uint64_t piece = iov[i].iov_len < left ? iov[i].iov_len : left;
		if (s->captured)
			capture(s, iov[i].iov_base, piece);
		if (state.keeps_bytes)
			keep_piece(s, iov[i].iov_base, piece);
		digest_add(&s->digest, iov[i].iov_base, piece);
		left -= piece;
	}
	if (s && packet && bytes >= 0)
		s->digest.hash = mix(s->digest.hash, (uint64_t)bytes);
}

void outputs_lose(struct output_stream *s)
{
	if (s)
		s->lost = true;
}

/* ---- files ---- */

/*
 * A digest of contents, kind, owner and mode.  Zeros at the end count as part of the size only: a hole is the same.
 */
static struct digest digest_of(const struct node *n)
{
	struct digest d = empty;
	uint64_t high = n->high;

	while (high && !n->data[high - 1])
		high--;
	if (S_ISLNK(n->st.st_mode) && n->target)
		digest_add(&d, (const uint8_t *)n->target, strlen(n->target));
	else if (S_ISREG(n->st.st_mode) && !n->lost)
		digest_add(&d, n->data, high);
	d.size = S_ISREG(n->st.st_mode) ? (uint64_t)n->st.st_size : 0;
	uint64_t rest = mix(mix(n->st.st_mode, n->st.st_uid), mix(d.size, n->st.st_gid));
	d.rest = mix(mix(n->st.st_mode, n->st.st_uid), n->st.st_gid);
	d.hash = mix(d.hash, rest);
	d.lines = mix(digest_lines(&d), rest);
	d.line = SEED;
	return d;
}

void outputs_file_changes(struct node *n)
{
	if (n->changed || !outputs_are_wanted())
		return;
	n->changed = true;
	n->before = digest_of(n).hash;
}

void outputs_file_writes(struct node *n, uint64_t at, uint64_t size)
{
	if (outputs_are_wanted() && is_wanted_byte(at, size))
		note_write(&n->writer);
}

static bool is_captured_file(const char *name)
{
	const struct board_capture *c = outputs_are_wanted() ? wanted_capture() : NULL;

	return c && c->kind == OUTPUT_FILE && !strncmp(c->name, name, OUTPUT_NAME - 1);
}

void outputs_name_changes(const char *name)
{
	struct board_capture *c = &omen.board->capture;

	if (!is_captured_file(name) || c->wanted != CAPTURE_NAME)
		return;
	ending_stack(&c->stack);
	c->place = CAPTURED_NAME;
}

/* ---- the end ---- */

static uint64_t hash_of_name(const char *name)
{
	struct digest d = empty;

	digest_add(&d, (const uint8_t *)name, strlen(name));
	return d.hash;
}

/* Adds a row to the board.  NULL: there is no room for it. */
static struct board_output *report_row(enum output_kind kind, uint32_t number, const char *name, bool there,
                                       const struct digest *d)
{
	struct board *b = omen.board;

	b->outputs_hash[SAME_BYTES] += mix(mix(hash_of_name(name), number), mix(d->size + kind, d->hash));
	b->outputs_hash[SAME_LINES] += mix(hash_of_name(name), mix(kind, digest_lines(d)));
	if (b->noutputs == BOARD_OUTPUTS) {
		b->outputs_lost++;
		return NULL;
	}
	struct board_output *row = &b->outputs[b->noutputs++];
	*row = (struct board_output){.kind = kind,
	                             .number = number,
	                             .there = there,
	                             .size = d->size,
	                             .hash = d->hash,
	                             .lines = digest_lines(d),
	                             .rest = d->rest,
	                             .kept_at = state.bytes_kept};
	text_format(row->name, sizeof(row->name), "%s", name);
	return row;
}

/* Keeps bytes that belong to the row. */
static void keep_bytes(struct board_output *row, const uint8_t *bytes, uint64_t n)
{
	struct board_capture *c = &omen.board->capture;

	if (!row || !state.keeps_bytes || row->kept == OUTPUT_UNKEPT)
		return;
	if (n > sizeof(c->bytes) - state.bytes_kept) {
		row->kept = OUTPUT_UNKEPT;
		return;
	}
	memcpy(c->bytes + state.bytes_kept, bytes, n);
	state.bytes_kept += n;
	row->kept += n;
}

static void report_writer(const struct writer *w)
{
	struct board_capture *c = &omen.board->capture;

	if (!w)
		return;
	c->stack = w->stack;
	c->place = w->called ? CAPTURED_CALL : CAPTURED_WRITE;
}

static void report_captured_file(struct node *n)
{
	struct board_capture *c = &omen.board->capture;

	c->there = n != NULL;
	if (!n)
		return;
	const uint8_t *from = S_ISLNK(n->st.st_mode) ? (const uint8_t *)n->target : n->data;
	uint64_t size = (uint64_t)n->st.st_size, have = S_ISLNK(n->st.st_mode) ? size : n->high;
	c->size = size < sizeof(c->bytes) ? size : sizeof(c->bytes);
	have = have < c->size ? have : c->size;
	if (from && (S_ISLNK(n->st.st_mode) || S_ISREG(n->st.st_mode)))
		memcpy(c->bytes, from, have);
	if (!n->stored)
		report_writer(n->writer);
}

void outputs_file(const char *name, const struct node *first, bool was_there, struct node *now)
{
	if (now)
		node_settle(now);
	if (is_captured_file(name))
		report_captured_file(now);
	if (!now && !was_there)
		return;
	struct digest d = now ? digest_of(now) : empty;
	if (now && first && (first->changed ? first->before : digest_of(first).hash) == d.hash)
		return;
	struct board_output *row = report_row(OUTPUT_FILE, 1, name, now != NULL, &d);
	if (now && S_ISREG(now->st.st_mode) && now->lost)
		keep_bytes(row, NULL, UINT64_MAX);
	else if (now && S_ISREG(now->st.st_mode))
		keep_bytes(row, now->data, now->high);
	else if (now && S_ISLNK(now->st.st_mode) && now->target)
		keep_bytes(row, (const uint8_t *)now->target, strlen(now->target));
}

static void report_stream(const struct output_stream *s)
{
	const struct digest lost = {.size = s->digest.size};
	struct board_output *row = report_row(s->kind, s->number, s->name, true, s->lost ? &lost : &s->digest);

	for (const struct kept_bytes *p = s->pieces; p; p = p->next)
		keep_bytes(row, p->bytes, p->size);
	if (s->lost)
		keep_bytes(row, NULL, UINT64_MAX);
}

void model_report_outputs(void)
{
	struct board *b = omen.board;

	if (!outputs_are_wanted())
		return;
	for (const struct output_stream *s = state.all; s; s = s->next) {
		if (s->captured) {
			b->capture.there = true;
			b->capture.size =
			        s->digest.size < sizeof(b->capture.bytes) ? s->digest.size : sizeof(b->capture.bytes);
			report_writer(s->writer);
		}
		if (s->kind == OUTPUT_STREAM && s->digest.size)
			report_stream(s);
	}
	for (int i = 0; i < 2 && state.output[i]; i++) {
		b->printed_size[i] = state.output[i]->digest.size;
		b->printed_hash[i] = state.output[i]->digest.hash;
	}
	names_each(outputs_file);
}

/* ---- buffers ---- */

bool model_tracks_writer(void)
{
	return outputs_are_wanted() && wanted_capture() && wanted_capture()->wanted == CAPTURE_PLACE;
}

uint64_t model_write_position(int fd)
{
	const struct open *o = descriptor(fd);

	if (o && o->kind == KIND_NODE)
		return o->flags & O_APPEND ? (uint64_t)o->node->st.st_size : o->offset;
	return o && o->outside ? o->outside->digest.size : UINT64_MAX;
}

void model_note_buffered(int fd, uint64_t from, uint64_t to)
{
	struct open *o = descriptor(fd);

	if (to <= from || to == UINT64_MAX || !is_wanted_byte(from, to - from) || !o)
		return;
	if (o->node)
		note_call(&o->node->writer, to - from);
	else if (o->outside && o->outside->captured)
		note_call(&o->outside->writer, to - from);
}
