/*
 * The state of the program, hashed (docs/design.md, "States").
 *
 * The hash begins at the frame that called sched_point() or sched_access().  This is a frame of the runtime, and
 * nothing of the program lies below it.  These are ordinary calls.  So everything that the program can still use is in
 * the callee-saved registers, or further up on the stack, whatever function the program has called and with which
 * arguments.
 *
 * A syscall is hashed at the place where the program makes it, with its arguments.  At its first point it has either
 * done nothing to memory and fibers yet, or done everything, and the result is known.  What else the frames of the
 * runtime hold (the end of a wait) concerns only time.
 */
#include "rt/fibers/state_hash.h"

#include "rt/core/call.h"

#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#include "rt/core/arch/x86_64/vectors.h"
#include "rt/core/arena.h"
#include "rt/shadow/cells.h"
#include "rt/clock/clock.h"
#include "rt/fibers/above.h"
#include "rt/fibers/fiber.h"
#include "rt/core/regions.h"
#include "rt/core/maps.h"
#include "rt/fibers/sched.h"

#define MAX_REGIONS 1024
#define LIMIT       (256ul << 20) /* if there are more bytes than this, nothing is hashed */
#define MAIN_STACK  (1ul << 20)   /* the main thread's stack has at least this many bytes */
#define TIDY        4096          /* bytes of stack to clear: the frames of the next hook do not reach below them */

static struct {
	struct range region[MAX_REGIONS];
	uint32_t nregions;
	uint64_t total;
} state;

/* ---- hashing ---- */

/* Four independent lanes: about as fast as memory. */
uint64_t state_hash(uint64_t h, uint64_t low, uint64_t high)
{
	uint64_t a = h, b = h + 1, c = h + 2, d = h + 3;
	const uint64_t *p = (const uint64_t *)((low + 7) & ~7ul), *end = (const uint64_t *)(high & ~7ul);

	for (; p + 4 <= end; p += 4) {
		a = (a ^ p[0]) * 0x9e3779b97f4a7c15u;
		b = (b ^ p[1]) * 0xbf58476d1ce4e5b9u;
		c = (c ^ p[2]) * 0x94d049bb133111ebu;
		d = (d ^ p[3]) * 0x9fb21c651e98df25u;
		a ^= a >> 31;
		b ^= b >> 31;
		c ^= c >> 31;
		d ^= d >> 31;
	}
	for (; p < end; p++)
		a = state_mix(a, *p);
	return state_mix(state_mix(a, b), state_mix(c, d));
}

/* ---- which memory counts ---- */

static bool add_region(uint64_t low, uint64_t high)
{
	if (low >= high)
		return true;
	if (state.nregions == MAX_REGIONS)
		return false;
	state.region[state.nregions++] = (struct range){low, high};
	return true;
}

/* Cuts [low, high) out of the regions from `first` on. */
static bool cut(uint32_t first, uint64_t low, uint64_t high)
{
	for (uint32_t i = first; i < state.nregions; i++) {
		struct range r = state.region[i];
		if (low >= r.high || high <= r.low)
			continue;
		state.region[i] = state.region[--state.nregions];
		if (!add_region(r.low, low < r.low ? r.low : low) || !add_region(high > r.high ? r.high : high, r.high))
			return false;
		i = first - 1;
	}
	return true;
}

/*
 * The main thread's stack, as far as the kernel has mapped it.  It is not stored in the fiber: which accesses are
 * points must not depend on whether a state was hashed.
 */
static struct range main_stack;

static struct range stack_of(const struct fiber *f)
{
	return f->id == 0 ? main_stack : (struct range){f->stack_low, f->stack_high};
}

static bool cut_ours(uint32_t first)
{
	const struct range *stack;
	uint32_t n = fiber_stacks(&stack);

	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct range own = stack_of(omen.live[i]);
		if (!own.low || !cut(first, own.low, own.high))
			return false;
	}
	for (uint32_t i = 0; i < n; i++) /* glibc keeps the stacks of ended threads; their contents are dead */
		if (!cut(first, stack[i].low, stack[i].high))
			return false;
	uint64_t low, high;
	for (uint32_t i = 0; cells_range(i, &low, &high); i++)
		if (!cut(first, low, high))
			return false;
	return cut(first, omen.data_low, omen.data_high) && cut(first, OMEN_HOT_ADDRESS, OMEN_HOT_ADDRESS + 4096) &&
	       cut(first, BOARD_ADDRESS, BOARD_ADDRESS + BOARD_MEMORY) &&
	       cut(first, MEMORY_STATES, MEMORY_STATES + MEMORY_STATES_SIZE) &&
	       cut(first, ARENA_ADDRESS, ARENA_ADDRESS + ARENA_SIZE) &&
	       cut(first, SEGMENTS_ADDRESS, SEGMENTS_ADDRESS + SEGMENTS_SIZE);
}

