#include "predict/trace_from_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/file.h"

/* ---- tables with numbers as keys ---- */

struct keyed_table {
	struct intern keys;
	char *rows;
	size_t size, count;
};

/* The row of a key; all zero if it is new. */
static void *row_of(struct keyed_table *t, uint64_t key)
{
	uint32_t id = intern(&t->keys, (const char *)&key, sizeof key);

	if (id >= t->count) {
		size_t count = id + 64 + id / 2;
		t->rows = must_resize(t->rows, count * t->size);
		memset(t->rows + t->count * t->size, 0, (count - t->count) * t->size);
		t->count = count;
	}
	return t->rows + id * t->size;
}

static void table_free(struct keyed_table *t)
{
	intern_free(&t->keys);
	free(t->rows);
}

/* 8 bytes of memory. */
struct word {
	uint32_t boundaries; /* bit n: some access begins or ends before byte n */
	uint32_t known;      /* the bytes whose value is known, during the scan of the log */
	uint64_t bytes;
	bool ordered; /* keeps the order of the execution */
	uint32_t lifetimes;
	uint32_t variable[8]; /* plus 1, of the piece that begins at this byte */
};

/* An object by which threads synchronise. */
struct object {
	bool named;     /* it has events of its own kind, besides PREDICT_ORDER */
	bool ordered;   /* keeps the order of the execution */
	uint32_t chain; /* the variable that keeps its order, plus 1 */
	uint32_t turns; /* how often it was used so far */
	bool counted;   /* a semaphore whose tokens are known */
	uint64_t tokens;
};

/* What a thread has done so far. */
struct progress {
	bool unconfined_read; /* since its last branch, it read something that is not confined */
	bool confined_read;   /* since its last pin, it read something that is confined */
	uint8_t pending;      /* PREDICT_BRANCHED and PREDICT_LET_OUT, for its next event */
};

struct log_reader {
	struct logged_trace *out;
	const struct predict_event *log;
	uint32_t count;
	const struct trace_names *names;
	struct keyed_table words, objects, places, held_locks, threads;
	uint32_t at; /* the index in the log */
	size_t capacity;
	struct progress *progress; /* by thread */
	size_t threads_known;
	/* The objects to blame if the rules of traces forbid the current event. */
	uint64_t suspects[2];
	struct keyed_table waits; /* by thread: the keys of the objects it waits for */
};

static struct word *word_of(struct log_reader *b, uint64_t address) { return row_of(&b->words, address & ~7ul); }
static struct object *object_of(struct log_reader *b, uint64_t key) { return row_of(&b->objects, key); }

static bool is_access(const struct predict_event *p) { return p->kind >= PREDICT_READ && p->kind <= PREDICT_REFUTE; }
static bool is_read(const struct predict_event *p)
{
	return p->kind == PREDICT_READ || p->kind == PREDICT_LOAD || p->kind == PREDICT_UPDATE ||
	       p->kind == PREDICT_COMPARE || p->kind == PREDICT_REFUTE;
}
static bool is_write(const struct predict_event *p)
{
	return p->kind == PREDICT_WRITE || p->kind == PREDICT_FREE || p->kind == PREDICT_STORE ||
	       p->kind == PREDICT_UPDATE || p->kind == PREDICT_COMPARE;
}
static bool is_update(const struct predict_event *p) { return p->kind == PREDICT_UPDATE || p->kind == PREDICT_COMPARE; }

/* ---- the scan of the log ---- */

/* The value of an access, shifted to its place in the word. */
static uint64_t shifted(const struct predict_event *p, uint64_t value) { return value << 8 * (p->object & 7); }
static uint32_t bytes_of(const struct predict_event *p) { return ((1u << p->size) - 1) << (p->object & 7); }

static uint64_t mask_of(uint32_t bytes)
{
	uint64_t mask = 0;

	for (int i = 0; i < 8; i++)
		if (bytes >> i & 1)
			mask |= 0xfful << 8 * i;
	return mask;
}

