/*
 * An execution is endless if its state repeats.
 *
 * After a long execution a proof is tried: the fibers take turns, and at every point the registers of the fiber, the
 * stacks of all fibers and the rest of the writable memory are hashed.  Assume that the memory outside the stacks never
 * changes, that nothing reaches the outside, and that the whole state comes back after each fiber that can run (or
 * sleeps for a time) has had its turn.  Then each of these fibers repeats the same loop.  The other fibers see only
 * what they have already seen, so no other schedule leaves the loop either.
 *
 * As long as registers and stacks do not repeat, the rest of the memory is not hashed.  So a thread that computes costs
 * little.
 *
 * Something may hide a repetition: a dead register that changes, or more memory than LIMIT.  Then the proof fails, but
 * no wrong proof results.
 */
#include "rt/fibers/endless_loop.h"

#include "rt/core/op.h"

#include "rt/ending/ending.h"
#include "rt/fibers/above.h"
#include "rt/fibers/fiber.h"
#include "rt/fibers/state_hash.h"
#include "rt/fibers/choose.h"

#define FIRST_EFFORT 20000
#define LOOP_EFFORT  50   /* a used-up loop budget means many iterations; a stretched budget means more */
#define STUCK_EFFORT 1000 /* for one point at which all fibers are known to repeat themselves */
#define HISTORY      1024
#define LIMIT        (256ul << 20) /* bytes hashed for one attempt, roughly */
#define FEWEST       32

static struct {
	uint64_t effort, threshold;
	bool active;
	bool scouting;     /* only registers and stacks are compared so far */
	uint64_t progress; /* omen.progress when the history began */
	uint64_t shared;   /* hash of the memory outside the stacks; 0 while scouting */
	uint64_t history[HISTORY];
	uint64_t touches[HISTORY]; /* plan.touched when that entry was made */
	uint32_t n;
	uint64_t most;    /* the limit of entries in this attempt */
	uint32_t changes; /* how often the history was restarted */
} state;

/* The fiber is blocked without a deadline: only another fiber can wake it. */
static bool out_of_play(const struct fiber *f) { return f->state == FIBER_BLOCKED && f->wait.deadline == NEVER; }

static uint64_t hash_all(void)
{
	uint64_t h = state.shared;

	for (uint32_t i = 0; i < omen.nlive; i++) {
		const struct fiber *f = omen.live[i];
		h = state_mix(h, f->id * 2 + out_of_play(f));
		h = state_mix(h, (uint64_t)f->wait.key);
		h = state_fiber(h, f, &f->loop.stand);
	}
	return h;
}

/* ---- the proof ---- */

static void give_up(void)
{
	state.active = false;
	mode_set(LOOP_PROOF, false);
	mode_threads_changed(); /* the slow hooks are not needed any more */
	state.effort = 0;
	state.threshold *= 4; /* so all attempts together cost little compared to the execution */
}

static void begin_history(void)
{
	state.shared = state.scouting ? 0 : state_memory();
	state.progress = omen.progress;
	state.n = 0;
	for (uint32_t i = 0; i < omen.nlive; i++) {
		omen.live[i]->loop.last = 0;
		omen.live[i]->loop.stand.noted = false;
	}
}

static bool world_may_act(void)
{
	if (omen.children || kernel_timers_armed() || (signals_expected() && !kernel_is_alone()))
		return true;
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->state == FIBER_BLOCKED && omen.live[i]->wait.kind != WAIT_KEY)
			return true;
	return false;
}

static bool begin(void)
{
	/* A proof shortens the turns of loops, so a replay must make the same decision to try it. */
	if (world_may_act() || !world_memory_readable(state_find_memory()))
		return false;
	state.most = state_memory_size() ? LIMIT / state_memory_size() : HISTORY;
	if (state.most > HISTORY)
		state.most = HISTORY;
	if (state.most < FEWEST)
		state.most = FEWEST;
	state.active = state.scouting = true;
	state.changes = 0;
	mode_set(LOOP_PROOF, true);
	mode_threads_changed(); /* every write must be seen, even one undone before the next point */
	begin_history();
	return true;
}

/*
 * Has each fiber reached another point after history[i]?  The fiber that made that entry must reach one more, too.
 */
static bool all_had_turn_since(uint32_t i)
{
	for (uint32_t k = 0; k < omen.nlive; k++)
		if (!out_of_play(omen.live[k]) && omen.live[k]->loop.last <= i + 1)
			return false;
	return true;
}

/* The index of the same state in the history, or state.n. */
static uint32_t find_same(uint64_t now)
{
	uint32_t i = 0;

	while (i < state.n && !(state.history[i] == now && all_had_turn_since(i)))
		i++;
	return i;
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
	state_note(&f->loop.stand);
	if (!f->loop.stand.known) {
		give_up();
		return;
	}
	f->loop.last = state.n + 1;
	if (omen.progress != state.progress || (!state.scouting && state_memory() != state.shared)) {
		if (++state.changes > 4) { /* the execution makes progress: try again much later */
			give_up();
			return;
		}
		begin_history();
		return;
	}
	uint64_t now = hash_all();
	uint32_t same = find_same(now);
	if (same == state.n) {
		state.touches[state.n] = omen.board->plan.touched;
		state.history[state.n++] = now;
	} else if (state.scouting) {
		state.scouting = false;
		begin_history();
	} else if (OP(REPEATS, .value = state.touches[same])) {
		give_up();
	} else {
		end_endless();
	}
}

void loop_point(void)
{
	bool stuck = unlikely(mode_is(STEPS)) && !OP(GOES_ALONE) && OP(ALL_SPIN);
	if (unlikely(mode_is(PATIENT)) && !stuck)
		return;
	if (unlikely(!state.threshold))
		state.threshold = FIRST_EFFORT;
	state.effort += stuck ? STUCK_EFFORT : omen_hot->budget < 0 ? LOOP_EFFORT * (1 + omen.stretch) : 1;
	if (unlikely(state.active || state.effort >= state.threshold) && omen.board)
		prove();
}

void loop_wrote(void)
{
	if (state.active)
		omen.progress++;
}

void loop_chose(void) { loop_wrote(); }

bool loop_turn(void) { return unlikely(state.active) && !omen.strategy->jumps; }

void loop_forget(void)
{
	if (state.active)
		give_up();
}