bool state_find_memory(void)
{
	struct mapping m;

	state.nregions = 0;
	state.total = 0;
	if (kernel_shares_memory() || !maps_read()) /* in a replay such memory belongs to this process alone */
		return false;
	while (maps_next(&m)) {
		if (m.shared && m.low != BOARD_ADDRESS) /* another process may write it */
			return false;
		if (m.stack) {
			main_stack = (struct range){m.low, m.high};
		} else if (m.writable && !add_region(m.low, m.high)) {
			return false;
		}
	}
	if (!cut_ours(0))
		return false;
	for (uint32_t i = 0; i < state.nregions; i++)
		state.total += state.region[i].high - state.region[i].low;
	return state.total <= LIMIT;
}

bool state_find_memory_but(const struct fiber *f)
{
	return state_find_memory() && cut(0, f->fs, f->fs + omen.tcb_size);
}

uint64_t state_memory_size(void) { return state.total; }

uint64_t state_memory(void)
{
	uint64_t h = 1;

	for (uint32_t i = 0; i < state.nregions; i++) {
		h = state_mix(state_mix(h, state.region[i].low), state.region[i].high);
		h = state_hash(h, state.region[i].low, state.region[i].high);
	}
	return h;
}

/* ---- registers ---- */

/* Words that are 0 add nothing, so a register that was never used is equal to one that holds 0. */
static uint64_t add_words(uint64_t h, const uint8_t *area, uint32_t at, uint32_t end)
{
	for (; at + 8 <= end; at += 8) {
		uint64_t word;
		memcpy(&word, area + at, 8);
		if (word)
			h += state_mix(state_mix(9, at), word);
	}
	return h;
}

static uint32_t half_at(const uint8_t *area, uint32_t at)
{
	uint16_t half;

	memcpy(&half, area + at, 2);
	return half;
}

/*
 * Of x87 only the registers that hold a value are hashed: the program cannot read an empty one.  The addresses of the
 * last instruction and operand are not hashed: only handlers of x87 exceptions use them, and they may come from any
 * fiber.
 */
static uint64_t add_x87(uint64_t h, const uint8_t *area)
{
	uint32_t status = half_at(area, XSAVE_STATUS), top = status >> 11 & 7;

	h = state_mix(state_mix(h, half_at(area, XSAVE_CONTROL)), status);
	h = state_mix(h, area[XSAVE_TAGS]);
	for (uint32_t i = 0; i < 8; i++) {
		const uint8_t *reg = area + XSAVE_STACK + 16 * i;
		if (area[XSAVE_TAGS] >> (top + i) % 8 & 1)
			h = state_mix(add_words(h, reg, 0, 8), half_at(reg, 8));
	}
	return h;
}

/*
 * Hashes all floating point and vector registers of a trap.  The kernel does not write the gaps between the components.
 */
static uint64_t hash_vectors(uint64_t h, const ucontext_t *at)
{
	const uint8_t *area = (const uint8_t *)at->uc_mcontext.fpregs;
	uint64_t size = signals_vectors_size(at), used = XSAVE_HAS_X87 | XSAVE_HAS_SSE;
	uint32_t mxcsr;

	if (!area)
		return h;
	if (size >= XSAVE_HEADER_END)
		memcpy(&used, area + XSAVE_USED, sizeof(used));
	memcpy(&mxcsr, area + XSAVE_MXCSR, sizeof(mxcsr));
	h = state_mix(h, mxcsr);
	if (used & XSAVE_HAS_X87)
		h = add_x87(h, area);
	else
		h = state_mix(state_mix(state_mix(h, 0x37f), 0), 0);
	if (used & XSAVE_HAS_SSE)
		h = add_words(h, area, XSAVE_XMM, XSAVE_XMM_END);
	for (uint32_t i = 2; i < 63; i++) {
		uint32_t offset = 0, bytes = 0;
		if (used >> i & 1)
			arch_xsave_component(i, &offset, &bytes);
		if (bytes && offset + bytes <= size)
			h = add_words(h, area, offset, offset + bytes);
	}
	return h;
}