/* A read of another value than the last write wrote shows that other code has written the word. */
static void scan_access(struct log_reader *b, const struct predict_event *p)
{
	struct word *w = word_of(b, p->object);
	uint32_t bytes = bytes_of(p);
	bool has_value = p->flags & PREDICT_VALUE;

	if (p->kind == PREDICT_BORN) {
		w->known = 0;
		return;
	}
	w->boundaries |= 1u << (p->object & 7) | 1u << ((p->object & 7) + p->size);
	if ((is_read(p) && has_value) || p->flags & PREDICT_BEFORE) {
		uint64_t both = mask_of(bytes & w->known), value = shifted(p, is_read(p) ? p->value : p->before);
		w->ordered |= (value ^ w->bytes) & both;
		w->bytes = (w->bytes & ~mask_of(bytes)) | (value & mask_of(bytes));
		w->known |= bytes;
	}
	if (is_write(p)) {
		uint64_t value = shifted(p, is_update(p) ? p->written : p->value);
		w->bytes = (w->bytes & ~mask_of(bytes)) | (value & mask_of(bytes));
		w->known = has_value && p->kind != PREDICT_FREE ? w->known | bytes : w->known & ~bytes;
	}
}

/* A semaphore with another count than expected was initialised again, or used by other code. */
static void scan_semaphore(struct log_reader *b, const struct predict_event *p)
{
	struct object *o = object_of(b, p->object);

	o->named = true;
	o->ordered |= o->counted && o->tokens != p->value;
	o->counted = true;
	o->tokens = p->kind == PREDICT_POST ? p->value + 1 : p->value - 1;
}

static void scan_event(struct log_reader *b, const struct predict_event *p)
{
	switch (p->kind) {
	case PREDICT_REFUSED:
		object_of(b, p->object)->ordered = true;
		/* fall through */
	case PREDICT_LOCK:
	case PREDICT_UNLOCK:
	case PREDICT_SIGNAL:
	case PREDICT_BROADCAST:
	case PREDICT_ARRIVE:
	case PREDICT_ONCE:
		object_of(b, p->object)->named = true;
		break;
	case PREDICT_POST:
	case PREDICT_TAKE:
		scan_semaphore(b, p);
		break;
	case PREDICT_WAIT:
		object_of(b, p->object)->named = true;
		object_of(b, p->value)->named = true;
		break;
	case PREDICT_BORN:
		scan_access(b, p);
		break;
	default:
		if (is_access(p))
			scan_access(b, p);
	}
}

/* ---- events ---- */

static uint32_t thread_of(struct log_reader *b, uint64_t fiber)
{
	char name[32];
	int n = snprintf(name, sizeof name, "T%lu", fiber);
	uint32_t id = trace_object(&b->out->trace, OBJECT_THREAD, name, (size_t)n);

	if (id >= b->threads_known) {
		b->progress = must_resize(b->progress, (id + 64ul) * sizeof *b->progress);
		memset(b->progress + b->threads_known, 0, (id + 64ul - b->threads_known) * sizeof *b->progress);
		b->threads_known = id + 64ul;
	}
	return id;
}

/* The number of the place and kind of an access: two accesses at one place are told apart by their kind. */
static uint32_t location_of(struct log_reader *b, const struct predict_event *p)
{
	uint32_t *known = row_of(&b->places, p->where ^ (uint64_t)p->kind << 56);
	char text[512];

	if (*known)
		return *known - 1;
	b->names->place(b->names->context, p->where, text, sizeof text - 2);
	size_t n = strlen(text) + 1;
	text[n++] = (char)('a' + p->kind);
	*known = trace_location(&b->out->trace, text, n) + 1;
	return *known - 1;
}

static void note_progress(struct progress *me, const struct trace_event *event)
{
	if (event->op == OP_BRANCH || event->op == OP_PIN || event->flags & (EVENT_DEPENDS | EVENT_PINNED))
		me->unconfined_read = false;
	if (event->op == OP_PIN)
		me->confined_read = false;
	if (event->flags & EVENT_CONFINED)
		me->confined_read = true;
	else if (event_is(event, IS_READ))
		me->unconfined_read = true;
}

static bool add(struct log_reader *b, struct trace_event event, struct error *e)
{
	struct trace *t = &b->out->trace;

	event.thread = (uint16_t)thread_of(b, b->log[b->at].thread);
	if (t->count == b->capacity) {
		b->capacity = b->capacity ? b->capacity * 2 : 4096;
		b->out->log_index = must_resize(b->out->log_index, b->capacity * sizeof *b->out->log_index);
	}
	b->out->log_index[t->count] = b->at;
	note_progress(&b->progress[event.thread], &event);
	return trace_add(t, &event, e);
}

static uint32_t value_of(struct log_reader *b, uint64_t value)
{
	return trace_value(&b->out->trace, (const char *)&value, sizeof value);
}

