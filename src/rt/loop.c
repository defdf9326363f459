/*
 * An execution is endless if its state repeats.
 *
 * When an execution has gone on for long, a proof is tried: the fibers take turns, and at every point the registers of
 * the fiber, the stacks of all fibers and the rest of the writable memory are hashed.  If the memory outside the stacks
 * never changes, nothing reaches the outside, and the whole state comes back after each fiber that can run (or sleeps
 * for a time) has had its turn, then every one of them repeats the same loop: the others only ever see what they have
 * seen already, so no other schedule gets out either.
 *
 * As long as registers and stacks do not repeat themselves the rest of memory is not hashed: a thread that computes
 * costs little.
 *
 * What makes a repetition go unseen (a dead register that changes, more memory than LIMIT) costs the proof, not the
 * truth.
 */
#include "rt/loop.h"

#include <fcntl.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#include "rt/arch/x86_64/raw.h"
#include "rt/arena.h"
#include "rt/cells.h"
#include "rt/clock.h"
#include "rt/direct.h"
#include "rt/ending.h"
#include "rt/env/env.h"
#include "rt/env/signals.h"
#include "rt/fiber.h"
#include "rt/guard.h"
#include "rt/init.h"
#include "rt/maps.h"
#include "rt/steps.h"
#include "rt/strategy/strategies.h"

#define FIRST_EFFORT 20000
#define LOOP_EFFORT  50   /* a used-up loop budget stands for many iterations, a stretched one for more */
#define STUCK_EFFORT 1000 /* all are known to repeat themselves */
#define HISTORY      1024
#define MAX_REGIONS  1024
#define LIMIT        (256ul << 20) /* bytes hashed for one attempt, about; and bytes that count, at most */
#define FEWEST       32

static struct {
	uint64_t effort, threshold;
	bool active;
	bool scouting;     /* only registers and stacks are looked at so far */
	uint64_t progress; /* omen.progress when the history began */
	uint64_t shared;   /* hash of the memory outside the stacks */
	uint64_t history[HISTORY];
	uint32_t n;
	uint64_t most;    /* entries that this attempt may take */
	uint32_t changes; /* how often the history had to begin anew */
	struct range region[MAX_REGIONS];
	uint32_t nregions;
} state;

/* ---- hashing ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9fb21c651e98df25u;
	return h ^ h >> 32;
}

/* Four independent lanes: about as fast as memory. */
static uint64_t hash_range(uint64_t h, uint64_t low, uint64_t high)
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
		a = mix(a, *p);
	return mix(mix(a, b), mix(c, d));
}

uint64_t loop_hash(uint64_t h, uint64_t low, uint64_t high) { return hash_range(h, low, high); }

/* ---- what memory counts ---- */

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
 * Of the main thread's stack, what the kernel has given it so far.  That is no business of the fiber's: which accesses
 * are points must not depend on whether anybody has looked here.
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
	for (uint32_t i = 0; i < n; i++) /* glibc keeps the stacks of ended threads; what is on them is nobody's */
		if (!cut(first, stack[i].low, stack[i].high))
			return false;
	uint64_t low, high;
	for (uint32_t i = 0; cells_range(i, &low, &high); i++)
		if (!cut(first, low, high))
			return false;
	return cut(first, omen.data_low, omen.data_high) && cut(first, OMEN_HOT_ADDRESS, OMEN_HOT_ADDRESS + 4096) &&
	       cut(first, BOARD_ADDRESS, BOARD_ADDRESS + BOARD_MEMORY) && cut(first, GUARD, GUARD + GUARD_SIZE) &&
	       cut(first, ARENA_ADDRESS, ARENA_ADDRESS + ARENA_SIZE) &&
	       cut(first, SEGMENTS_ADDRESS, SEGMENTS_ADDRESS + SEGMENTS_SIZE);
}

