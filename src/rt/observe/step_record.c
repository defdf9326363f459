/*
 * A step is what a fiber does from one point to its next.  Two kinds of fibers are not chosen to run:
 *
 * - A fiber that is about to wait: for a mutex that is not free, a semaphore at 0, a thread that has not ended.  No
 *   other fiber can tell whether it waits before the operation or within it.
 * - A fiber that spins: it reached the end of a loop's body in the same state as before, has written nothing in
 *   between, and nobody has changed anything that it has read.
 */
#include "rt/observe/step_record.h"

#include "rt/core/op.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "rt/core/arch/x86_64/vectors.h"
#include "rt/ending/ending.h"
#include "rt/kernel/kernel.h"
#include "rt/observe/import_audit.h"
#include "rt/shadow/race_check.h"
#include "rt/fibers/sched.h"
#include "rt/fibers/endless_loop.h"
#include "rt/threads/sync_object.h"
#include "rt/fibers/state_hash.h"
#include "rt/fibers/choose.h"
#include "rt/threads/sync.h"
#include "rt/core/text.h"

#define READS         64
#define ANCHORS       8
#define OWN_VARIABLES (1ul << 20) /* the most bytes of a thread's own variables, between its stack and its TLS base */

struct seen {
	uint64_t address, size;
};

/* The state of a fiber at the end of a loop's body. */
struct anchor {
	uint64_t digest;
	uint32_t nreads; /* entries of doing.reads before it */
};

struct doing {
	uint64_t thread; /* its pthread_t */
	/* the operation that it is about to do */
	enum object_kind kind;
	const void *object;
	/* since its last write */
	struct seen reads[READS];
	uint32_t nreads;
	bool reads_lost;
	struct anchor anchors[ANCHORS];
	uint32_t nanchors;
	bool spins;
	bool shows_stack; /* other fibers have accessed its stack */
	bool called;      /* its step begins with a call of the C library that may print */
	bool fails;       /* an assertion has failed: all its further steps belong to that call */
};

static struct {
	bool logging, stuck;
	uint32_t unjoined;   /* threads that nobody has joined yet */
	bool alone;          /* all threads are joined: whatever happens from here on comes after all that they did */
	uint64_t begun;      /* the index in the log at which the step under way begins */
	uint32_t next;       /* the next of the guide's choices */
	uint64_t asleep;     /* the sleep set: a bit for each fiber */
	uint64_t site;       /* the site of the access under way, or 0 */
	bool unchanged;      /* the next write stores the value that is there already, */
	bool releases;       /* and it is a release */
	uint64_t streams;    /* a hash of the C library's streams */
	const char *unknown; /* an import that may act without a step, or NULL */
	struct doing doing[STEP_FIBERS];
} state;

#define LOG         ((struct step_note *)BOARD_EVENTS_ADDRESS)
#define BIT(f)      (1ul << (f)->id)
#define doing_of(f) (&state.doing[(f)->id % STEP_FIBERS])

static void unclear(const char *why)
{
	struct board *b = omen.board;

	if (state.logging && !state.stuck && !b->unclear[0])
		text_format(b->unclear, sizeof(b->unclear), "%s", why);
}

/* ---- begin ---- */

/* A hash of what the streams of the C library hold: printing into a buffer makes no syscall. */
static uint64_t hash_streams(void)
{
	extern FILE *_IO_list_all;
	uint64_t h = 1;

	for (const FILE *f = _IO_list_all; f; f = f->_chain) {
		const uint64_t part[] = {(uint64_t)f, (uint64_t)f->_flags, (uint64_t)f->_IO_write_ptr,
		                         (uint64_t)f->_IO_read_ptr, (uint64_t)f->_IO_read_end};
		for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
			h = (h ^ part[i]) * 0x9fb21c651e98df25u, h ^= h >> 29;
	}
	return h;
}

static void add(enum step_kind kind, uint64_t a, uint64_t b);
static void enables(const struct fiber *f);

