#include "rt/ending/ending.h"

#include <link.h>
#include <pthread.h>
#include <string.h>
#include <unwind.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/above.h"
#include "rt/core/descriptor_object.h"
#include "rt/core/pool.h"
#include "rt/core/text.h"

static struct {
	struct board_result spare; /* stands for the board's when the program runs without the tool */
	const char *abort_message;
	enum ending abort_ending;
	struct board_stack *stack; /* ending_dump_stack writes here */
	struct {
		uint64_t low, high;
	} library[16]; /* code that is not the program's own */
	uint32_t nlibraries;
} state;

static const char *const ending_names[] = {
#define X(id, name, failure) name,
        ENDINGS(X)
#undef X
};

static struct board_result *result(void) { return omen.board ? &omen.board->result : &state.spare; }

/* ---- stacks ---- */

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *arg)
{
	struct board_stack *s = arg;

	if (s->depth == sizeof(s->pc) / sizeof(*s->pc))
		return _URC_END_OF_STACK;
	int is_next; /* to be executed; otherwise a call comes back there, and the call itself is meant */
	uint64_t pc = _Unwind_GetIPInfo(context, &is_next);
	if (pc < omen.text_low || pc >= omen.text_high) {
		s->pc[s->depth] = pc - (!s->depth && !is_next);
		s->depth++;
	}
	return _URC_NO_REASON;
}

/* A return address lies where the stack of the code it returns to ends. */
static uint64_t trail_step(uint64_t hash, uint64_t pc) { return (hash ^ pc) * 0x9e3779b97f4a7c15u; }

static void add_to_trail(struct _Unwind_Context *context, struct ending_trail *t)
{
	uint64_t at = _Unwind_GetCFA(context) - 8, pc = _Unwind_GetIP(context);
	uint64_t last = t->n ? t->frame + t->at[t->n - 1] : t->frame;

	if (t->lost || at <= t->frame)
		return;
	t->lost = at <= last || at - t->frame > UINT32_MAX || t->n == sizeof(t->at) / sizeof(*t->at) ||
	          *(const uint64_t *)at != pc;
	if (t->lost)
		return;
	t->at[t->n++] = (uint32_t)(at - t->frame);
	t->hash = trail_step(t->hash, pc);
}

struct trailing {
	struct board_stack *stack;
	struct ending_trail *trail;
};

static _Unwind_Reason_Code add_frame_and_trail(struct _Unwind_Context *context, void *arg)
{
	struct trailing *both = arg;
	_Unwind_Reason_Code code = add_frame(context, both->stack);

	if (code == _URC_NO_REASON)
		add_to_trail(context, both->trail);
	return code;
}

void ending_dump_stack(void)
{
	_Unwind_Backtrace(add_frame, state.stack);
	fiber_switch(omen.dumping);
}

static void take_stack(struct board_stack *s, _Unwind_Trace_Fn add, void *arg)
{
	s->fiber = omen.current->id;
	s->depth = 0;
	omen.off |= OFF_INSIDE; /* the unwinder has a lock */
	_Unwind_Backtrace(add, arg);
	omen.off &= ~(uint32_t)OFF_INSIDE;
}

void ending_stack(struct board_stack *s) { take_stack(s, add_frame, s); }

uint64_t ending_caller(void)
{
	struct board_stack *s = pool_alloc(sizeof(*s)); /* it may be called where the stack is small */

	ending_stack(s);
	uint64_t pc = s->depth ? s->pc[0] : 0;
	pool_free(s, sizeof(*s));
	return pc;
}

void ending_stack_with_trail(struct board_stack *s, struct ending_trail *t, const void *frame)
{
	*t = (struct ending_trail){.frame = (uint64_t)frame};
	take_stack(s, add_frame_and_trail, &(struct trailing){s, t});
}

bool ending_is_on_trail(const struct ending_trail *t, const void *frame)
{
	uint64_t hash = 0;

	if (t->lost || !t->n || t->frame != (uint64_t)frame)
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		hash = trail_step(hash, *(const uint64_t *)(t->frame + t->at[i]));
	return hash == t->hash;
}

static const char *const object_name[] = {
        [OBJECT_NONE] = "",
        [OBJECT_MUTEX] = "mutex",
        [OBJECT_RWLOCK] = "rwlock",
        [OBJECT_COND] = "condition",
        [OBJECT_BARRIER] = "barrier",
        [OBJECT_SEMAPHORE] = "semaphore",
        [OBJECT_SPINLOCK] = "spin lock",
        [OBJECT_ONCE] = "once",
        [OBJECT_THREAD] = "the end of thread",
};

