/*
 * What the hashes contain besides the program's memory:
 *
 * - Fibers: whether they can run, what they wait for, their signals, and what the kernel knows of them.
 * - The heap: the memory checks know facts about it that the program's memory does not show (how many bytes were asked
 *   for, which freed blocks are kept).  So each fiber has a hash of what it allocated and freed since the beginning.
 * - The world (files, pipes, timers, handlers) is not hashed.  Both executions begin with the same world, and it stays
 *   the same as long as they make the same calls in the same order.  If the calls differ, the worlds may still be
 *   equal, but that is unknown.  It is also unknown after calls whose arguments this file does not understand.
 *
 * The clock is not hashed: how much time has passed depends on the schedule.  So does which fiber has waited longest.
 */
#include "rt/observe/compare_orders.h"

#include <string.h>
#include <sys/syscall.h>

#include "abi/syscall_names.h"
#include "rt/kernel/kernel.h"
#include "rt/kernel/signals.h"
#include "rt/world/world.h"
#include "rt/fibers/endless_loop.h"
#include "rt/fibers/state_hash.h"

/* What the effect of a syscall on the world depends on, besides the syscall's result. */
enum input {
	NOT_KNOWN,
	NO_EFFECT,  /* it does nothing to the world: memory or the fibers show its effect, or it concerns time */
	OWN_MEMORY, /* it changes which memory is mapped, and only the addresses decide that */
	ARGUMENTS,  /* its arguments: it writes what they point to, or reads only where to write */
	SENT_BYTES, /* its arguments, and the bytes that it sends */
	PATH_0,     /* its arguments, and the file name that argument 0 points to */
	PATH_1,     /* the same, argument 1 */
};

/* clang-format off */
static const struct {
	uint8_t input, count; /* number of arguments */
} calls[SYSCALLS_MAX] = {
#define CALL(name, ...) [SYS_##name] = {__VA_ARGS__},
#define DEPENDS(on, n)  on, n
#include "rt/kernel/syscalls.h"
};
/* clang-format on */

static struct {
	bool unclear;   /* something was done that this file does not understand */
	uint64_t calls; /* a hash of all syscalls made, in their order */
} state;

void compare_begin(void)
{
	mode_set(COMPARE, true);
	state.unclear = false;
	state.calls = 0;
	for (uint32_t i = 0; i < omen.nlive; i++)
		memset(&omen.live[i]->compared, 0, sizeof(omen.live[i]->compared));
}

void compare_end(void) { mode_set(COMPARE, false); }

void compare_here(void)
{
	struct fiber *f = omen.current;

	state_note(&f->compared.stand);
	/* a syscall that reaches a second point may have done something already */
	state.unclear |= !f->compared.stand.known || (f->compared.began && omen.points > f->compared.began);
}

/* ---- what fibers do meanwhile ---- */

static enum input input_of(const struct call *c)
{
	return c->nr >= 0 && c->nr < SYSCALLS_MAX ? (enum input)calls[c->nr].input : NOT_KNOWN;
}

static void add(uint64_t v) { state.calls = state_mix(state.calls, v); }

static void add_name(const char *name)
{
	if (!name)
		state.unclear = true;
	for (; name && *name; name++)
		add((uint8_t)*name);
}

static void see_call(const struct call *c)
{
	if (input_of(c) != NO_EFFECT)
		omen.current->compared.began = omen.points + 1;
}

static void see_block(const void *block, uint64_t size)
{
	uint64_t *deeds = &omen.current->compared.deeds;

	*deeds = state_mix(state_mix(*deeds, (uint64_t)block), size);
}

static void see_result(const struct call *c, long result)
{
	enum input input = input_of(c);

	omen.current->compared.began = 0;
	if (input == NO_EFFECT)
		return;
	if (input == NOT_KNOWN) {
		state.unclear = true;
		return;
	}
	uint64_t h = state_mix(state_mix(omen.current->id, (uint64_t)c->nr), (uint64_t)result);
	for (uint32_t i = 0; i < calls[c->nr].count; i++)
		h = state_mix(h, (uint64_t)c->arg[i]);
	if (input == OWN_MEMORY) {
		see_block(NULL, h);
		return;
	}
	add(h);
	if (input == PATH_0 || input == PATH_1)
		add_name((const char *)c->arg[input == PATH_1]);
	if (input == SENT_BYTES)
		add(world_sent_hash(c->nr, c->arg, result));
}

/* ---- the state ---- */

/* Is the fiber within a syscall that may have done a part of its work? */
static bool is_halfway(const struct fiber *f) { return f->compared.began && !f->compared.stand.noted; }

static uint64_t hash_kernel(uint64_t h, const struct fiber *f)
{
	const struct wait *w = &f->wait;
	const uint64_t known[] = {f->id,
	                          f->state,
	                          w->kind,
	                          (uint64_t)w->key,
	                          w->bits,
	                          w->value,
	                          w->result,
	                          w->uninterruptible,
	                          w->deadline == NEVER,
	                          (uint64_t)f->clear_tid,
	                          (uint64_t)f->robust_list,
	                          (uint64_t)f->altstack.ss_sp,
	                          f->altstack.ss_size,
	                          f->compared.deeds};

	return state_hash(h, (uint64_t)known, (uint64_t)(known + sizeof(known) / sizeof(*known)));
}

uint64_t compare_state(uint64_t *world)
{
	if (mode_is(LOOP_PROOF) || mode_is(WEAK) || state.unclear || !state_find_memory())
		return 0;
	uint64_t h = state_mix(state_mix(state_memory(), omen.next_id), signals_waiting());
	*world = state.calls;
	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		if (is_halfway(f))
			return 0;
		h = state_fiber(hash_kernel(h, f), f, &f->compared.stand);
		*world = state_mix(*world, (uint64_t)f->wait.deadline);
	}
	return h | 1;
}

/* ---- the observer ---- */

static uint64_t hear(const struct op *op)
{
	switch (op->kind) {
	case OP_KIND_SYSCALL:
		see_call(op->object);
		break;
	case OP_KIND_SYSCALL_OVER:
		see_result(op->object, (long)op->value);
		break;
	case OP_KIND_HEAP:
		see_block(op->object, op->size);
		break;
	case OP_KIND_IDLED:
		add(omen.current->id);
		break;
	default:
		break;
	}
	return 0;
}

const struct observer compare_observer = {.name = "compare",
                                          .mode = MODE(COMPARE),
                                          .op = hear,
                                          .hears = {HEARS(SYSCALL), HEARS(SYSCALL_OVER), HEARS(HEAP), HEARS(IDLED)}};
