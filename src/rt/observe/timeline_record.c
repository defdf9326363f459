#include "rt/observe/timeline_record.h"

#include <link.h>
#include <string.h>
#include <sys/uio.h>
#include <unwind.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/ending.h"
#include "rt/fibers/fiber.h"

static struct {
	struct range library[32]; /* where code lies that is not the program's own */
	uint32_t nlibraries;
	uint64_t creating;    /* the place at which a thread is about to be made */
	uint64_t heard[1024]; /* atomic releases acquired last, each with the fiber that acquired it */
	uint64_t unsettled;   /* the event of a write that may not have happened yet, or 0 */
	uint32_t from;        /* the fiber of the last EVENT_FROM, plus 1 */
} state;

#define TOUCHES      512 /* before the execution leaves its recording; at this number only the last ones are kept */
#define TOUCHES_KEPT 32
#define EVENTS       ((struct event *)BOARD_EVENTS_ADDRESS)
#define STACKS       ((struct event_stack *)(BOARD_EVENTS_ADDRESS + EVENTS_SIZE) - EVENT_STACKS)

static int see_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	if (!ending_is_library(info->dlpi_name) || state.nlibraries == sizeof(state.library) / sizeof(*state.library))
		return 0;
	struct range *r = &state.library[state.nlibraries++];
	*r = (struct range){UINT64_MAX, 0};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD)
			continue;
		r->low = low < r->low ? low : r->low;
		r->high = low + p->p_memsz > r->high ? low + p->p_memsz : r->high;
	}
	return 0;
}

static void add_run(void);

static void start(void)
{
	mode_set(TIMELINE, true);
	mode_threads_changed();
	add_run();
}

void timeline_start(void)
{
	mode_set(TIMELINE, false);
	if (!omen.board || !omen.board->config.events)
		return;
	dl_iterate_phdr(see_library, NULL);
	if (!omen.board->config.events_late)
		start();
}

void timeline_depart(void)
{
	if (omen.board->config.events && !mode_is(TIMELINE))
		start();
}

/* ---- where ---- */

static bool is_foreign(uint64_t pc)
{
	for (uint32_t i = 0; i < state.nlibraries; i++)
		if (pc >= state.library[i].low && pc < state.library[i].high)
			return true;
	return false;
}

/* Inlined code of the C++ library is in the program's own file, but tells a reader nothing: show its callers, too. */
static bool is_header(const struct omen_site *s) { return !strncmp(omen_site_file(s), "/usr/", 5); }

static bool is_in_header(void)
{
	const struct omen_site *s = omen_hot->depth ? omen_hot->frames[(omen_hot->depth - 1) % OMEN_FRAMES] : NULL;

	return !s || is_header(s);
}

struct unwinding {
	struct event_stack stack;
	uint32_t most;
};