const char *ending_object_name(enum object_kind kind) { return object_name[kind]; }

/* The mutex `f` waits for, if it is one: of a condition wait only when that takes its mutex again. */
static const void *waited_mutex(const struct fiber *f)
{
	if (f->object_kind == OBJECT_MUTEX)
		return f->wait.key == f->object ? f->object : NULL;
	return f->object_kind == OBJECT_COND && f->wait.key == f->mutex ? f->mutex : NULL;
}

/* The fiber that has what `f` waits for, if that is known: glibc's locks name their owner by thread id. */
static struct fiber *holder(const struct fiber *f)
{
	uint64_t within = (uint64_t)f->wait.key - (uint64_t)f->object;

	if (f->state != FIBER_BLOCKED || f->wait.deadline != NEVER || !f->wait.key)
		return NULL;
	const pthread_mutex_t *m = waited_mutex(f);
	if (m)
		return fiber_by_tid((uint32_t)m->__data.__owner);
	switch (f->object_kind) {
	case OBJECT_RWLOCK: {
		const pthread_rwlock_t *l = f->object;
		if (within >= sizeof(*l) || !l->__data.__cur_writer)
			return NULL;
		return fiber_by_tid((uint32_t)l->__data.__cur_writer);
	}
	case OBJECT_THREAD:
		if (within >= 4096) /* not the word of the thread's id: it waits for something else */
			return NULL;
		for (uint32_t i = 0; i < omen.nlive; i++)
			if (omen.live[i]->fs == (uint64_t)f->object)
				return omen.live[i];
		return NULL;
	default:
		return NULL;
	}
}

static bool in_cycle(struct fiber *f)
{
	struct fiber *at = holder(f);

	for (uint32_t steps = 0; at && steps < omen.nlive; steps++, at = holder(at))
		if (at == f)
			return true;
	return false;
}

bool ending_has_cycle(void)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (in_cycle(omen.live[i]))
			return true;
	return false;
}

static void describe_wait(char *buf, size_t size, const struct fiber *f)
{
	static const char *const kind[] = {
	        [WAIT_KEY] = "a futex",
	        [WAIT_FDS] = "input or output",
	        [WAIT_SIGNAL] = "a signal",
	        [WAIT_CHILD] = "a child process",
	        [WAIT_SHARED] = "a futex shared with other processes",
	};
	const struct fiber *h = holder(f);
	const void *m = waited_mutex(f);

	if (m && h)
		text_format(buf, size, "waits for mutex %p held by T%u", m, h->id);
	else if (m && ((const pthread_mutex_t *)m)->__data.__owner)
		text_format(buf, size, "waits for mutex %p held by a thread that has ended", m);
	else if (f->object_kind == OBJECT_THREAD && h)
		text_format(buf, size, "waits for the end of T%u", h->id);
	else if (f->object_kind != OBJECT_NONE && h)
		text_format(buf, size, "waits for %s %p held by T%u", object_name[f->object_kind], f->object, h->id);
	else if (f->object_kind != OBJECT_NONE)
		text_format(buf, size, "waits for %s %p", object_name[f->object_kind], f->object);
	else if (f->wait.key)
		text_format(buf, size, "waits for %s %p", kind[f->wait.kind], f->wait.key);
	else
		text_format(buf, size, "waits for %s", kind[f->wait.kind]);
}

static struct board_stack *add_stack(struct fiber *f)
{
	struct board_result *r = result();

	if (r->nstacks == BOARD_STACKS)
		return NULL;
	struct board_stack *s = &r->stacks[r->nstacks++];
	struct fiber *h = holder(f);
	s->fiber = f->id;
	s->depth = 0;
	s->waits_for = h ? h->id : BOARD_NOBODY;
	s->in_cycle = in_cycle(f);
	if (f->state == FIBER_BLOCKED)
		describe_wait(s->state, sizeof(s->state), f);
	else
		text_format(s->state, sizeof(s->state), f->started ? "running" : "not started yet");
	return s;
}

static void stack_of_other(struct fiber *f)
{
	struct board_stack *s = add_stack(f);

	if (!s || !f->started)
		return;
	state.stack = s;
	omen.dumping = omen.current;
	fiber_switch(f);
	omen.dumping = NULL;
}