static uint32_t name_of(struct log_reader *b, enum object_kind kind, uint64_t key)
{
	char name[32];
	int n = snprintf(name, sizeof name, "%#lx", key);

	return trace_object(&b->out->trace, kind, name, (size_t)n);
}

/* Adds a use of an object or word whose order stays: an update that must see the update before it. */
static bool add_chained(struct log_reader *b, uint64_t key, uint32_t location, struct error *e)
{
	struct object *o = object_of(b, key);
	char name[40];

	if (!o->chain) {
		int n = snprintf(name, sizeof name, "order of %#lx", key);
		o->chain = trace_object(&b->out->trace, OBJECT_VARIABLE, name, (size_t)n) + 1;
	}
	struct trace_event event = {.op = OP_RMW,
	                            .flags = EVENT_PINNED,
	                            .object = o->chain - 1,
	                            .location = location,
	                            .value = value_of(b, o->turns),
	                            .written = value_of(b, o->turns + 1)};
	o->turns++;
	return add(b, event, e);
}

static const uint8_t access_ops[] = {
        [PREDICT_READ] = OP_READ,        [PREDICT_WRITE] = OP_WRITE,        [PREDICT_FREE] = OP_WRITE,
        [PREDICT_LOAD] = OP_ATOMIC_READ, [PREDICT_STORE] = OP_ATOMIC_WRITE, [PREDICT_UPDATE] = OP_RMW,
        [PREDICT_COMPARE] = OP_RMW,      [PREDICT_REFUTE] = OP_ATOMIC_READ,
};

static uint64_t piece_of(uint64_t value, uint64_t from, uint64_t size)
{
	return value >> 8 * from & (size < 8 ? (1ul << 8 * size) - 1 : ~0ul);
}

/*
 * The variable of a piece of the access. The bytes in memory before the first write are the same in every order, except
 * in memory that was allocated again.
 */
static uint32_t variable_of(struct log_reader *b, struct word *w, const struct predict_event *p, uint64_t from,
                            uint64_t size)
{
	uint32_t *v = &w->variable[(p->object + from) & 7];
	char name[512];

	if (*v)
		return *v - 1;
	b->names->variable(b->names->context, p->object + from, name, sizeof name - 16);
	if (w->lifetimes)
		snprintf(name + strlen(name), 16, "#%u", w->lifetimes);
	*v = trace_object(&b->out->trace, OBJECT_VARIABLE, name, strlen(name)) + 1;
	if (p->flags & PREDICT_BEFORE && !w->lifetimes)
		trace_set_initial(&b->out->trace, *v - 1, value_of(b, piece_of(p->before, from, size)));
	return *v - 1;
}

/* Adds a pin if a confined read came after the last one. */
static bool add_pin(struct log_reader *b, const struct predict_event *p, struct error *e)
{
	return !b->progress[thread_of(b, p->thread)].confined_read || add(b, (struct trace_event){.op = OP_PIN}, e);
}

/* Adds one event for each piece of the word that some access takes alone. */
static bool add_access(struct log_reader *b, const struct predict_event *p, struct error *e)
{
	struct word *w = word_of(b, p->object);
	uint32_t location = location_of(b, p);
	uint8_t flags = p->flags & PREDICT_FIXED ? 0 : EVENT_DEPENDS;
	bool has_value = p->flags & PREDICT_VALUE && p->kind != PREDICT_FREE;

	if (w->ordered)
		return (!(p->flags & PREDICT_FED) || add_pin(b, p, e)) && add_chained(b, p->object & ~7ul, location, e);
	if (p->flags & PREDICT_CONFINED)
		flags |= EVENT_CONFINED;
	if (p->flags & PREDICT_FED)
		flags |= EVENT_FED;
	if (p->kind == PREDICT_COMPARE || p->kind == PREDICT_REFUTE)
		flags |= EVENT_PINNED;
	for (uint64_t from = 0, to; from < p->size; from = to) {
		for (to = from + 1; to < p->size && !(w->boundaries >> ((p->object & 7) + to) & 1);)
			to++;
		struct trace_event event = {.op = access_ops[p->kind], .flags = flags, .location = location};
		event.object = variable_of(b, w, p, from, to - from);
		if (has_value)
			event.value = value_of(b, piece_of(p->value, from, to - from));
		if (is_update(p) && has_value)
			event.written = value_of(b, piece_of(p->written, from, to - from));
		if (!add(b, event, e))
			return false;
		flags &= (uint8_t)~EVENT_DEPENDS;
	}
	return true;
}

