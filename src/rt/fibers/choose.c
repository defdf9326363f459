#include "rt/fibers/choose.h"

#include "rt/fibers/above.h"

void strategy_seed(void)
{
	uint64_t seed = omen.board ? omen.board->result.seed : 0;

	omen.rng = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
}

/* splitmix64: one multiplication chain, and every seed is good. */
static uint64_t next(void)
{
	uint64_t z = (omen.rng += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint64_t strategy_random_below(uint64_t n) { return (uint64_t)((unsigned __int128)next() * n >> 64); }

struct fiber *strategy_runnable(uint32_t id)
{
	for (uint32_t i = 0; i < omen.nrunnable; i++)
		if (omen.runnable[i]->id == id)
			return omen.runnable[i];
	return NULL;
}

struct fiber *strategy_next_but(const struct fiber *one)
{
	struct fiber *first = NULL, *after = NULL;

	for (uint32_t i = 0; i < omen.nrunnable; i++) {
		struct fiber *f = omen.runnable[i];
		if (f == one)
			continue;
		if (!first || f->id < first->id)
			first = f;
		if (f->id > omen.current->id && (!after || f->id < after->id))
			after = f;
	}
	return after ? after : first;
}

struct fiber *strategy_next_in_turn(void) { return strategy_next_but(NULL); }

struct fiber *strategy_let_time_pass(uint32_t id)
{
	for (uint32_t i = 0; i < omen.nlive; i++) {
		struct fiber *f = omen.live[i];
		if (f->id != id || f->state != FIBER_BLOCKED || f->wait.deadline == NEVER)
			continue;
		if (f->wait.deadline > omen.clock)
			omen.clock = f->wait.deadline;
		kernel_fire_timers();
		return f->state == FIBER_RUNNABLE ? f : NULL;
	}
	return NULL;
}

struct fiber *strategy_wake_oldest(struct fiber **waiters, uint32_t n)
{
	(void)n;
	return waiters[0];
}

uint32_t strategy_pick_newest(uint32_t n)
{
	(void)n;
	return 0;
}

/* READS_OLDEST: the oldest store with probability 1/2, the next one with 1/4, and so on. */
uint32_t strategy_pick_any(uint32_t n)
{
	switch (omen.board->config.memory.reads) {
	case READS_NEWEST:
		return 0;
	case READS_OLDEST:
		while (n > 1 && strategy_random_below(2))
			n--;
		return n - 1;
	default:
		return (uint32_t)strategy_random_below(n);
	}
}

struct fiber *strategy_wake_any(struct fiber **waiters, uint32_t n) { return waiters[strategy_random_below(n)]; }
