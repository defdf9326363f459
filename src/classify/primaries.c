#include "classify/primaries.h"

#include <stdlib.h>
#include <string.h>

#include "classify/failure_list.h"
#include "format/enum_names.h"
#include "run/explaining_replay.h"

#define EXPLORED 10 /* executions made for each primary that is chosen from them */

/* Takes the races that an explaining replay left on the board. */
static void take_races(struct primary *p, const struct board *b)
{
	p->count = b->nraces < BOARD_RACES ? b->nraces : BOARD_RACES;
	p->races = must_alloc((p->count + 1) * sizeof *p->races);
	memcpy(p->races, b->races, p->count * sizeof *p->races);
}

struct patience {
	const struct classifier *classifier;
	volatile sig_atomic_t over;
};

static void look_at_clock(void *argument)
{
	struct patience *p = argument;

	p->over = classifier_must_give_up(p->classifier);
}

bool primary_explain(struct classifier *c, struct races *races, struct primary *p, struct error *e)
{
	struct patience patience = {.classifier = c};
	struct manifest m = *c->manifest;
	const struct explaining_replay replay = {.manifest = &m,
	                                         .input = c->input,
	                                         .stop = &patience.over,
	                                         .tick = look_at_clock,
	                                         .tick_argument = &patience};
	struct process process = process_nothing;

	m.check = classifier_check(c);
	look_at_clock(&patience);
	if (patience.over)
		return error_set(e, "the time was up (--budget)");
	enum replayed replayed = explaining_replay(&replay, p->execution, &process, e);
	if (replayed == REPLAYED_DIFFERS)
		error_set(e, "%s", process.board->result.message);
	if (replayed == REPLAYED) {
		p->execution->replayed = true;
		take_races(p, process.board);
		races_explain(races, p->execution, process.board, true);
	}
	process_end(&process);
	return replayed == REPLAYED;
}

static bool is_new_order(struct chosen_primaries *all, uint64_t order)
{
	for (size_t i = 0; i < all->norders; i++)
		if (all->orders[i] == order)
			return false;
	all->orders = must_resize(all->orders, (all->norders + 1) * sizeof *all->orders);
	all->orders[all->norders++] = order;
	return true;
}

static bool has_failed(const struct board_result *r)
{
	return trial_is_violation(&(struct trial){.ending = r->ending});
}

bool primaries_want(struct chosen_primaries *all, const struct board *b)
{
	uint32_t ending = b->result.ending;
	bool complete = ending == ENDING_EXIT || ending == ENDING_STATUS || ending == ENDING_ENDED;
	bool new_order = complete && is_new_order(all, b->touch_order);

	return (new_order || b->new_races) && (complete || has_failed(&b->result)) && b->nwatched && !b->schedule_full;
}

void primaries_add(struct chosen_primaries *all, struct execution *x)
{
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count++] = x;
}

void primaries_free(struct chosen_primaries *all)
{
	for (size_t i = 0; i < all->count; i++)
		execution_free(all->list[i]);
	free(all->list);
	free(all->orders);
	*all = (struct chosen_primaries){0};
}

struct execution *primary_take(const struct board *b)
{
	struct execution *x = execution_take(b);

	x->departs_at = 1;
	x->result->seed =
	        b->config.seed; /* its choices are in the schedule; its process id comes from the recording's seed */
	x->races++;
	return x;
}

bool primaries_prepare(struct replayer *r, struct classifier *c, const struct execution *recorded, struct error *e)
{
	bool ok = replayer_prepare(r, c, recorded, e);

	if (ok) {
		struct board_config *config = &r->process.board->config;
		config->stop_at = 1;
		config->stop = STOP_SERVE;
		config->first = 1; /* the recorded execution has the seed itself */
	}
	return ok;
}

/* True: it has a violation that all executions have. */
static bool measure(struct classifier *c, const struct execution *recorded)
{
	bool more = false;
	struct replayer r = replayer_nothing;
	struct error e;

	c->points = c->turns = recorded->result->points;
	if (primaries_prepare(&r, c, recorded, &e)) {
		struct board_config *config = &r.process.board->config;
		config->detect = DETECT_OFF;
		config->runs = 1;
		config->turn_budget = BUDGET_FACTOR * c->turns + LEAST_TURNS;
		config->next_strategy.id = STRATEGY_FAIR;
		const struct board_result *made = &r.process.board->result;
		bool ok = replayer_start(&r, c, &e) && replayer_hear(&r) == 'R';
		const struct departure d = departure_at(c, r.process.board, 1);
		more = ok && failure_list_take_constant(c, r.process.board, &d);
		if (ok && !more && !failure_list_has(c, made))
			failure_list_note(c, r.process.board, &d);
		if (ok && made->points + made->unseen > c->points)
			c->points = made->points + made->unseen;
	}
	replayer_end(&r);
	return more;
}

void primaries_measure(struct classifier *c, const struct execution *recorded)
{
	while (measure(c, recorded))
		;
}

static void choose(struct classifier *c, const struct execution *recorded, const struct strategy_config *way,
                   uint64_t most, struct chosen_primaries *all, struct error *e)
{
	size_t before = all->count;
	struct replayer r = replayer_nothing;

	if (!most || !primaries_prepare(&r, c, recorded, e)) {
		replayer_end(&r);
		return;
	}
	struct board *b = r.process.board;
	b->config.detect = DETECT_RACES;
	b->config.runs = EXPLORED * most;
	b->config.event_budget = BUDGET_FACTOR * (c->points + LEAST_POINTS);
	b->config.turn_budget = BUDGET_FACTOR * c->turns + LEAST_TURNS;
	b->config.next_strategy = *way;
	if (replayer_start(&r, c, e))
		while (replayer_hear(&r) == 'R' && !classifier_out_of_time(c)) {
			const struct departure d = departure_at(c, b, 1);
			classifier_count_execution(c);
			failure_list_note(c, b, &d);
			if (primaries_want(all, b))
				primaries_add(all, primary_take(b));
			if (all->count - before == most || !replayer_say(&r, 0))
				break;
		}
	replayer_end(&r);
}

/*
 * The short pct leaves one thread behind early, so that the late operations of the others meet it. Executions that
 * switch only at races find much in few tries, but nothing that depends on other places.
 */
void primaries_choose(struct classifier *c, const struct execution *recorded, uint64_t most,
                      struct chosen_primaries *all, struct error *e)
{
	const struct {
		struct strategy_config strategy;
		uint64_t share;
	} ways[] = {{{.id = STRATEGY_RANDOM}, 2},
	            {{.id = STRATEGY_PCT, .depth = 3, .length = 300}, 2},
	            {{.id = STRATEGY_MIXED, .length = c->points}, 2},
	            {{.id = STRATEGY_RACY}, 1}};
	uint64_t shares = 7;

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		uint64_t part = (most * ways[i].share + shares - 1) / shares;
		choose(c, recorded, &ways[i].strategy, part, all, e);
		most -= part;
		shares -= ways[i].share;
	}
}
