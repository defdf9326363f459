/*
 * Time that passes while threads run.
 *
 * The virtual clock hardly moves while some fiber can run, so a sleep or a time limit would end only when all other
 * fibers have nothing to do.  Where executions are explored, time may jump to the next deadline at any point.  Each
 * such jump is a choice in the schedule.  Two things decide:
 *
 * - chance: each execution draws how often time jumps (in some executions never), and how much time may pass this way
 *   in all.  So a program that protects itself with a long time limit stays correct in most executions.
 * - a long execution: after many points each further point counts as more and more time, so that a sleep does end.
 *
 * Time never jumps to a deadline that would kill the process (alarm() without a handler): that is no bug.
 */
#include "rt/fibers/above.h"
#include "rt/fibers/choose.h"

#define MEANS      11      /* powers of 2: points between two jumps, on average */
#define LEAST      500000l /* ns that may pass by chance; at most 10^(MAGNITUDES - 1) times as many: 5 s */
#define MAGNITUDES 5
#define LONG       10000      /* others make this many points before time passes for certain */
#define PACE       50000      /* from then on ns for each point, */
#define LONGER     100000     /* twice as many after this many points, and so on */
#define MOST       1000000000 /* a larger number of points counts as this one: no wait takes that long */
#define LOOK       256        /* points between two checks */

static struct {
	bool on;
	uint64_t rng;       /* of its own: a schedule without waits for time does not depend on it */
	uint64_t mean;      /* points between two jumps, on average; 0: no jump by chance */
	int64_t left;       /* this much time may still pass by chance */
	uint64_t chance;    /* the point of the next jump by chance */
	uint64_t since;     /* a fiber waits for a deadline since this point, */
	int64_t since_time; /* when the clock had this value */
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
 * The next jump sometimes follows at once: a sleep used as synchronisation fails only if others did nothing meanwhile.
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

/* The time that the clock must have reached by now, in a long execution. */
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
		omen.jump_at = omen.points + 1; /* more deadlines may be due */
	return due;
}
