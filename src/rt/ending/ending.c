#include "rt/ending/ending.h"

#include <link.h>
#include <string.h>

#include "rt/core/arch/x86_64/raw.h"
#include "rt/ending/above.h"
#include "rt/core/descriptor_object.h"
#include "rt/core/text.h"
#include "rt/ending/stack.h"
#include "rt/ending/waits.h"

static struct {
	struct board_result spare; /* used instead of the board's when the program runs without the tool */
	const char *abort_message;
	enum ending abort_ending;
	struct {
		uint64_t low, high;
	} library[16]; /* code of system libraries */
	uint32_t nlibraries;
} state;

static const char *const ending_names[] = {
#define X(id, name, failure) name,
        ENDINGS(X)
#undef X
};

static struct board_result *result(void) { return omen.board ? &omen.board->result : &state.spare; }

static struct board_stack *add_stack(struct fiber *f)
{
	struct board_result *r = result();

	if (r->nstacks == BOARD_STACKS)
		return NULL;
	struct board_stack *s = &r->stacks[r->nstacks++];
	struct fiber *h = ending_holder(f);
	s->fiber = f->id;
	s->depth = 0;
	s->waits_for = h ? h->id : BOARD_NOBODY;
	s->in_cycle = ending_in_cycle(f);
	if (f->state == FIBER_BLOCKED)
		ending_describe_wait(s->state, sizeof(s->state), f);
	else
		text_format(s->state, sizeof(s->state), f->started ? "running" : "not started yet");
	return s;
}

static void stack_of_other(struct fiber *f)
{
	struct board_stack *s = add_stack(f);

	if (s && f->started)
		ending_stack_of(f, s);
}

/* If unwinding fails (a call through a wild pointer, a smashed stack), the shadow call stack is still valid. */
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

/* Failures have the same signature if they have the same ending at the same place; deadlocks, if fibers wait at the
 * same places. */
static uint64_t signature(const struct board_result *r)
{
	uint64_t h = mix(r->ending, (uint64_t)r->status);
	uint64_t waits = 0;

	if (r->ending == ENDING_TIMEOUT) /* the place where the time is up is chance */
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

/* A deadlock belongs to a thread of its cycle, not to the last thread that blocked. */
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
		ending_unwind(s);
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

	/* without the tool the parent process sees a signal as usual */
	if (!omen.board && !signal)
		text_say("%s: %s", ending_names[r->ending], r->message);
	if (signal && !mode_is(SERVED))
		signals_die_of(signal);
	execution_over();
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

	invariants_end();
	world_report_outputs();
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

	if (omen.off & OFF_ENDED) { /* the report itself crashed: it stays as it is on the board */
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
	if (cycle && ending_holder(omen.current) == omen.current)
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
	invariants_end();
	notice_leaks();
	world_report_outputs();
	omen.off |= OFF_ENDED;
	r->ending = status ? ENDING_STATUS : ENDING_EXIT;
	r->status = status;
	r->fiber = omen.current->id;
	r->nstacks = r->nmodules = 0;
	counts(r);
	if (status)
		text_format(r->message, sizeof(r->message), "exited with status %d", status);
	if (omen.board && (omen.board->new_races || omen.board->new_notices || omen.board->config.events ||
	                   mode_is(PREDICT) || mode_is(COUNT_SITES)))
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
