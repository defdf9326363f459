/*
 * A fiber is a thread without the kernel's part: a stack, a TLS base, a shadow call stack.  glibc's own pthread_create
 * lays out the first two; the runtime only answers its clone syscall.
 */
#include "rt/fibers/fiber.h"

#include "rt/core/op.h"

#include <dlfcn.h>
#include <string.h>

#include "rt/core/arena.h"
#include "rt/clock/clock.h"
#include "rt/ending/ending.h"
#include "rt/order/happens_before.h"
#include "rt/fibers/state_hash.h"
#include "rt/core/text.h"

void arch_switch(struct fiber *from, struct fiber *to);
void arch_start(void);

void fiber_runnable(struct fiber *f)
{
	f->state = FIBER_RUNNABLE;
	f->run_index = omen.nrunnable;
	omen.runnable[omen.nrunnable++] = f;
}

static struct fiber *recycled; /* ended fibers, linked through `object` */

static struct fiber *fiber_struct(void)
{
	struct fiber *f = recycled;

	if (!f) {
		f = arena_alloc(sizeof(*f));
		f->frames = arena_alloc(OMEN_FRAMES * sizeof(*f->frames));
		return f;
	}
	const struct omen_site **frames = f->frames;
	recycled = (struct fiber *)f->object;
	memset(f, 0, sizeof(*f));
	f->frames = frames;
	return f;
}

static struct fiber *add(void)
{
	struct fiber *f = fiber_struct();

	f->id = omen.next_id++;
	f->tid = f->id ? omen.tids + f->id : omen.pid;
	f->wait.deadline = NEVER;
	f->budget = omen.loop_budget;
	f->live_index = omen.nlive;
	omen.live[omen.nlive++] = f;
	clock_fiber_begins(f);
	fiber_runnable(f);
	return f;
}

/* The word where glibc keeps the thread's id.  glibc publishes its offset for debuggers. */
static int *tid_word(const struct fiber *f)
{
	const uint32_t *field = dlsym(RTLD_DEFAULT, "_thread_db_pthread_tid"); /* size, count, offset */

	if (!field)
		text_die("the C library does not say where it keeps a thread's id");
	return (int *)(f->fs + field[2]);
}

void fiber_adopt_main(void)
{
	const uint32_t *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
	struct fiber *f = add();

	omen.tcb_size = size ? *size : 0;
	f->started = true;
	f->fs = __builtin_ia32_rdfsbase64();
	omen.current = f;
	f->clear_tid = tid_word(f);
	*f->clear_tid = (int)f->tid;
	omen_hot->frames = f->frames;
	omen_hot->budget = omen.loop_budget;
}

void *fiber_lay_registers(const ucontext_t *at, void *stack)
{
	static const int order[] = {REG_R15, REG_R14, REG_R13, REG_R12, REG_R11, REG_R10, REG_R9,
	                            REG_R8,  REG_RDI, REG_RSI, REG_RBP, REG_RBX, REG_RDX, REG_RCX};
	const greg_t *regs = at->uc_mcontext.gregs;
	uint64_t *p = stack;

	*--p = (uint64_t)regs[REG_RIP];
	*--p = 0; /* rax: the result of clone in the child */
	for (int i = sizeof(order) / sizeof(*order) - 1; i >= 0; i--)
		*--p = (uint64_t)regs[order[i]];
	return p;
}

/* The creator's control words and raised exceptions, of vector registers and x87, in the form arch_switch saves. */
static uint64_t float_environment(const ucontext_t *at)
{
	const struct _libc_fpstate *fp = at->uc_mcontext.fpregs;

	if (!fp)
		return (uint64_t)0x037f << 32 | 0x1f80; /* the values at the start of a program */
	return fp->mxcsr | (uint64_t)fp->cwd << 32 | (uint64_t)(fp->swd & 0x3f) << 48;
}

struct fiber *fiber_new(const ucontext_t *at, void *stack, uint64_t tls)
{
	if (omen.nlive == MAX_FIBERS)
		return NULL;
	struct fiber *f = add();
	uint64_t *p = fiber_lay_registers(at, stack);

	*--p = (uint64_t)arch_start;
	p -= 6; /* arch_switch pops six callee-saved registers, whose values do not matter here */
	*--p = float_environment(at);
	f->sp = p;
	f->fs = tls;
	f->creator = omen.current->id;
	omen.threads_made++;
	OP(MADE, .fiber = f);
	return f;
}

void fiber_not_runnable(struct fiber *f, int state)
{
	struct fiber *last = omen.runnable[--omen.nrunnable];

	omen.runnable[f->run_index] = last;
	last->run_index = f->run_index;
	f->state = state;
}

static void drop(struct fiber *f)
{
	if (f->state == FIBER_RUNNABLE)
		fiber_not_runnable(f, FIBER_DONE);
	/* `live` stays sorted by id: reports and round robin rely on it */
	for (uint32_t i = f->live_index + 1; i < omen.nlive; i++) {
		omen.live[i - 1] = omen.live[i];
		omen.live[i - 1]->live_index = i - 1;
	}
	omen.nlive--;
	f->state = FIBER_DONE;
}

void fiber_end(struct fiber *f)
{
	drop(f);
	omen.fibers_ended = true;
	order_ended(f);
	OP(ENDED);
	clock_fiber_ends(f);
	f->object = recycled;
	recycled = f;
}

void fiber_forget_ended(void)
{
	omen.next_id = omen.live[omen.nlive - 1]->id + 1;
	omen.threads_made = omen.nlive - 1;
}

void fiber_keep_only_current(void)
{
	for (uint32_t i = omen.nlive; i-- > 0;)
		if (omen.live[i] != omen.current)
			fiber_end(omen.live[i]);
}

static struct {
	struct range range[MAX_FIBERS];
	uint32_t n;
} stacks;

void fiber_set_stack(struct fiber *f, uint64_t low, uint64_t high)
{
	f->stack_low = low;
	f->stack_high = high;
	/* the end of the mapping, which glibc uses for itself, counts as memory */
	for (uint32_t i = 0; i < stacks.n; i++)
		if (low >= stacks.range[i].low && high <= stacks.range[i].high)
			stacks.range[i].high = high;
}

void fiber_stack_mapped(uint64_t low, uint64_t high)
{
	if (stacks.n < MAX_FIBERS)
		stacks.range[stacks.n++] = (struct range){low, high};
}

void fiber_forget_stacks(uint64_t low, uint64_t high)
{
	for (uint32_t i = 0; i < stacks.n;)
		if (low < stacks.range[i].high && stacks.range[i].low < high)
			stacks.range[i] = stacks.range[--stacks.n];
		else
			i++;
}

uint32_t fiber_stacks(const struct range **out)
{
	*out = stacks.range;
	return stacks.n;
}

void fiber_switch(struct fiber *to)
{
	struct fiber *from = omen.current;

	from->depth = omen_hot->depth;
	from->budget = omen_hot->budget;
	from->branched = omen_hot->branched;
	from->let_out = omen_hot->let_out;
	int32_t most = omen.loop_budget << omen.stretch;
	omen_hot->budget = to->budget < most ? to->budget : most;
	omen_hot->depth = to->depth;
	omen_hot->frames = to->frames;
	omen_hot->branched = to->branched;
	omen_hot->let_out = to->let_out;
	to->started = true;
	omen.current = to;
	OP(RUNS);
	clock_stamp();
	if (unlikely(mode_any(MODES_WITH_STATES))) /* a new fiber inherits these registers */
		state_tidy();
	arch_switch(from, to);
	if (unlikely(omen.dumping && omen.dumping != omen.current))
		ending_dump_stack();
}