static void begin_lifetime(struct log_reader *b, const struct predict_event *p)
{
	struct word *w = word_of(b, p->object);

	w->lifetimes++;
	memset(w->variable, 0, sizeof w->variable);
}

/* ---- synchronisation ---- */

/* How a thread holds a lock: 1 for reading. */
static uint8_t *held_lock_of(struct log_reader *b, const struct predict_event *p)
{
	return row_of(&b->held_locks, p->object * 0x9e3779b97f4a7c15u ^ p->thread);
}

static bool add_simple(struct log_reader *b, enum op op, enum object_kind kind, uint64_t key, struct error *e)
{
	b->suspects[0] = key;
	return add(b, (struct trace_event){.op = (uint8_t)op, .object = name_of(b, kind, key)}, e);
}

static void note_wait(struct log_reader *b, const struct predict_event *p, bool begins)
{
	uint64_t *keys = row_of(&b->waits, p->thread);

	keys[0] = begins ? p->object : 0;
	keys[1] = begins ? p->value : 0;
}

static bool add_wait(struct log_reader *b, const struct predict_event *p, struct error *e)
{
	bool wake = p->kind == PREDICT_WAKE;

	if (object_of(b, p->object)->ordered || object_of(b, p->value)->ordered) {
		object_of(b, p->object)->ordered = object_of(b, p->value)->ordered = true;
		return add_chained(b, p->object, 0, e) && add_chained(b, p->value, 0, e);
	}
	b->suspects[0] = p->object;
	b->suspects[1] = p->value;
	note_wait(b, p, !wake);
	struct trace_event event = {.op = wake ? OP_WAKE : OP_WAIT, .object = name_of(b, OBJECT_LOCK, p->object)};
	event.condition = name_of(b, OBJECT_CONDITION, p->value);
	return add(b, event, e);
}

static bool add_thread(struct log_reader *b, const struct predict_event *p, struct error *e)
{
	struct trace_event event = {.op = p->kind == PREDICT_CREATE ? OP_FORK : OP_JOIN};
	uint64_t fiber = p->object;

	if (p->kind == PREDICT_CREATE) {
		*(uint64_t *)row_of(&b->threads, p->value) = p->object + 1;
	} else {
		fiber = *(uint64_t *)row_of(&b->threads, p->object);
		if (!fiber--)
			return true; /* of a thread whose creation is not in the log */
	}
	event.object = thread_of(b, fiber);
	return add(b, event, e);
}

static bool add_sync(struct log_reader *b, const struct predict_event *p, struct error *e)
{
	struct object *o = object_of(b, p->object);

	switch (p->kind) {
	case PREDICT_CREATE:
	case PREDICT_JOIN:
		return add_thread(b, p, e);
	case PREDICT_END:
		return add(b, (struct trace_event){.op = OP_END}, e);
	case PREDICT_WAIT:
	case PREDICT_WAKE:
		return add_wait(b, p, e);
	case PREDICT_ORDER:
		return (o->named && !o->ordered) || add_chained(b, p->object, 0, e);
	}
	if (o->ordered)
		return add_chained(b, p->object, 0, e);
	switch (p->kind) {
	case PREDICT_LOCK:
		*held_lock_of(b, p) = p->flags & PREDICT_SHARED;
		return add_simple(b, p->flags & PREDICT_SHARED ? OP_READ_ACQUIRE : OP_ACQUIRE, OBJECT_LOCK, p->object,
		                  e);
	case PREDICT_UNLOCK:
		return add_simple(b, *held_lock_of(b, p) ? OP_READ_RELEASE : OP_RELEASE, OBJECT_LOCK, p->object, e);
	case PREDICT_SIGNAL:
	case PREDICT_BROADCAST:
		return add_simple(b, p->kind == PREDICT_SIGNAL ? OP_NOTIFY : OP_NOTIFY_ALL, OBJECT_CONDITION, p->object,
		                  e);
	case PREDICT_ARRIVE:
	case PREDICT_LEAVE:
		note_wait(b, p, p->kind == PREDICT_ARRIVE);
		return add_simple(b, p->kind == PREDICT_ARRIVE ? OP_ARRIVE : OP_LEAVE, OBJECT_BARRIER, p->object, e);
	case PREDICT_POST:
	case PREDICT_TAKE:
		if (!o->turns++)
			trace_set_tokens(&b->out->trace, name_of(b, OBJECT_SEMAPHORE, p->object), (uint32_t)p->value);
		return add_simple(b, p->kind == PREDICT_POST ? OP_POST : OP_TAKE, OBJECT_SEMAPHORE, p->object, e);
	case PREDICT_ONCE:
		return add_simple(b, OP_ONCE, OBJECT_ONCE, p->object, e);
	default:
		return error_set(e, "there is no event of kind %u", p->kind);
	}
}

