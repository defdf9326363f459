/*
 * Derives from the modes that are on (core/mode.h) which accesses of instrumented code call a slow hook, and with what
 * the inline test compares cells.
 */
#include "rt/atomics/store_history.h"
#include "rt/core/mode.h"
#include "rt/core/rt.h"
#include "rt/memory/memory_check.h"
#include "rt/observe/compare_orders.h"
#include "rt/fibers/point_density.h"
#include "rt/observe/explain.h"
#include "rt/observe/prediction_record.h"
#include "rt/strategy/steer.h"
#include "rt/observe/site_count.h"
#include "rt/observe/step_record.h"
#include "rt/observe/timeline_record.h"
#include "rt/clock/clock.h"
#include "rt/shadow/cells.h"
#include "rt/shadow/race_check.h"

/*
 * The order matters: steps hear also of accesses that are not counted, and the density observer may switch fibers at a
 * point of a race before the access is counted.
 */
const struct observer *const observers[] = {
        &step_observer,     &density_observer, &steer_observer,   &explain_observer, &prediction_observer,
        &timeline_observer, &touches_observer, &compare_observer, &count_observer,   NULL};

static uint32_t needs(void)
{
	uint32_t all = 0;

#define X(name, needed) all |= mode_is(name) ? (needed) : 0;
	MODES(X)
#undef X
	return all;
}

/*
 * Does the execution look only for invalid accesses, and for races only while it is not steered to one?  Then cells can
 * say of most accesses that they are valid.
 */
static bool can_check_in_cells(uint32_t needed)
{
	if (!mode_is(CHECK) || needed & NEED_POINT)
		return false;
	return mode_is(PAST_RACE) ? !mode_is(COUNT_TOUCHES) || mode_is(SPARSE) : mode_is(EXPLORE) && mode_is(DETECT);
}

static uint32_t inline_test(bool in_cells, uint32_t needed)
{
	if (!(needed & NEED_WATCH))
		return 0;
	if (in_cells)
		return OMEN_WATCH_SPARSE;
	if (mode_is(ALL_SLOW))
		return mode_is(RACE_POINTS) ? OMEN_WATCH_MOST : OMEN_WATCH_ALL;
	return OMEN_WATCH_CELLS;
}

void mode_changed(void)
{
	const struct board_config *c = omen.board ? &omen.board->config : NULL;
	bool dense = mode_is(DEPARTED) && !mode_is(SPARSE);

	mode_set(ACCESS_POINTS, c && (c->access_points || dense) && omen.nlive > 1);
	mode_set(RACE_POINTS, mode_is(SPARSE) && omen.race.address);
	uint32_t needed = needs();
	bool in_cells = can_check_in_cells(needed);
	mode_set(ALL_SLOW, !in_cells && needed & NEED_SLOW);
	mode_set(ONLY_WATCHED, mode_is(EXPLAIN) && !(needed & NEED_OTHERS));
	mode_set(ONLY_DETECT, mode_is(DETECT) && !mode_is(ALL_SLOW) && !mode_is(CHECK));
	if (needed & NEED_WATCH)
		cells_open();
	if (in_cells && mode_is(PAST_RACE))
		memory_take_cells();
	omen_hot->watch = inline_test(in_cells, needed);
	clock_stamp();
}

void mode_threads_changed(void)
{
	const struct board_config *c = omen.board ? &omen.board->config : NULL;
	bool detected = mode_is(DETECT);

	if (mode_is(EXPLAIN))
		explain_settle();
	bool wanted = c && ((c->detect && !mode_is(PAST_RACE)) || mode_is(WEAK));
	bool possible = !clock_solo() || (mode_is(TIMELINE) && !mode_is(WEAK)) || mode_is(PREDICT);
	mode_set(DETECT, wanted && possible);
	mode_set(PRECISE, shadow_is_precise());
	mode_changed();
	if (mode_is(WEAK) && detected && !mode_is(DETECT))
		store_history_settle();
}

void mode_past_race(void)
{
	mode_set(PAST_RACE, true);
	mode_threads_changed();
}