/* Where unwinding finds nothing (a call through a wild pointer, a smashed stack) the shadow call stack still stands. */
static void shadow_stack(struct board_stack *s)
{
	uint32_t depth = omen_hot->depth;

	s->depth = 0;
	for (uint32_t i = 0; i < depth && i < OMEN_FRAMES && s->depth < sizeof(s->pc) / sizeof(*s->pc); i++)
		s->pc[s->depth++] = (uint64_t)omen_hot->frames[(depth - 1 - i) % OMEN_FRAMES];
	result()->stack_is_shadow = s->depth != 0;
}

/* ---- modules and signatures ---- */

static const char *const library_names[] = {"/libc.so", "/libomen.so", "/ld-linux",   "/libstdc++", "/libgomp",
                                            "/libm.so", "/libgcc_s",   "/libpthread", "/libatomic"};

bool ending_is_library(const char *path)
{
	for (size_t i = 0; i < sizeof(library_names) / sizeof(*library_names); i++)
		if (strstr(path, library_names[i]))
			return true;
	return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct board_result *r = result();
	struct board_module *m = &r->modules[r->nmodules];
	(void)size;
	(void)arg;

	if (r->nmodules == BOARD_MODULES)
		return 1;
	m->base = info->dlpi_addr;
	m->start = UINT64_MAX;
	m->end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD)
			continue;
		m->start = low < m->start ? low : m->start;
		m->end = low + p->p_memsz > m->end ? low + p->p_memsz : m->end;
	}
	if (info->dlpi_name[0])
		text_format(m->path, sizeof(m->path), "%s", info->dlpi_name);
	else {
		long n = raw3(SYS_readlink, "/proc/self/exe", m->path, sizeof(m->path) - 1);
		m->path[n > 0 ? n : 0] = 0;
	}
	if (ending_is_library(m->path) && state.nlibraries < sizeof(state.library) / sizeof(*state.library)) {
		state.library[state.nlibraries].low = m->start;
		state.library[state.nlibraries++].high = m->end;
	}
	r->nmodules++;
	return 0;
}

static uint64_t own_frame(const struct board_stack *s)
{
	for (uint32_t i = 0; i < s->depth; i++) {
		bool foreign = false;
		for (uint32_t k = 0; k < state.nlibraries; k++)
			foreign |= s->pc[i] >= state.library[k].low && s->pc[i] < state.library[k].high;
		if (!foreign)
			return s->pc[i];
	}
	return 0;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9fb21c651e98df25u;
	return h ^ h >> 29;
}

/* The same failure in another execution: same ending at the same place; for deadlocks, the same places waited at. */
static uint64_t signature(const struct board_result *r)
{
	uint64_t h = mix(r->ending, (uint64_t)r->status);
	uint64_t waits = 0;

	if (r->ending == ENDING_TIMEOUT) /* where the time runs out is chance */
		return h;
	if (r->ending != ENDING_DEADLOCK)
		return r->nstacks ? mix(h, own_frame(&r->stacks[0])) : h;
	bool cycle = false;
	for (uint32_t i = 0; i < r->nstacks; i++)
		cycle |= r->stacks[i].in_cycle;
	for (uint32_t i = 0; i < r->nstacks; i++)
		if (!cycle || r->stacks[i].in_cycle)
			waits += mix(7, own_frame(&r->stacks[i]));
	return mix(h, waits);
}

/* ---- the end ---- */

static void counts(struct board_result *r)
{
	r->descriptors = (uint64_t)omen_descriptor;
	r->points = omen.points;
	r->unseen = omen.unseen;
	r->event_hash = omen.events;
	r->switches = omen.switches;
	r->preemptions = omen.preemptions;
	r->threads = omen.threads_made + 1;
}

/* A deadlock is its cycle's, not the last thread's that happened to block. */
static void cycle_first(struct board_result *r)
{
	for (uint32_t i = 0; i < r->nstacks; i++)
		if (r->stacks[i].in_cycle) {
			struct board_stack first = r->stacks[i];
			r->stacks[i] = r->stacks[0];
			r->stacks[0] = first;
			r->fiber = first.fiber;
			return;
		}
}

static void collect(enum ending ending)
{
	struct board_result *r = result();

	omen.off |= OFF_ENDED;
	r->ending = ending;
	r->fiber = omen.current->id;
	r->nstacks = r->nmodules = r->stack_is_shadow = 0;
	counts(r);
	dl_iterate_phdr(add_module, NULL);
	if (omen.current->state != FIBER_DONE) {
		struct board_stack *s = add_stack(omen.current);
		_Unwind_Backtrace(add_frame, s);
		if (s->depth < 2 && omen_hot->depth)
			shadow_stack(s);
	}
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i] != omen.current)
			stack_of_other(omen.live[i]);
	if (ending == ENDING_DEADLOCK)
		cycle_first(r);
	r->signature = signature(r);
}