static bool find_regions(void)
{
	uint64_t total = 0;
	struct mapping m;

	state.nregions = 0;
	if (env_shares() || !maps_read()) /* (in a replay it is the process's own) */
		return false;
	while (maps_next(&m)) {
		if (m.shared && m.low != BOARD_ADDRESS) /* others may write it */
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
		total += state.region[i].high - state.region[i].low;
	state.most = total ? LIMIT / total : HISTORY;
	if (state.most > HISTORY)
		state.most = HISTORY;
	if (state.most < FEWEST)
		state.most = FEWEST;
	return total <= LIMIT;
}

static uint64_t hash_shared(void)
{
	uint64_t h = 1;

	for (uint32_t i = 0; i < state.nregions; i++)
		h = hash_range(h, state.region[i].low, state.region[i].high);
	return h;
}

/* ---- the state of a fiber ---- */

static _Unwind_Reason_Code program_frame(struct _Unwind_Context *context, void *arg)
{
	static const int callee_saved[] = {3, 6, 12, 13, 14, 15}; /* rbx rbp r12 r13 r14 r15 */
	struct fiber *f = arg;
	uint64_t pc = _Unwind_GetIP(context);

	if (pc >= omen.text_low && pc < omen.text_high)
		return _URC_NO_REASON;
	f->loop.digest = mix(3, pc);
	for (size_t i = 0; i < sizeof(callee_saved) / sizeof(*callee_saved); i++)
		f->loop.digest = mix(f->loop.digest, _Unwind_GetGR(context, callee_saved[i]));
	f->loop.sp = _Unwind_GetCFA(context);
	return _URC_END_OF_STACK;
}

static void note_registers(struct fiber *f)
{
	if (!f->entry.registers || f->entry.where != omen.where) {
		omen.off |= OFF_INSIDE;
		_Unwind_Backtrace(program_frame, f);
		omen.off &= ~(uint32_t)OFF_INSIDE;
		return;
	}
	uint64_t low = (uint64_t)f->entry.registers;
	f->loop.digest = hash_range(5, low, low + f->entry.size);
	if (f->entry.vectors)
		f->loop.digest = hash_range(f->loop.digest, (uint64_t)f->entry.vectors,
		                            (uint64_t)f->entry.vectors + f->entry.vectors_size);
	f->loop.sp = f->entry.sp;
}

/* Blocked for good, unless one of the others does something. */
static bool out_of_play(const struct fiber *f) { return f->state == FIBER_BLOCKED && f->wait.deadline == NEVER; }

static uint64_t hash_all(void)
{
	uint64_t h = state.shared;

	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		h = mix(h, f->id * 2 + out_of_play(f));
		h = mix(h, (uint64_t)f->wait.key);
		h = mix(h, f->loop.digest);
		/* who has had no turn stands where it was switched away from; a stack of its own making counts whole */
		uint64_t sp = f->loop.last ? f->loop.sp : (uint64_t)f->sp;
		struct range own = stack_of(f);
		if (sp < own.low || sp >= own.high)
			sp = own.low;
		h = hash_range(h, sp, own.high);
	}
	return h;
}

/* ---- the proof ---- */

static void give_up(void)
{
	state.active = false;
	omen_threads_changed(); /* the hooks rest again */
	state.effort = 0;
	state.threshold *= 4; /* so that all attempts together cost little beside the execution */
}

static void begin_history(void)
{
	state.shared = state.scouting ? 0 : hash_shared();
	state.progress = omen.progress;
	state.n = 0;
	for (uint32_t i = 0; i < omen.nlive; i++) {
		omen.live[i]->loop.last = 0;
		omen.live[i]->loop.digest = 0;
	}
}

static bool world_may_act(void)
{
	if (omen.children || env_timers_armed() || (signals_expected() && !env_alone()))
		return true;
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind != WAIT_KEY)
			return true;
	return false;
}

static bool begin(void)
{
	if (world_may_act() || !find_regions())
		return false;
	state.active = state.scouting = true;
	state.changes = 0;
	omen_threads_changed(); /* what is written between two points and put back before the second must not go unseen
	                         */
	begin_history();
	return true;
}

/* Has each come to a point again after the one of history[i]?  The fiber that made that entry must come by once more.
 */
static bool all_had_turn_since(uint32_t i)
{
	for (uint32_t k = 0; k < omen.nlive; k++)
		if (!out_of_play(omen.live[k]) && omen.live[k]->loop.last <= i + 1)
			return false;
	return true;
}

static bool repeats(uint64_t now)
{
	for (uint32_t i = 0; i < state.n; i++)
		if (state.history[i] == now && all_had_turn_since(i))
			return true;
	return false;
}

static void end_endless(void)
{
	uint32_t spinning = 0;

	for (uint32_t k = 0; k < omen.nlive; k++)
		spinning += !out_of_play(omen.live[k]);
	ending_fail(ENDING_LOOP, "the state of the program repeats%s; %u of %u threads spin%s",
	            signals_expected() ? ", and nothing but a signal from outside can end it" : "", spinning,
	            omen.nlive, spinning < omen.nlive ? ", the others wait for ever" : "");
}

