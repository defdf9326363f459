/* Queue: first come, first served.  A fiber that reaches a point goes to the end of the queue. */
#include "rt/strategy/strategies.h"

static void start(void) {}

static struct fiber *run(enum point_kind kind)
{
	struct fiber *head = NULL;

	if (kind == POINT_ACCESS)
		return omen.current;
	omen.current->queued = omen.points;
	for (uint32_t i = 0; i < omen.nrunnable; i++) {
		struct fiber *f = omen.runnable[i];
		if (!head || f->queued < head->queued || (f->queued == head->queued && f->id < head->id))
			head = f;
	}
	return head;
}

const struct strategy strategy_queue = {"queue", start,     run, strategy_wake_oldest, strategy_pick_newest,
                                        NULL,    TIME_COMES};