static void __attribute__((noreturn)) leave(int signal)
{
	struct board_result *r = result();

	/* without the tool a signal is the caller's to see, as ever */
	if (!omen.board && !signal)
		text_say("%s: %s", ending_names[r->ending], r->message);
	if (signal && !mode_is(SERVED))
		signals_die_of(signal);
	raw1(SYS_exit_group, 66);
	__builtin_unreachable();
}

void ending_fail(enum ending ending, const char *format, ...)
{
	struct board_result *r = result();
	va_list args;

	va_start(args, format);
	text_vformat(r->message, sizeof(r->message), format, args);
	va_end(args);
	collect(ending);
	leave(0);
}

void ending_fail_at(const struct board_stack *at, enum ending ending, const char *format, ...)
{
	struct board_result *r = result();
	va_list args;

	va_start(args, format);
	text_vformat(r->message, sizeof(r->message), format, args);
	va_end(args);
	collect(ending);
	if (r->nstacks && at->depth) {
		r->stacks[0].depth = at->depth;
		memcpy(r->stacks[0].pc, at->pc, sizeof(at->pc));
		r->stack_is_shadow = 0;
		r->signature = signature(r);
	}
	leave(0);
}

void ending_ended(bool at_work)
{
	struct board_result *r = result();

	guard_end();
	world_given();
	r->status = at_work;
	text_format(r->message, sizeof(r->message), "the recorded part ends here, at point %lu", omen.points);
	collect(ENDING_ENDED);
	leave(0);
}

void ending_cut(void) { ending_fail(ENDING_CUT, "the recording ends here, at point %lu", omen.points); }

void ending_explain_abort(enum ending ending, const char *message)
{
	state.abort_ending = ending;
	text_format(result()->message, sizeof(result()->message), "%s", message);
	state.abort_message = result()->message;
}

void ending_crash(int signal, const char *what, uint64_t address)
{
	struct board_result *r = result();
	enum ending ending = ENDING_CRASH;

	if (omen.off & OFF_ENDED) { /* the report itself crashed: what stands on the board so far is all there is */
		if (r->ending == ENDING_CRASH || !mode_is(SERVED))
			signals_die_of(signal);
		leave(0);
	}
	r->status = signal;
	r->fault_address = address;
	if (signal == SIGABRT && state.abort_message)
		ending = state.abort_ending;
	else
		text_format(r->message, sizeof(r->message), "%s", what);
	collect(ending);
	leave(signal);
}

void ending_deadlock(void)
{
	struct board_result *r = result();
	bool cycle = ending_has_cycle();

	const char *why = cycle                ? "some wait for each other in a cycle"
	                  : signals_expected() ? "nothing but a signal from outside can wake one"
	                                       : "nothing can wake one";
	if (cycle && holder(omen.current) == omen.current)
		text_format(r->message, sizeof(r->message), "a thread waits for what it holds itself");
	else if (omen.nlive == 1)
		text_format(r->message, sizeof(r->message), "the only thread waits and %s", why);
	else
		text_format(r->message, sizeof(r->message), "all %u threads wait and %s", omen.nlive, why);
	collect(ENDING_DEADLOCK);
	leave(0);
}

void ending_exit(int status)
{
	struct board_result *r = result();

	if (omen.off & OFF_ENDED)
		return;
	guard_end();
	notice_leaks();
	world_given();
	omen.off |= OFF_ENDED;
	r->ending = status ? ENDING_STATUS : ENDING_EXIT;
	r->status = status;
	r->fiber = omen.current->id;
	r->nstacks = r->nmodules = 0;
	counts(r);
	if (status)
		text_format(r->message, sizeof(r->message), "exited with status %d", status);
	if (omen.board &&
	    (omen.board->new_races || omen.board->new_notices || omen.board->config.events || mode_is(PREDICT)))
		dl_iterate_phdr(add_module, NULL);
	r->signature = signature(r);
}

void ending_omen_failed(const char *format, va_list args)
{
	struct board_result *r = result();

	omen.off |= OFF_ENDED;
	r->ending = ENDING_OMEN;
	text_vformat(r->message, sizeof(r->message), format, args);
}
