/*
 * PREDICT_FIND_WORDS searches the words that threads share.  The cell of a word says who has touched it: `write` holds
 * the first thread, `read` the flags below.  PREDICT_LOG_EVENTS logs the events on these words: it marks their cells,
 * and the cells hold nothing else.
 */
#include "rt/observe/prediction_record.h"

#include "rt/shadow/race_check.h"
#include "rt/threads/sync.h"

enum { SHARED = 1, WRITTEN = 2, TOLD = 4 };
#define MARK 1u

static struct {
	uint64_t before; /* the value before the atomic operation under way */
	bool looked, compares;
	struct predict_event *unsettled; /* the writes of one operation, which may not have happened yet */
	uint64_t nunsettled;
} state;

#define WORDS  ((uint64_t *)BOARD_EVENTS_ADDRESS)
#define EVENTS ((struct predict_event *)(WORDS + PREDICT_WORDS_MOST))

void prediction_start(void)
{
	const struct board *b = omen.board;
	uint32_t mode = b ? b->config.predict_mode : PREDICT_OFF;

	mode_set(PREDICT, mode == PREDICT_FIND_WORDS || mode == PREDICT_LOG_EVENTS);
	mode_set(COUNT_OPS, mode == PREDICT_LOG_EVENTS || mode == PREDICT_MEET);
	omen.cells_used |= mode == PREDICT_FIND_WORDS; /* a new life of memory clears its cells */
	for (uint64_t i = 0; mode == PREDICT_LOG_EVENTS && i < b->nwords && i < PREDICT_WORDS_MOST; i++)
		omen_cell(WORDS[i])->write = MARK;
	omen_hot->branched = omen_hot->let_out = 0;
	if (mode)
		mode_threads_changed();
}

static bool is_fed(const struct omen_site *site)
{
	return site && site->kind == OMEN_SITE_STORE && site->flags & OMEN_SITE_FED;
}

static void overlook(const struct omen_site *site)
{
	if (is_fed(site))
		omen_hot->let_out = 1;
}

/* ---- words ---- */

static void find(uint64_t word, bool write)
{
	struct board *b = omen.board;
	struct omen_cell *c = omen_cell(word);
	uint32_t me = omen.current->id + 1;

	if (!c->write)
		c->write = me;
	if (c->write != me)
		c->read |= SHARED;
	if (write && omen.threads_made) /* what happens before the first thread is created happens before everything */
		c->read |= WRITTEN;
	if (c->read != (SHARED | WRITTEN))
		return;
	c->read |= TOLD;
	if (b->nwords < PREDICT_WORDS_MOST)
		WORDS[b->nwords++] = word;
	else
		b->words_lost++;
}

static bool is_marked(uint64_t word) { return omen_cell(word)->write == MARK; }