static COLD void prove(void)
{
	struct fiber *f = omen.current;

	if (!state.active && !begin()) {
		give_up();
		return;
	}
	if (world_may_act() || state.n == (state.scouting ? HISTORY : state.most)) {
		give_up();
		return;
	}
	note_registers(f);
	f->loop.last = state.n + 1;
	if (omen.progress != state.progress || (!state.scouting && hash_shared() != state.shared)) {
		if (++state.changes > 4) { /* it gets on: no need to look closer now */
			give_up();
			return;
		}
		begin_history();
		return;
	}
	uint64_t now = hash_all();
	if (!repeats(now)) {
		state.history[state.n++] = now;
	} else if (state.scouting) {
		state.scouting = false;
		begin_history();
	} else if (direct_give_up(PLAN_SPINS)) {
		give_up();
	} else {
		end_endless();
	}
}

void loop_point(void)
{
	bool stuck = unlikely(omen.every) && steps_are_stuck();
	if (unlikely(omen.patient) && !stuck)
		return;
	if (unlikely(!state.threshold))
		state.threshold = FIRST_EFFORT;
	state.effort += stuck ? STUCK_EFFORT : omen_hot->budget < 0 ? LOOP_EFFORT * (1 + omen.stretch) : 1;
	if (unlikely(state.active || state.effort >= state.threshold) && omen.board)
		prove();
}

#define TRAP_REGISTERS (sizeof(greg_t) * (REG_RIP + 1))

static bool is_libc(uint64_t pc) { return pc >= omen.libc_low && pc < omen.libc_high; }

static uint32_t arguments_of(long nr)
{
	static const uint8_t few[512] = {[SYS_exit] = 2,
	                                 [SYS_exit_group] = 2,
	                                 [SYS_close] = 2,
	                                 [SYS_brk] = 2,
	                                 [SYS_munmap] = 3,
	                                 [SYS_madvise] = 4,
	                                 [SYS_mprotect] = 4,
	                                 [SYS_read] = 4,
	                                 [SYS_write] = 4,
	                                 [SYS_writev] = 4,
	                                 [SYS_readv] = 4,
	                                 [SYS_sched_yield] = 1,
	                                 [SYS_nanosleep] = 3,
	                                 [SYS_getpid] = 1,
	                                 [SYS_gettid] = 1,
	                                 [SYS_rt_sigprocmask] = 5,
	                                 [SYS_clock_nanosleep] = 5,
	                                 [SYS_fstat] = 3,
	                                 [SYS_openat] = 5,
	                                 [SYS_newfstatat] = 5,
	                                 [SYS_lseek] = 4};

	return nr >= 0 && nr < 512 && few[nr] ? few[nr] - 1u : 6;
}

/* A syscall that the C library makes: of the registers that a call need not keep, its arguments count. */
static void note_call(struct fiber *f, const greg_t *regs)
{
	static const int kept[] = {REG_RBX, REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15, REG_RSP, REG_RIP, REG_RAX};
	static const int argument[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};

	f->loop.digest = 7;
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		f->loop.digest = mix(f->loop.digest, (uint64_t)regs[kept[i]]);
	for (uint32_t i = 0; i < arguments_of(regs[REG_RAX]); i++)
		f->loop.digest = mix(f->loop.digest, (uint64_t)regs[argument[i]]);
	f->loop.sp = f->entry.sp;
}

void loop_note(struct fiber *f)
{
	if (f && f->entry.size == TRAP_REGISTERS && f->entry.where == omen.where && is_libc(f->entry.where / 2))
		note_call(f, f->entry.registers);
	else if (f)
		note_registers(f);
	if (f) {
		f->loop.last = 1;
		return;
	}
	for (uint32_t i = 0; i < omen.nlive; i++)
		omen.live[i]->loop.last = 0;
}

uint64_t loop_state(void)
{
	if (state.active || omen.weak || !find_regions())
		return 0;
	state.shared = hash_shared();
	return hash_all() | 1;
}

void loop_wrote(void)
{
	if (state.active)
		omen.progress++;
}

void loop_chose(void) { loop_wrote(); }

bool loop_watches(void) { return state.active; }

bool loop_turn(void) { return unlikely(state.active) && omen.strategy != &strategy_replay; }

void loop_forget(void)
{
	if (state.active)
		give_up();
}