static void begin(void)
{
	mode_set(STEPS, true);
	mode_set(PATIENT, true);
	omen.loop_budget = 0;
	omen_hot->budget = 0;
	mode_set(ASK_ALWAYS, mode_is(ASK_ALWAYS) || (state.logging));
	state.streams = hash_streams();
	for (uint32_t i = 0; i < omen.nlive; i++)
		omen.live[i]->budget = 0;
	if (state.logging)
		add(STEP_RUN, BIT(omen.current), 0);
}

static void add_fiber(const struct fiber *f)
{
	if (f->id >= STEP_FIBERS) {
		unclear("there are more than 64 threads");
		return;
	}
	*doing_of(f) = (struct doing){.thread = f->fs};
	state.unjoined++;
	state.alone = false;
	add(STEP_WRITE, STEP_THREADS, 8); /* the thread that is made first gets the lower number */
	enables(f);
}

void step_record_look_at_program(void)
{
	if (omen.board->config.every_operation && omen.board->config.next_strategy.id == STRATEGY_EXHAUST)
		state.unknown = import_audit_unknown();
}

void step_record_depart(void)
{
	if (!omen.board->config.every_operation)
		return;
	mode_set(STEPS_NEXT, true);
	state.logging = omen.board->config.next_strategy.id == STRATEGY_EXHAUST && !omen.board->config.departs;
	if (state.unknown && state.logging)
		text_format(omen.board->unclear, sizeof(omen.board->unclear), "nothing is known of %s", state.unknown);
	if (omen.nlive == 1)
		return;
	begin();
	for (uint32_t i = 0; i < omen.nlive; i++) {
		if (omen.live[i] != omen.current && omen.live[i]->started)
			unclear("threads have begun before the first point");
		if (omen.live[i] != omen.current)
			add_fiber(omen.live[i]);
	}
}

static void thread_made(const struct fiber *f)
{
	if (!mode_is(STEPS))
		begin();
	add_fiber(f);
}

/* ---- what fibers do ---- */

static void log_step(enum step_kind kind, uint32_t fiber, uint64_t a, uint64_t b)
{
	struct board *board = omen.board;
	struct step_note s = {.kind = kind, .fiber = fiber, .a = a, .b = b, .site = state.site};

	if (!state.logging || state.stuck || state.alone)
		return;
	if (kind == STEP_RUN)
		state.begun = board->nnotes;
	for (uint64_t i = state.begun; step_is_access(&s) && i < board->nnotes; i++)
		if (!__builtin_memcmp(&LOG[i], &s, sizeof(s)))
			return;
	if (board->nnotes == STEPS_MOST)
		unclear("there are too many steps");
	else
		LOG[board->nnotes++] = s;
}

static bool overlaps(const struct seen *s, uint64_t a, uint64_t b)
{
	return s->address < a + b && a < s->address + s->size;
}

/* A write drops what other fibers have read of these bytes: the next time they see another value. */
static void changed(uint64_t a, uint64_t b)
{
	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		struct doing *d = doing_of(f);
		bool hit = d->reads_lost;
		for (uint32_t k = 0; !hit && k < d->nreads; k++)
			hit = overlaps(&d->reads[k], a, b);
		if (f == omen.current || !hit)
			continue;
		/* nothing was read after the last anchor: it stays valid, as if the fiber continued from there */
		if (d->nanchors && d->anchors[d->nanchors - 1].nreads == d->nreads) {
			d->anchors[0] = d->anchors[d->nanchors - 1];
			d->anchors[0].nreads = 0;
			d->nanchors = 1;
		} else {
			d->nanchors = 0;
		}
		d->nreads = 0;
		d->reads_lost = false;
		if (d->spins) {
			d->spins = false;
			enables(f);
		}
	}
}

static void has_read(struct doing *d, uint64_t a, uint64_t b)
{
	for (uint32_t i = 0; i < d->nreads; i++)
		if (d->reads[i].address == a && d->reads[i].size == b)
			return;
	if (d->nreads == READS)
		d->reads_lost = true;
	else
		d->reads[d->nreads++] = (struct seen){a, b};
}

