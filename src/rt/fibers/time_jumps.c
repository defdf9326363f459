/*
 * Time that passes while threads run.
 *
 * By itself the virtual clock hardly moves as long as some fiber can run, so a sleep or a time limit would only ever
 * end when all other fibers have nothing to do.  Where executions are explored, time may pass up to the next deadline
 * at any point; each such jump is a choice of the schedule.  Two things decide:
 *
 * - chance: how often is drawn for each execution, and is never in some of them; how much time may pass this way in all
 *   is drawn as well.  A program that guards itself with a long time limit is right in most executions.
 * - a long execution: after many points each further one stands for more and more time, so the end of a sleep does
 *   come.
 *
 * A deadline that would kill the process (alarm() without a handler) is never jumped to: that is no bug.
 */
#include "rt/fibers/above.h"
#include "rt/fibers/choose.h"

#define MEANS      11      /* powers of 2: points between two jumps, on average */
#define LEAST      500000l /* ns that may pass by chance, and up to 10^(MAGNITUDES - 1) times as many: five seconds */
#define MAGNITUDES 5
#define LONG       10000      /* points that others make before time passes for certain */
#define PACE       50000      /* ns for each point from then on, */
#define LONGER     100000     /* and twice as many after so many points, and so on */
#define MOST       1000000000 /* more points than these count as so many: no wait takes that long */
#define LOOK       256        /* points between two checks */

static struct {
	bool on;
	uint64_t rng;       /* separate, so that schedules without waits for time do not depend on these draws */
	uint64_t mean;      /* points between two jumps, roughly; 0: none by chance */
	int64_t left;       /* so much time may still pass by chance */
	uint64_t chance;    /* the point of the next jump by chance */
	uint64_t since;     /* the point since which a fiber waits for a deadline, */
	int64_t since_time; /* and the clock at that point */
} state;

static uint64_t below(uint64_t n)
{
	uint64_t others = omen.rng;

	omen.rng = state.rng;
	n = strategy_random_below(n);
	state.rng = omen.rng;
	omen.rng = others;
	return n;
}

static void look_later(void)
{
	uint64_t next = omen.points + LOOK;

	omen.jump_at = state.mean && state.chance < next ? state.chance : next;
}

/*
 * Sometimes the next jump is at once: a sleep in place of synchronisation fails only if others did nothing meanwhile.
 */
static void draw(void)
{
	if (state.mean)
		state.chance = omen.points + 1 + below(below(4) ? 2 * state.mean : 2);
	look_later();
}

void jumps_begin(void)
{
	bool chance = omen.strategy->time == TIME_JUMPS;

	state.on = omen.strategy->time != TIME_WAITS && omen.board && !mode_is(STEPS) &&
	           (mode_is(EXPLORE) || (mode_is(SERVED) && omen.board->config.mode == BOARD_SERVE));
	if (!state.on)
		return;
	state.rng = ~omen.rng;
	state.mean = chance && below(4) ? 2ul << below(MEANS) : 0;
	state.left = LEAST;
	for (uint64_t n = chance ? below(MAGNITUDES) : 0; n; n--)
		state.left *= 10;
	jumps_expect();
}

void jumps_expect(void)
{
	if (!state.on || omen.jump_at != UINT64_MAX || omen.next_deadline == NEVER)
		return;
	state.since = omen.points;
	state.since_time = omen.clock;
	draw();
}

/* Where the clock must be by now, in a long execution. */
static int64_t owed(void)
{
	uint64_t points = omen.points - state.since;
	int64_t more = points > LONG ? (int64_t)(points - LONG) : 0;

	if (more > MOST)
		more = MOST;
	return state.since_time + more * PACE * (1 + more / LONGER);
}

bool jumps_due(void)
{
	if (!state.on || omen.next_deadline == NEVER) {
		omen.jump_at = UINT64_MAX;
		return false;
	}
	int64_t wait = omen.next_deadline - omen.clock;
	bool chance = state.mean && omen.points >= state.chance, lucky = chance && wait <= state.left;
	bool due = (lucky || omen.next_deadline <= owed()) && !kernel_timer_kills(omen.next_deadline);

	if (due && lucky && wait > 0)
		state.left -= wait;
	if (chance)
		draw();
	else
		look_later();
	if (due && omen.next_deadline <= owed())
		omen.jump_at = omen.points + 1; /* there may be more deadlines */
	return due;
}