static bool add_logged(struct log_reader *b, const struct predict_event *p, struct error *e)
{
	uint32_t thread = thread_of(b, p->thread);

	memcpy(b->suspects, row_of(&b->waits, p->thread), sizeof b->suspects);
	uint8_t pending = b->progress[thread].pending |= p->flags & (PREDICT_BRANCHED | PREDICT_LET_OUT);
	if (p->kind == PREDICT_BORN) {
		begin_lifetime(b, p);
		return true;
	}
	b->progress[thread].pending = 0;
	if (pending & PREDICT_LET_OUT && !add_pin(b, p, e))
		return false;
	if (pending & PREDICT_BRANCHED && b->progress[thread].unconfined_read &&
	    !add(b, (struct trace_event){.op = OP_BRANCH}, e))
		return false;
	return is_access(p) ? add_access(b, p, e) : add_sync(b, p, e);
}

/* ---- all ---- */

static void start(struct log_reader *b)
{
	trace_start(&b->out->trace);
	b->out->trace.branches = true;
	trace_location(&b->out->trace, "", 0); /* the place of events that have none */
	if (b->progress)
		memset(b->progress, 0, b->threads_known * sizeof *b->progress);
	for (size_t i = 0; i < b->words.keys.count; i++) {
		struct word *w = (struct word *)b->words.rows + i;
		w->lifetimes = 0;
		memset(w->variable, 0, sizeof w->variable);
	}
	for (size_t i = 0; i < b->objects.keys.count; i++) {
		struct object *o = (struct object *)b->objects.rows + i;
		o->chain = o->turns = 0;
	}
	table_free(&b->places);
	table_free(&b->held_locks);
	table_free(&b->threads);
	table_free(&b->waits);
	b->waits = (struct keyed_table){.size = 2 * sizeof(uint64_t)};
	b->places = (struct keyed_table){.size = sizeof(uint32_t)};
	b->held_locks = (struct keyed_table){.size = sizeof(uint8_t)};
	b->threads = (struct keyed_table){.size = sizeof(uint64_t)};
}

/*
 * The rules of traces forbid an event. Makes its objects keep their order; then the trace is built from the start
 * again. False: they do so already.
 */
static bool order_suspects(struct log_reader *b)
{
	bool any = false;

	for (int i = 0; i < 2; i++) {
		if (!b->suspects[i])
			continue;
		struct object *o = object_of(b, b->suspects[i]);
		any |= !o->ordered;
		o->ordered = true;
	}
	return any;
}

static bool read_log(struct log_reader *b, struct error *e)
{
	start(b);
	for (b->at = 0; b->at < b->count; b->at++)
		if (!add_logged(b, &b->log[b->at], e))
			return false;
	return true;
}

static void count_ordered(struct log_reader *b)
{
	for (size_t i = 0; i < b->words.keys.count; i++)
		b->out->ordered_words += ((struct word *)b->words.rows)[i].ordered;
	for (size_t i = 0; i < b->objects.keys.count; i++)
		b->out->ordered_objects += ((struct object *)b->objects.rows)[i].ordered;
}

bool trace_from_log(struct logged_trace *h, const struct predict_event *log, uint32_t count,
                    const struct trace_names *names, struct error *e)
{
	struct log_reader b = {.out = h,
	                       .log = log,
	                       .count = count,
	                       .names = names,
	                       .words = {.size = sizeof(struct word)},
	                       .objects = {.size = sizeof(struct object)}};
	bool ok = false;

	*h = (struct logged_trace){0};
	for (uint32_t i = 0; i < count; i++)
		scan_event(&b, &log[i]);
	while (!(ok = read_log(&b, e)) && order_suspects(&b))
		trace_free(&h->trace);
	if (ok)
		trace_finish(&h->trace);
	count_ordered(&b);
	table_free(&b.words);
	table_free(&b.objects);
	table_free(&b.places);
	table_free(&b.held_locks);
	table_free(&b.threads);
	table_free(&b.waits);
	free(b.progress);
	return ok;
}

void logged_trace_free(struct logged_trace *h)
{
	trace_free(&h->trace);
	free(h->log_index);
	*h = (struct logged_trace){0};
}