static void has_written(struct doing *d)
{
	d->nreads = d->nanchors = 0;
	d->reads_lost = d->spins = false;
}

/* A loop may take a mutex and give it back: the comparison at its end sees whether the mutex is held. */
static bool only_holds(enum step_kind kind) { return kind == STEP_LOCK || kind == STEP_TRYLOCK || kind == STEP_UNLOCK; }

/* Is the address in the fiber's stack, or in the thread's own variables, which the C library puts behind it? */
static bool is_in(const struct fiber *f, uint64_t a)
{
	uint64_t high = f->fs > f->stack_high && f->fs - f->stack_high < OWN_VARIABLES ? f->fs : f->stack_high;

	return a - f->stack_low < (f->stack_high ? high - f->stack_low : 0);
}

/*
 * The address, made unique for each fiber if it is in a stack.  A new thread may get the stack of an ended one, but has
 * nothing to do with that thread.
 */
static uint64_t place_of(uint64_t a)
{
	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		if (!is_in(f, a))
			continue;
		doing_of(f)->shows_stack |= f != omen.current;
		return a | (uint64_t)f->id << 48;
	}
	return a;
}

static void expect_same_value(bool releases)
{
	state.unchanged = true;
	state.releases = releases;
}

static void add(enum step_kind kind, uint64_t a, uint64_t b)
{
	struct fiber *f = omen.current;
	bool unchanged = state.unchanged && kind == STEP_WRITE;

	state.unchanged = false;
	/* a rewrite before or after a release leaves memory the same, but not what the release orders */
	kind = unchanged && !state.releases ? STEP_REWRITE : kind;
	struct step_note s = {.kind = kind, .a = a, .b = b};
	bool looks = unchanged || step_only_looks(&s);
	struct doing *d = doing_of(f);
	bool own = is_in(f, a);

	if (omen.off || f->id >= STEP_FIBERS)
		return;
	if (step_is_access(&s) && a < STEP_OUTSIDE)
		a = place_of(a);
	log_step(kind, f->id, a, b);
	if (!step_is_access(&s))
		return;
	if (looks || only_holds(kind))
		has_read(d, a, b);
	else if (!own || d->shows_stack)
		has_written(d);
	if (!looks)
		changed(a, b);
}

static void see_access(uint64_t address, uint64_t size, uint32_t flags, uint64_t site)
{
	state.site = flags & ACCESS_FREE && !omen.off ? ending_caller() : site; /* a free has no site */
	add(flags & ACCESS_FREE ? STEP_FREE : flags & ACCESS_WRITE ? STEP_WRITE : STEP_READ, address, size);
	state.site = 0;
}

static void enables(const struct fiber *f) { log_step(STEP_ENABLES, omen.current->id, f->id, 0); }

/* ---- synchronisation objects ---- */

static uint32_t fiber_of(const void *thread)
{
	for (uint32_t i = STEP_FIBERS; i--;) /* the newest fiber with this pthread_t */
		if (state.doing[i].thread == (uint64_t)thread)
			return i;
	return BOARD_NOBODY;
}

static void joined(const void *thread)
{
	uint32_t id = fiber_of(thread);

	if (id == BOARD_NOBODY) {
		unclear("a thread is joined that is not known");
		return;
	}
	log_step(STEP_JOIN, omen.current->id, id, 0);
	state.alone = !--state.unjoined;
}

static void taking(bool waits, enum object_kind kind, const void *object)
{
	struct doing *d = doing_of(omen.current);

	d->kind = waits ? kind : OBJECT_NONE;
	d->object = object;
	if (d->kind == OBJECT_MUTEX || d->kind == OBJECT_SEMAPHORE)
		log_step(kind == OBJECT_MUTEX ? STEP_PENDING_LOCK : STEP_PENDING_TAKE, omen.current->id,
		         place_of((uint64_t)object), object_size(kind));
}