/* The index of the first word at or after an address: the tool has sorted them. */
static uint64_t first_from(uint64_t address)
{
	uint64_t low = 0, high = omen.board->nwords;

	while (low < high) {
		uint64_t middle = (low + high) / 2;
		if (WORDS[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- events ---- */

static uint64_t value_at(uint64_t address, uint64_t size)
{
	uint64_t value = 0;

	__builtin_memcpy(&value, (const void *)address, size);
	return value;
}

/* The announced writes have happened: notes their values. */
static void settle(void)
{
	struct predict_event *e = state.unsettled;

	for (; state.nunsettled; state.nunsettled--, e++) {
		e->value = value_at(e->object, e->size);
		e->flags |= PREDICT_VALUE;
	}
}

static struct predict_event *add_for(const struct fiber *f, struct predict_event e)
{
	struct board *b = omen.board;

	if (omen.off || !omen.threads_made)
		return NULL;
	if (b->npredict_events == PREDICT_EVENTS_MOST || b->predict_events_lost) {
		b->predict_events_lost++;
		return NULL;
	}
	e.thread = f->id;
	e.op = f->ops;
	e.point = omen.points;
	EVENTS[b->npredict_events] = e;
	return &EVENTS[b->npredict_events++];
}

static struct predict_event *put(struct predict_event e)
{
	if (omen_hot->branched)
		e.flags |= PREDICT_BRANCHED;
	if (omen_hot->let_out)
		e.flags |= PREDICT_LET_OUT;
	struct predict_event *kept = add_for(omen.current, e);
	if (kept)
		omen_hot->branched = omen_hot->let_out = 0;
	return kept;
}

static void add(struct predict_event e)
{
	settle();
	put(e);
}

static void add_object(enum predict_event_kind kind, const void *object, uint64_t value, uint32_t flags)
{
	if (omen.board->config.predict_mode == PREDICT_LOG_EVENTS)
		add((struct predict_event){
		        .kind = (uint8_t)kind, .flags = (uint8_t)flags, .object = (uint64_t)object, .value = value});
}

static void come_after(const struct fiber *f)
{
	struct predict_event e = {.kind = PREDICT_ORDER, .object = (uint64_t)f};

	if (omen.board->config.predict_mode != PREDICT_LOG_EVENTS)
		return;
	settle();
	add_for(f, e);
	add(e);
}

/* What the compiler says about the data flow of a plain access: src/cc/flow.c. */
static uint8_t flow_of(enum predict_event_kind kind, const struct omen_site *site)
{
	if (!site)
		return 0;
	if (kind == PREDICT_READ && site->kind == OMEN_SITE_LOAD && site->flags & OMEN_SITE_CONFINED)
		return PREDICT_CONFINED;
	return kind == PREDICT_WRITE && is_fed(site) ? PREDICT_FED : 0;
}

static void keep_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	bool write = flags & ACCESS_WRITE;
	struct predict_event e = {.kind = flags & ACCESS_FREE ? PREDICT_FREE
	                                  : write             ? PREDICT_WRITE
	                                                      : PREDICT_READ,
	                          .flags = site && site->flags & OMEN_SITE_FIXED ? PREDICT_FIXED : 0,
	                          .size = (uint8_t)size,
	                          .object = address,
	                          .where = (uint64_t)site};

	e.flags |= flow_of(e.kind, site);
	if (!write) {
		e.value = value_at(address, size);
		e.flags |= PREDICT_VALUE;
	} else if (e.kind == PREDICT_WRITE) {
		e.before = value_at(address, size);
		e.flags |= PREDICT_BEFORE;
	}
	struct predict_event *kept = put(e);
	if (e.kind != PREDICT_WRITE || !kept)
		return;
	if (!state.nunsettled++)
		state.unsettled = kept;
}

/*
 * An access to a word that threads do not share.  Its address may come from a value that was read, so with another
 * value the access could have been elsewhere: unless the address is fixed, it counts as a branch.
 */
static void passed_over(const struct omen_site *site)
{
	overlook(site);
	if (!site || !(site->flags & OMEN_SITE_FIXED))
		omen_hot->branched = 1;
}

/* Handles the part of an access that lies in this word. */
static void access_word(uint64_t word, uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	uint64_t low = address > word ? address : word, high = address + size < word + 8 ? address + size : word + 8;

	if (omen.board->config.predict_mode == PREDICT_FIND_WORDS)
		find(word, flags & ACCESS_WRITE);
	else if (is_marked(word))
		keep_access(low, high - low, flags, site);
	else
		passed_over(site);
}

static void see_access(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	const struct board *b = omen.board;

	settle();
	if (flags & ACCESS_ATOMIC) /* see_atomic() handles it */
		return;
	if (b->config.predict_mode == PREDICT_FIND_WORDS || size <= 64) {
		for (uint64_t word = address & ~7ul; word < address + size; word += 8)
			access_word(word, address, size, flags, site);
		return;
	}
	overlook(site);
	for (uint64_t i = first_from(address & ~7ul); i < b->nwords && WORDS[i] < address + size; i++)
		access_word(WORDS[i], address, size, flags, site);
}

static void begin_life(uint64_t address, uint64_t size)
{
	const struct board *b = omen.board;

	settle();
	if (b->config.predict_mode != PREDICT_LOG_EVENTS)
		return;
	for (uint64_t i = first_from(address & ~7ul); i < b->nwords && WORDS[i] < address + size; i++)
		add((struct predict_event){.kind = PREDICT_BORN, .object = WORDS[i]});
}

/* ---- atomics ---- */

static void look(const void *address, uint64_t size)
{
	settle();
	state.looked = size <= 8;
	if (state.looked)
		state.before = value_at((uint64_t)address, size);
}

static void see_compare(void) { state.compares = true; }

static void keep_atomic(enum predict_event_kind kind, uint64_t address, uint64_t size, uint64_t now,
                        const struct omen_site *site)
{
	struct predict_event e = {.kind = (uint8_t)kind,
	                          .flags = site && site->flags & OMEN_SITE_FIXED ? PREDICT_FIXED : 0,
	                          .size = (uint8_t)size,
	                          .object = address,
	                          .where = (uint64_t)site};
	bool whole = size == 8 || (address & 7) + size <= 8;

	e.value = kind == PREDICT_UPDATE || kind == PREDICT_COMPARE ? state.before : now;
	if (kind != PREDICT_STORE) {
		e.written = now;
	} else if (whole && state.looked) {
		e.before = state.before;
		e.flags |= PREDICT_BEFORE;
	}
	if (whole && (state.looked || kind == PREDICT_LOAD || kind == PREDICT_STORE || kind == PREDICT_REFUTE))
		e.flags |= PREDICT_VALUE;
	add(e);
}

static void see_atomic(enum predict_event_kind kind, const void *address, uint64_t size, const struct omen_site *site)
{
	uint64_t low = (uint64_t)address, high = low + size;
	bool one = (low & 7) + size <= 8;

	state.looked = state.looked && one;
	if (state.compares)
		kind = kind == PREDICT_LOAD ? PREDICT_REFUTE : PREDICT_COMPARE;
	state.compares = false;
	for (uint64_t word = low & ~7ul; word < high; word += 8) {
		uint64_t from = low > word ? low : word, to = high < word + 8 ? high : word + 8;
		if (omen.board->config.predict_mode == PREDICT_FIND_WORDS)
			find(word, kind != PREDICT_LOAD && kind != PREDICT_REFUTE);
		else if (is_marked(word))
			keep_atomic(kind, from, to - from, value_at(from, to - from), site);
		else
			passed_over(site);
	}
	state.looked = false;
}

static void expect_store(const void *address, uint64_t size, uint64_t value)
{
	uint64_t word = (uint64_t)address & ~7ul;

	settle();
	if (omen.board->config.predict_mode == PREDICT_FIND_WORDS)
		find(word, true);
	else if (is_marked(word))
		keep_atomic(PREDICT_STORE, (uint64_t)address, size, value, NULL);
}

/* ---- the observer ---- */

/* The fiber took a lock or a semaphore or joined a thread, or was refused. */
static void see_taken(const struct op *op)
{
	bool ok = op->flags & OP_OK;
	uint32_t shared = op->flags & OP_SHARED ? PREDICT_SHARED : 0;

	if (op->object_kind == OBJECT_THREAD) {
		if (ok)
			add_object(PREDICT_JOIN, op->object, 0, 0);
	} else if (!ok) {
		add_object(PREDICT_REFUSED, op->object, 0, shared);
	} else if (op->object_kind == OBJECT_SEMAPHORE) {
		add_object(PREDICT_TAKE, op->object, sync_tokens(op->object) + 1, PREDICT_VALUE);
	} else {
		add_object(PREDICT_LOCK, op->object, 0, shared);
	}
}

/* The event of an operation that is logged as it is; 0: none. */
static enum predict_event_kind plain_kind(enum op_kind kind)
{
	switch (kind) {
	case OP_KIND_ENDED:
		return PREDICT_END;
	case OP_KIND_GIVES:
		return PREDICT_UNLOCK;
	case OP_KIND_ASKED:
		return PREDICT_REFUSED;
	case OP_KIND_WAITS:
		return PREDICT_WAIT;
	case OP_KIND_WAITED:
		return PREDICT_WAKE;
	case OP_KIND_SIGNALS:
		return PREDICT_SIGNAL;
	case OP_KIND_BROADCASTS:
		return PREDICT_BROADCAST;
	case OP_KIND_ARRIVES:
		return PREDICT_ARRIVE;
	case OP_KIND_LEAVES:
		return PREDICT_LEAVE;
	case OP_KIND_ONCE:
		return PREDICT_ONCE;
	case OP_KIND_ORDERS:
		return PREDICT_ORDER;
	default:
		return 0;
	}
}

static uint64_t see_memory(const struct op *op)
{
	uint64_t address = (uint64_t)op->object;

	switch (op->kind) {
	case OP_KIND_ACCESS:
		if (mode_is(DETECT))
			see_access(address, op->size, op->flags, op->site);
		return 1;
	case OP_KIND_IGNORED_ACCESS:
		overlook(op->site);
		return 1;
	case OP_KIND_OBJECT_ACCESS:
		return 1;
	case OP_KIND_ATOMIC_LOOK:
		look(op->object, op->size);
		break;
	case OP_KIND_COMPARES:
		see_compare();
		break;
	case OP_KIND_ATOMIC_LOAD:
		see_atomic(PREDICT_LOAD, op->object, op->size, op->site);
		break;
	case OP_KIND_ATOMIC_STORE:
		see_atomic(PREDICT_STORE, op->object, op->size, op->site);
		break;
	case OP_KIND_ATOMIC_UPDATE:
		see_atomic(PREDICT_UPDATE, op->object, op->size, op->site);
		break;
	case OP_KIND_WILL_STORE:
		expect_store(op->object, op->size, op->value);
		break;
	case OP_KIND_BORN:
		begin_life(address, op->size);
		break;
	default:
		break;
	}
	return 0;
}

static uint64_t hear(const struct op *op)
{
	switch (op->kind) {
	case OP_KIND_TOOK:
		see_taken(op);
		return 0;
	case OP_KIND_CREATED:
		add_object(PREDICT_CREATE, (const void *)(uint64_t)op->fiber->id, op->fiber->fs, 0);
		return 0;
	case OP_KIND_POSTS:
		add_object(PREDICT_POST, op->object, sync_tokens(op->object), PREDICT_VALUE);
		return 0;
	case OP_KIND_AFTER:
		come_after(op->fiber);
		return 0;
	default:
		break;
	}
	enum predict_event_kind kind = plain_kind(op->kind);
	if (!kind)
		return see_memory(op);
	add_object(kind, op->object, op->value, 0);
	return 0;
}

const struct observer prediction_observer = {
        .name = "prediction", .mode = MODE(PREDICT), .op = hear, .hears_all = true};