/* A syscall keeps all registers except rcx and r11, which the processor overwrites. */
static uint64_t hash_trap(const ucontext_t *at)
{
	const greg_t *regs = at->uc_mcontext.gregs;
	uint64_t h = 5;

	for (int i = REG_R8; i <= REG_EFL; i++)
		if (i != REG_RCX && i != REG_R11)
			h = state_mix(h, (uint64_t)regs[i]);
	return hash_vectors(h, at);
}

/* ---- fibers ---- */

struct search {
	struct stand *stand;
	bool in_runtime; /* search the last frame of the runtime, not the first frame of the program */
	bool within;     /* the frame of the point was seen */
};

static bool is_wanted(struct search *s, struct _Unwind_Context *context)
{
	uint64_t function = _Unwind_GetRegionStart(context), pc = _Unwind_GetIP(context);
	bool was_within = s->within;

	s->within |= function == (uint64_t)sched_point || function == (uint64_t)sched_access;
	return was_within && (s->in_runtime || pc < omen.text_low || pc >= omen.text_high);
}

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *arg)
{
	static const int kept[] = {3, 6, 12, 13, 14, 15}; /* rbx rbp r12 r13 r14 r15 */
	struct search *s = arg;

	if (!is_wanted(s, context))
		return _URC_NO_REASON;
	uint64_t h = state_mix(3, _Unwind_GetIP(context));
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		h = state_mix(h, _Unwind_GetGR(context, kept[i]));
	s->stand->digest = state_mix(h, arch_fp_control());
	s->stand->sp = _Unwind_GetCFA(context);
	s->stand->known = true;
	return _URC_END_OF_STACK;
}

void state_note(struct stand *p)
{
	const struct entry *e = &omen.current->entry;
	bool is_call = e->call && e->where == omen.where;
	struct search s = {.stand = p, .in_runtime = !is_call};

	*p = (struct stand){.noted = true};
	if (is_call && e->call->context) {
		p->digest = state_mix(hash_trap(e->call->context), (uint64_t)e->call->result);
		p->sp = (uint64_t)e->call->context->uc_mcontext.gregs[REG_RSP] - RED_ZONE;
		p->known = true;
		return;
	}
	omen.off |= OFF_INSIDE;
	_Unwind_Backtrace(note_frame, &s);
	omen.off &= ~(uint32_t)OFF_INSIDE;
	if (is_call)
		p->digest = state_hash(p->digest, (uint64_t)e->call->arg, (uint64_t)(e->call->arg + 6));
}

uint64_t state_fiber(uint64_t h, const struct fiber *f, const struct stand *p)
{
	struct range own = stack_of(f);
	uint64_t sp = p->noted ? p->sp : (uint64_t)f->sp;

	h = state_mix(h, f->mask);
	h = state_mix(h, f->pending);
	h = state_mix(h, p->noted ? p->digest : 0);
	if (sp < own.low || sp >= own.high) /* the program made this stack itself: hash all that is known of it */
		sp = own.low;
	return state_hash(h, sp, own.high);
}

/* ---- what the runtime leaves behind ---- */

/* This function's own frame is the memory that it clears. */
static __attribute__((noinline)) void clear_below(void)
{
	uint8_t dead[TIDY];

	memset(dead, 0, sizeof(dead));
	__asm__ volatile("" : : "r"(dead) : "memory");
}

/* Is there enough stack to clear?  A stack that the program made itself may end just below: it is left alone. */
static bool has_room(void)
{
	extern void *__libc_stack_end;
	const struct fiber *f = omen.current;
	uint64_t sp = (uint64_t)__builtin_frame_address(0), high = f->stack_high, low = f->stack_low;

	if (f->id == 0) {
		high = (uint64_t)__libc_stack_end;
		low = high - MAIN_STACK;
	}
	return sp < high && sp > low + 2 * TIDY;
}

void state_tidy(void)
{
	if (has_room())
		clear_below();
	/* a proof changes no execution: assembly may keep something in a vector register where the source has no call
	 */
	if (mode_is(COMPARE))
		arch_forget_vectors();
	arch_forget_registers();
}