static void took(enum object_kind kind, const void *object, bool ok)
{
	uint64_t at = (uint64_t)object, size = object_size(kind);
	bool waits = doing_of(omen.current)->kind == kind;

	doing_of(omen.current)->kind = OBJECT_NONE;
	switch (kind) {
	case OBJECT_MUTEX:
		add(!ok ? STEP_TRIED : waits ? STEP_LOCK : STEP_TRYLOCK, at, size);
		break;
	case OBJECT_SEMAPHORE:
		add(!ok ? STEP_READ : waits ? STEP_TAKE : STEP_WRITE, at, size);
		break;
	case OBJECT_THREAD:
		if (!waits)
			unclear("a thread is joined if it has ended");
		else if (ok)
			joined(object);
		break;
	default:
		add(STEP_WRITE, at, size);
	}
}

static void used(enum object_kind kind, const void *object) { add(STEP_WRITE, (uint64_t)object, object_size(kind)); }

static void set_called(bool yes) { doing_of(omen.current)->called = yes; }
static bool is_call(void) { return doing_of(omen.current)->called || doing_of(omen.current)->fails; }

static void uses_stream(void)
{
	set_called(true);
	add(STEP_WRITE, STEP_OUTSIDE, 8); /* at least the stream's lock changes */
}

static void fails(void) { doing_of(omen.current)->fails = true; }

/* Does another fiber hold the mutex?  Kinds that refuse, or whose owner may die, handle that themselves: false. */
static bool is_taken(const pthread_mutex_t *m, const struct fiber *f)
{
	int kind = m->__data.__kind;
	bool knows_owner = (kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP || (kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP;

	if (!m->__data.__lock || (kind & 0x70))
		return false;
	return !knows_owner || (uint32_t)m->__data.__owner != f->tid;
}

static bool is_live(uint64_t thread)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->fs == thread)
			return true;
	return false;
}

/* Would the fiber only wait where it stands? */
static bool would_wait(const struct fiber *f)
{
	const struct doing *d = doing_of(f);

	switch (d->kind) {
	case OBJECT_MUTEX:
		return is_taken(d->object, f);
	case OBJECT_SEMAPHORE:
		return !sync_tokens(d->object);
	case OBJECT_THREAD:
		return is_live((uint64_t)d->object);
	default:
		return d->spins;
	}
}

/* ---- loops ---- */

static void ends_loop(uint64_t site, uint64_t registers, uint64_t size, uint64_t sp)
{
	extern void *__libc_stack_end;
	const struct fiber *f = omen.current;
	struct doing *d = doing_of(f);
	uint64_t high = f->stack_high ? f->stack_high : (uint64_t)__libc_stack_end;

	if (f->id >= STEP_FIBERS || sp > high)
		return;
	/* the hook does not keep vector registers, so at this place they are on the stack */
	uint64_t digest = state_mix(site + f->nheld, arch_fp_control());
	digest = state_hash(state_hash(digest, registers, registers + size), sp, high);
	for (uint32_t i = 0; i < d->nanchors; i++)
		if (d->anchors[i].digest == digest && !d->reads_lost)
			d->spins = true;
	if (d->nanchors == ANCHORS) {
		for (uint32_t i = 1; i < ANCHORS; i++)
			d->anchors[i - 1] = d->anchors[i];
		d->nanchors--;
	}
	d->anchors[d->nanchors++] = (struct anchor){digest, d->nreads};
}

static bool all_wait(void)
{
	for (uint32_t i = 0; i < omen.nrunnable; i++)
		if (!would_wait(omen.runnable[i]))
			return false;
	return true;
}

/* ---- choices ---- */

