/* Which strategy has which number on the board. */
#include "rt/strategy/strategies.h"

#include "rt/core/text.h"
#include "rt/fibers/above.h"

const struct strategy *strategy_by_id(uint32_t id)
{
	static const struct strategy *const all[] = {
	        [STRATEGY_FAIR] = &strategy_fair,       [STRATEGY_RANDOM] = &strategy_random,
	        [STRATEGY_PCT] = &strategy_pct,         [STRATEGY_QUEUE] = &strategy_queue,
	        [STRATEGY_REPLAY] = &strategy_replay,   [STRATEGY_FOLLOW] = &strategy_follow,
	        [STRATEGY_EXHAUST] = &strategy_exhaust, [STRATEGY_MEET] = &strategy_meet,
	        [STRATEGY_COARSE] = &strategy_coarse,   [STRATEGY_KEEP] = &strategy_keep,
	        [STRATEGY_MIXED] = &strategy_mixed,     [STRATEGY_RACY] = &strategy_racy,
	};

	if (id >= sizeof(all) / sizeof(*all))
		text_die("the tool asks for strategy %u, which this runtime does not have", id);
	return all[id];
}
