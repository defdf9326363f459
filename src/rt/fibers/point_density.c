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

void density_start(void)
{
	omen.sparse_at = omen.points + DENSE_FIRST;
	end();
}

void density_stay_dense(void)
{
	if (omen.sparse_at < omen.points + DENSE_AGAIN)
		omen.sparse_at = omen.points + DENSE_AGAIN;
	end();
}

void density_begin_sparse(void)
{
	omen.sparse_at = UINT64_MAX;
	if (!mode_is(DEPARTED) || mode_is(STEPS))
		return;
	omen.sparse_at = 0;
	mode_set(SPARSE, true);
	if (mode_is(KEEP_ORDER)) /* some accesses are no longer seen */
		omen.board->plan.out_of_order = true;
	omen.most_stretch = SPARSE_STRETCH;
	/* with sparse points it would be expensive to look for other races */
	if (omen.race.address && omen.board->plan.detect_after)
		mode_past_race();
	else
		mode_changed();
}

void density_loop(void)
{
	if (mode_is(SPARSE))
		omen.unseen += (uint64_t)omen.loop_budget << omen.stretch;
	else if (omen.points + LOOP_POINTS >= omen.sparse_at)
		density_begin_sparse();
	else
		omen.sparse_at -= LOOP_POINTS;
}

/* A plain access while points are sparse: it is a point if it touches the race's bytes. */
static void touch(uint64_t address, uint64_t size, uint64_t where)
{
	uint64_t low = omen.race.address, high = low + 8;

	if (!low || address >= high || address + size <= low || omen.nlive < 2)
		return;
	uint64_t from = address > low ? address - low : 0, to = address + size < high ? address + size - low : 8;
	if (!(((1u << to) - 1) & ~((1u << from) - 1) & omen.race.bytes))
		return;
	omen.points++;
	density_stay_dense();
	if (sched_has_choice())
		sched_access(where);
}

static uint64_t hear(const struct op *op)
{
	if (op->kind == OP_KIND_ACCESS && !(op->flags & (ACCESS_ATOMIC | ACCESS_FREE)))
		touch((uint64_t)op->object, op->size, where_site(op->site));
	return 0;
}

const struct observer density_observer = {
        .name = "density", .mode = MODE(RACE_POINTS), .op = hear, .hears = {HEARS(ACCESS)}};