/* A step has ended: it wakes the fibers in the sleep set whose steps conflict with it. */
static void end_step(void)
{
	const struct board_guide *g = &omen.board->guide;
	uint64_t now = hash_streams();

	if (now != state.streams && !is_call() && mode_is(DETECT))
		unclear("threads print in a way that is not seen");
	if (now != state.streams)
		add(STEP_WRITE, STEP_OUTSIDE, 8);
	state.streams = now;
	set_called(false);
	omen.current->announced = false; /* an announced call that was not interposed */
	for (uint32_t i = 0; state.asleep && i < g->nsleepers; i++)
		for (uint32_t k = 0; k < g->sleeper[i].count; k++)
			for (uint64_t at = state.begun; at < omen.board->nnotes; at++)
				if (step_conflicts(&g->sleeper[i].steps[k], &LOG[at]))
					state.asleep &= ~(1ul << g->sleeper[i].fiber % 64);
}

static struct fiber *by_id(uint32_t id)
{
	for (uint32_t i = 0; i < omen.nrunnable; i++)
		if (omen.runnable[i]->id == id)
			return omen.runnable[i];
	return NULL;
}

/* All fibers would wait: lets them run, so that the execution shows how that ends. */
static struct fiber *get_stuck(void)
{
	log_step(STEP_STUCK, omen.current->id, 0, 0);
	state.stuck = true;
	return strategy_next_in_turn();
}

static struct fiber *go_on_stuck(void)
{
	if (omen.nrunnable && !all_wait() && !omen.board->unclear[0])
		text_format(omen.board->unclear, sizeof(omen.board->unclear), "a thread got on that was taken to wait");
	return strategy_next_in_turn();
}

/* The guide's next choice.  After the last one: a fiber that is not in the sleep set, the running one if possible. */
static struct fiber *choose_from(uint64_t able)
{
	const struct board_guide *g = &omen.board->guide;

	if (state.next < g->nchoices) {
		uint32_t id = g->choice[state.next++];
		for (uint32_t i = 0; state.next == g->nchoices && i < g->nsleepers; i++)
			state.asleep |= 1ul << g->sleeper[i].fiber % 64;
		struct fiber *f = able >> id % 64 & 1 ? by_id(id) : NULL;
		if (!f)
			ending_fail(ENDING_DIVERGED, "thread T%u was to run, but cannot", id);
		return f;
	}
	able &= ~state.asleep;
	if (!able) {
		log_step(STEP_REDUNDANT, omen.current->id, 0, 0);
		ending_fail(ENDING_STOPPED, "all that follows has been seen");
	}
	uint32_t id = able & BIT(omen.current) ? omen.current->id : (uint32_t)__builtin_ctzl(able);
	return by_id(id);
}

struct fiber *step_record_choose(void)
{
	uint64_t able = 0, waiting = 0;

	omen.interest = 0;
	if (!mode_is(STEPS))
		return omen.current->state == FIBER_RUNNABLE ? omen.current : strategy_next_in_turn();
	if (state.stuck)
		return go_on_stuck();
	end_step();
	if (omen.nlive == 1 && omen.current->state == FIBER_RUNNABLE) {
		/* no choice, but a new step: otherwise what follows might seem to come before the others ended */
		log_step(STEP_RUN, omen.current->id, 0, 0);
		return omen.current;
	}
	for (uint32_t i = 0; i < omen.nrunnable; i++) {
		const struct fiber *f = omen.runnable[i];
		if (f->id >= STEP_FIBERS)
			return omen.runnable[0];
		if (would_wait(f))
			waiting |= BIT(f);
		else
			able |= BIT(f);
	}
	if (!able)
		return get_stuck();
	struct fiber *f = choose_from(able);
	log_step(STEP_RUN, f->id, able, waiting);
	return f;
}

uint32_t step_record_pick(uint32_t n)
{
	const struct board_guide *g = &omen.board->guide;
	uint32_t taken = 0;

	if (!mode_is(STEPS) || state.stuck)
		return 0;
	if (state.next < g->nchoices) {
		taken = g->choice[state.next++];
		for (uint32_t i = 0; state.next == g->nchoices && i < g->nsleepers; i++)
			state.asleep |= 1ul << g->sleeper[i].fiber % 64;
	}
	log_step(STEP_CHOICE, omen.current->id, n, taken);
	return taken < n ? taken : 0;
}

