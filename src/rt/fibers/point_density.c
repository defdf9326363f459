#include "rt/fibers/point_density.h"

#include "rt/fibers/sched.h"

static void end(void)
{
	if (!mode_is(SPARSE))
		return;
	mode_set(SPARSE, false);
	omen.most_stretch = omen.stretch = 0;
	mode_changed();
}

void calm_later(void)
{
	omen.calm_at = omen.points + CALM_FIRST;
	end();
}

void calm_not_now(void)
{
	if (omen.calm_at < omen.points + CALM_AGAIN)
		omen.calm_at = omen.points + CALM_AGAIN;
	end();
}

void calm_begin(void)
{
	omen.calm_at = UINT64_MAX;
	if (!mode_is(DEPARTED) || mode_is(STEPS))
		return;
	omen.calm_at = 0;
	mode_set(SPARSE, true);
	if (mode_is(KEEP_ORDER)) /* not all accesses are seen any more */
		omen.board->plan.strayed = true;
	omen.most_stretch = CALM_STRETCH;
	/* other races are looked for as long as this is cheap */
	if (omen.race.address && omen.board->plan.looks)
		mode_past_race();
	else
		mode_changed();
}

void calm_loop(void)
{
	if (mode_is(SPARSE))
		omen.unseen += (uint64_t)omen.loop_budget << omen.stretch;
	else if (omen.points + CALM_LOOP >= omen.calm_at)
		calm_begin();
	else
		omen.calm_at -= CALM_LOOP;
}

/* An access, which is no point otherwise: is it one because of its bytes? */
static void touch(uint64_t address, uint64_t size, uint64_t where)
{
	uint64_t low = omen.race.address, high = low + 8;

	if (!low || address >= high || address + size <= low || omen.nlive < 2)
		return;
	uint64_t from = address > low ? address - low : 0, to = address + size < high ? address + size - low : 8;
	if (!(((1u << to) - 1) & ~((1u << from) - 1) & omen.race.bytes))
		return;
	omen.points++;
	calm_not_now();
	if (sched_has_choice())
		sched_access(where);
}

static uint64_t hear(const struct op *op)
{
	if (op->kind == OP_KIND_ACCESS && !(op->flags & (ACCESS_ATOMIC | ACCESS_FREE)))
		touch((uint64_t)op->object, op->size, where_site(op->site));
	return 0;
}

const struct observer density_observer = {"density", MODE(RACE_POINTS), hear};