static _Unwind_Reason_Code see_frame(struct _Unwind_Context *context, void *arg)
{
	struct unwinding *u = arg;
	uint64_t pc = _Unwind_GetIP(context);

	if (!is_foreign(pc))
		u->stack.pc[u->stack.depth++] = pc;
	return u->stack.depth == u->most ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

#define TRIES 64

static uint64_t number_of(const struct event_stack *s)
{
	uint64_t hash = s->depth;

	for (uint64_t i = 0; i < s->depth; i++)
		hash = (hash ^ s->pc[i]) * 0x9fb21c651e98df25u, hash ^= hash >> 29;
	for (uint64_t i = 0; i < TRIES; i++) {
		uint64_t n = (hash + i) % EVENT_STACKS;
		if (!STACKS[n].depth)
			STACKS[n] = *s;
		if (!memcmp(&STACKS[n], s, sizeof(*s)))
			return 2 * n + 1;
	}
	return 0;
}

static bool has_room(void)
{
	const struct board *b = omen.board;

	return b->nevents < b->config.events && b->nevents < EVENTS_MAX;
}

/* The running fiber's place.  Slow, so it is not computed for an event that will be lost. */
static uint64_t place_of(bool header)
{
	if (!has_room())
		return 0;
	struct unwinding u = {.most = header ? EVENT_FRAMES : 1};
	uint32_t off = omen.off;

	omen.off |= OFF_INSIDE; /* the unwinder takes a lock */
	_Unwind_Backtrace(see_frame, &u);
	omen.off = off;
	return u.stack.depth ? number_of(&u.stack) : 0;
}

static uint64_t place(void) { return place_of(is_in_header()); }

/* ---- events ---- */

/* Reads memory that may be unmapped: only the kernel knows. */
static bool read_value(uint64_t address, uint64_t size, uint64_t *value)
{
	struct iovec to = {value, size < 8 ? size : 8}, from = {(void *)address, to.iov_len};

	return raw6(SYS_process_vm_readv, raw0(SYS_getpid), &to, 1, &from, 1, 0) == (long)to.iov_len;
}

/* The announced write has happened: notes its value. */
static void settle(void)
{
	if (!state.unsettled)
		return;
	struct event *e = &EVENTS[state.unsettled - 1];
	uint64_t value = 0;
	state.unsettled = 0;
	if (!read_value(e->object, e->size, &value))
		return;
	e->value = value;
	e->flags |= ACCESS_HAS_VALUE;
}

static uint64_t add(struct event e)
{
	struct board *b = omen.board;

	settle();
	if (omen.off || !b)
		return 0;
	if (!has_room()) {
		b->events_lost++;
		return 0;
	}
	e.point = omen.points;
	e.fiber = omen.current->id;
	EVENTS[b->nevents] = e;
	return ++b->nevents;
}

static void add_run(void) { add((struct event){.kind = EVENT_RUN}); }

static void add_creating(void) { state.creating = place(); }

static void add_create(const struct fiber *f)
{
	add((struct event){.kind = EVENT_CREATE, .object = f->id, .value = f->fs, .where = state.creating});
	state.creating = 0;
}

static void add_end(void) { add((struct event){.kind = EVENT_END}); }

static void add_join(const void *thread) { add((struct event){.kind = EVENT_JOIN, .object = (uint64_t)thread}); }

static void add_name(const struct fiber *f, const char *name)
{
	char text[16] = "";
	struct event e = {.kind = EVENT_NAME};

	memcpy(text, name, strnlen(name, sizeof(text) - 1));
	memcpy(&e.object, text, 8);
	memcpy(&e.value, text + 8, 8);
	uint64_t number = add(e);
	if (number)
		EVENTS[number - 1].fiber = f->id;
}

static const uint8_t wait_of_object[] = {
        [OBJECT_NONE] = FOR_FUTEX,     [OBJECT_MUTEX] = FOR_MUTEX,     [OBJECT_RWLOCK] = FOR_RWLOCK,
        [OBJECT_COND] = FOR_CONDITION, [OBJECT_BARRIER] = FOR_BARRIER, [OBJECT_SEMAPHORE] = FOR_SEMAPHORE,
        [OBJECT_SPINLOCK] = FOR_SPIN,  [OBJECT_ONCE] = FOR_ONCE,       [OBJECT_THREAD] = FOR_THREAD,
};

static uint32_t fiber_of_thread(const void *thread)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->fs == (uint64_t)thread)
			return omen.live[i]->id;
	return BOARD_NOBODY;
}

/* The event of a fiber that is about to wait: what the kernel sees of the wait, and what the program waits for. */
static struct event wait_event(const struct fiber *f)
{
	const struct wait *w = &f->wait;
	struct event e = {.kind = EVENT_WAIT, .where = place()};

	if (w->kind == WAIT_FDS && w->nfds) {
		e.flags = FOR_FILE;
		e.object = (uint64_t)w->fds[0].fd;
		e.value = w->nfds;
	} else if (w->kind == WAIT_SIGNAL || w->kind == WAIT_CHILD) {
		e.flags = w->kind == WAIT_SIGNAL ? FOR_SIGNAL : FOR_CHILD;
	} else if (!w->key) {
		e.flags = FOR_SLEEP;
		e.object = (uint64_t)w->deadline;
	} else if (f->object_kind == OBJECT_COND &&
	           w->key == f->mutex) { /* the condition was signalled: it takes the mutex again */
		e.flags = FOR_MUTEX;
		e.object = (uint64_t)f->mutex;
	} else {
		e.flags = wait_of_object[f->object_kind];
		e.object = e.flags == FOR_FUTEX    ? (uint64_t)w->key
		           : e.flags == FOR_THREAD ? fiber_of_thread(f->object)
		                                   : (uint64_t)f->object;
	}
	return e;
}