/* ---- the observer ---- */

/* A lock is given back.  For a spin lock that is just a write; for a reader-writer lock see giving(). */
static void gives(const struct op *op)
{
	enum step_kind kind = op->object_kind == OBJECT_SPINLOCK ? STEP_WRITE : STEP_UNLOCK;

	if (op->object_kind != OBJECT_RWLOCK) /* OP(GIVING) has logged it */
		add(kind, (uint64_t)op->object, sizeof(pthread_mutex_t));
}

static void giving(const struct op *op)
{
	if (op->object_kind == OBJECT_RWLOCK)
		used(OBJECT_RWLOCK, op->object);
	else
		add(STEP_UNLOCK, (uint64_t)op->object, sizeof(pthread_mutex_t));
}

static void goes_outside(const struct op *op)
{
	enum step_kind kind = op->value ? STEP_WRITE : STEP_READ;

	if (op->flags & OP_ANY)
		add(kind, 0, STEP_OUTSIDE);
	else
		add(kind, STEP_OUTSIDE, 8);
}

static void see_object(const struct op *op)
{
	uint64_t object = (uint64_t)op->object;

	switch (op->kind) {
	case OP_KIND_TAKING:
		taking(op->flags & OP_WAITS, op->object_kind, op->object);
		break;
	case OP_KIND_TOOK:
		took(op->object_kind, op->object, op->flags & OP_OK);
		break;
	case OP_KIND_GIVING:
		giving(op);
		break;
	case OP_KIND_GIVES:
		gives(op);
		break;
	case OP_KIND_USED:
	case OP_KIND_SIGNALS:
	case OP_KIND_BROADCASTS:
	case OP_KIND_LEAVES:
		used(op->object_kind, op->object);
		break;
	case OP_KIND_WAITS:
		add(STEP_UNLOCK, object, sizeof(pthread_mutex_t));
		break;
	case OP_KIND_WAITED:
		add(STEP_TRYLOCK, object, sizeof(pthread_mutex_t));
		break;
	case OP_KIND_POSTS:
		add(STEP_POST, object, op->size);
		break;
	case OP_KIND_FUTEX:
		add(STEP_FUTEX, object, op->size);
		break;
	case OP_KIND_WRITTEN:
		add(STEP_WRITE, object, op->size);
		break;
	default:
		break;
	}
}

static uint64_t hear_step(const struct op *op)
{
	switch (op->kind) {
	case OP_KIND_ACCESS:
	case OP_KIND_IGNORED_ACCESS:
		if (shadow_is_place((uint64_t)op->object))
			see_access((uint64_t)op->object, op->size, op->flags, where_site(op->site));
		return 0;
	case OP_KIND_SAME_VALUE:
		expect_same_value(op->value);
		return 0;
	case OP_KIND_LOOP:
		ends_loop(where_site(op->site), (uint64_t)op->object, op->size, op->value);
		return 0;
	case OP_KIND_ENABLES:
		enables(op->fiber);
		return 0;
	case OP_KIND_OUTSIDE:
		goes_outside(op);
		return 0;
	case OP_KIND_STREAM:
		uses_stream();
		return 0;
	case OP_KIND_CALL:
		set_called(op->value);
		return 0;
	case OP_KIND_IN_CALL:
		return is_call();
	case OP_KIND_ALL_SPIN:
		return all_wait();
	case OP_KIND_SIGNAL:
		unclear("signals are handled");
		return 0;
	case OP_KIND_UNCLEAR:
		unclear(op->object);
		return 0;
	case OP_KIND_FAILS:
		fails();
		return 0;
	default:
		see_object(op);
		return 0;
	}
}

static uint64_t hear(const struct op *op)
{
	if (op->kind == OP_KIND_MADE)
		thread_made(op->fiber);
	return mode_is(STEPS) ? hear_step(op) : 0;
}

const struct observer step_observer = {
        .name = "steps", .mode = MODE(STEPS) | MODE(STEPS_NEXT), .op = hear, .hears_all = true};