static void add_wait(void) { add(wait_event(omen.current)); }

static void add_resume(enum wait_result result)
{
	enum event_resume how = result == WAIT_TIMEOUT       ? RESUME_TIMEOUT
	                        : result == WAIT_INTERRUPTED ? RESUME_INTERRUPTED
	                                                     : RESUME_WOKEN;

	add((struct event){.kind = EVENT_RESUME, .flags = how});
}

static bool waits_for(const struct fiber *f, const void *object)
{
	/* a fiber that waits for a condition's mutex again has already got the condition */
	return f != omen.current && f->object == object &&
	       !(f->object_kind == OBJECT_COND && f->state == FIBER_BLOCKED && f->wait.key == f->mutex);
}

static void add_wake(const struct fiber *f)
{
	bool named = f->object && waits_for(f, f->object);

	add((struct event){.kind = EVENT_WAKE, .object = f->id, .value = named ? (uint64_t)f->object : 0});
}

static void add_give(enum event_give what, const void *object)
{
	struct event e = {.kind = EVENT_GIVE, .flags = (uint8_t)what, .object = (uint64_t)object, .where = place()};

	for (uint32_t i = 0; i < omen.nlive; i++)
		e.value += waits_for(omen.live[i], object);
	add(e);
}

static void add_lock(const void *lock, bool writes)
{
	struct event e = {.kind = EVENT_LOCK, .object = (uint64_t)lock, .where = place()};

	if (omen.current->object_kind == OBJECT_RWLOCK)
		e.flags = writes ? HELD_WRITE : HELD_READ;
	else
		e.flags = omen.current->object_kind == OBJECT_SPINLOCK ? HELD_SPIN : HELD_MUTEX;
	add(e);
}

static void add_unlock(const void *lock)
{
	add((struct event){.kind = EVENT_UNLOCK, .object = (uint64_t)lock, .where = place()});
}

static uint64_t add_release(const void *key, bool by_atomic)
{
	/* for other releases another event says where */
	return add((struct event){.kind = EVENT_RELEASE, .object = (uint64_t)key, .where = by_atomic ? place() : 0});
}

/* Loads in a loop acquire the same release again and again: that is one event, as far as the table remembers it. */
static bool heard_before(uint64_t release)
{
	uint64_t me = release << 32 | omen.current->id;
	uint64_t *at = &state.heard[(me * 0x9e3779b97f4a7c15u >> 32) % (sizeof(state.heard) / sizeof(*state.heard))];
	bool before = *at == me;

	*at = me;
	return before;
}

static void add_acquire(uint64_t release, bool by_atomic)
{
	const struct event *r = release ? &EVENTS[release - 1] : NULL;

	if (!r || r->fiber == omen.current->id || (by_atomic && heard_before(release)))
		return;
	add((struct event){
	        .kind = EVENT_ACQUIRE, .object = r->object, .value = release, .where = by_atomic ? place() : 0});
}

static void add_signal(int signal)
{
	add((struct event){.kind = EVENT_SIGNAL, .object = (uint64_t)signal, .where = place()});
}

static uint64_t add_access(const struct board_access *a)
{
	struct event e = {.kind = EVENT_ACCESS, .flags = (uint8_t)a->flags, .object = a->address, .value = a->value};

	e.size = a->size < UINT16_MAX ? (uint16_t)a->size : UINT16_MAX;
	e.where = a->site ? a->site : place();
	return add(e);
}

/* The outermost function of the program's own source on the stack; 0: none (a function without calls has no frame). */
static uint64_t began(void)
{
	uint32_t depth = omen_hot->depth <= OMEN_FRAMES ? omen_hot->depth : 0;

	for (uint32_t i = 0; i < depth; i++)
		if (omen_hot->frames[i] && !is_header(omen_hot->frames[i]))
			return (uint64_t)omen_hot->frames[i];
	return 0;
}

/* Adds, before the event of an access, what that event does not say itself: where the fiber came from. */
static void add_from(const struct omen_site *site)
{
	bool header = site && is_header(site);

	if (omen.off || (state.from == omen.current->id + 1 && !header))
		return;
	state.from = omen.current->id + 1;
	uint64_t from = began();
	add((struct event){.kind = EVENT_FROM, .object = from, .where = header || !from ? place_of(header) : 0});
}

/* Makes room: forgets all touches except the last ones. */
static void forget(void)
{
	struct board *b = omen.board;

	settle();
	if (mode_is(TIMELINE) || b->nevents < TOUCHES)
		return;
	memmove(EVENTS, EVENTS + b->nevents - TOUCHES_KEPT, TOUCHES_KEPT * sizeof(*EVENTS));
	b->nevents = TOUCHES_KEPT;
	state.from = 0;
}

static void add_touch(uint64_t address, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	struct board_access a = {.site = (uint64_t)site,
	                         .address = address,
	                         .size = size < UINT16_MAX ? (uint32_t)size : UINT16_MAX,
	                         .flags = flags};
	bool write = flags & (ACCESS_WRITE | ACCESS_FREE);

	if (!write && read_value(address, size, &a.value))
		a.flags |= ACCESS_HAS_VALUE;
	forget();
	add_from(site);
	uint64_t number = add_access(&a);
	if (write && !(flags & ACCESS_FREE))
		state.unsettled = number;
}

/* ---- the observer ---- */

static bool is_lock(enum object_kind kind)
{
	return kind == OBJECT_MUTEX || kind == OBJECT_RWLOCK || kind == OBJECT_SPINLOCK;
}

static void see_taken(const struct op *op)
{
	if (!(op->flags & OP_OK))
		return;
	if (op->object_kind == OBJECT_THREAD)
		add_join(op->object);
	else if (is_lock(op->object_kind))
		add_lock(op->object, op->object_kind == OBJECT_RWLOCK && !(op->flags & OP_SHARED));
}

static void see_thread(const struct op *op)
{
	switch (op->kind) {
	case OP_KIND_RUNS:
		add_run();
		break;
	case OP_KIND_CREATING:
		add_creating();
		break;
	case OP_KIND_CREATED:
		add_create(op->fiber);
		break;
	case OP_KIND_ENDED:
		add_end();
		break;
	case OP_KIND_NAMED:
		add_name(op->fiber, op->object);
		break;
	case OP_KIND_BLOCKS:
		add_wait();
		break;
	case OP_KIND_RESUMES:
		add_resume((enum wait_result)op->value);
		break;
	case OP_KIND_WAKES:
		add_wake(op->fiber);
		break;
	case OP_KIND_SIGNAL:
		add_signal((int)op->value);
		break;
	default:
		break;
	}
}

static uint64_t hear(const struct op *op)
{
	switch (op->kind) {
	case OP_KIND_TOOK:
		see_taken(op);
		return 0;
	case OP_KIND_WAITED:
		add_lock(op->object, false);
		return 0;
	case OP_KIND_GAVE:
		add_unlock(op->object);
		return 0;
	case OP_KIND_SIGNALS:
		add_give(GIVE_SIGNAL, op->object);
		return 0;
	case OP_KIND_BROADCASTS:
		add_give(GIVE_BROADCAST, op->object);
		return 0;
	case OP_KIND_ARRIVES:
		add_give(GIVE_ARRIVAL, op->object);
		return 0;
	case OP_KIND_POSTS:
		add_give(GIVE_POST, op->object);
		return 0;
	case OP_KIND_RELEASE:
		return add_release(op->object, op->flags & OP_ATOMIC);
	case OP_KIND_ACQUIRE:
		add_acquire(op->value, op->flags & OP_ATOMIC);
		return 0;
	case OP_KIND_EXPLAINED:
		return add_access(op->object);
	default:
		see_thread(op);
		return 0;
	}
}

const struct observer timeline_observer = {.name = "timeline", .mode = MODE(TIMELINE), .op = hear, .hears_all = true};

static uint64_t hear_touch(const struct op *op)
{
	add_touch((uint64_t)op->object, op->size, op->flags, op->site);
	return 0;
}

const struct observer touches_observer = {
        .name = "touches", .mode = MODE(COUNT_TOUCHES), .op = hear_touch, .hears = {HEARS(TOUCHED)}};
