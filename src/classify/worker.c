#include "classify/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/failure_list.h"
#include "classify/instance.h"
#include "classify/journal.h"

#define PROBES_MOST    4
#define INSTANCES_MOST 64 /* at most, of a race in a primary */

static const enum unit_kind unit_of[] = {
        [WORK_ORDERS] = UNIT_ORDERS, [WORK_REST] = UNIT_REST, [WORK_BLAME] = UNIT_BLAME, [WORK_SWEEP] = UNIT_SWEEP};

/* Makes one execution. If it ends in a memory error it is made again, with the stacks of allocations and frees. */
static bool execute(struct worker *w, const struct board_plan *plan)
{
	struct board *b = w->replayer.process.board;

	b->plan = *plan;
	bool ok = replayer_say(&w->replayer, BOARD_PLAN) && replayer_hear(&w->replayer) == 'R';
	if (ok && b->result.ending == ENDING_MEMORY && !plan->keep_stacks) {
		struct board_plan again = *plan;
		again.keep_stacks = 1;
		return execute(w, &again);
	}
	w->process_lost |= !ok;
	return ok;
}

/* The trial may become evidence. The schedule can be long, and of most trials nobody needs it. */
static bool may_be_evidence(const struct worker *w, const struct trial *t)
{
	return trial_is_violation(t) || !w->has_recorded || !trial_same_output(&w->recorded, t);
}

/* Of a race without explanation only the second access is certain. */
static bool is_known(const struct worker *w, const struct board_race *r)
{
	uint64_t place = access_place(&r->access[1]);

	for (size_t i = 0; i < w->count; i++)
		for (int k = 0; k < 2; k++)
			if (access_place(&w->tallies[i].race->seen.access[k]) == place)
				return true;
	return false;
}

/*
 * Looks for a race on the board that no primary has. Only a trial of a primary that left the recording itself can be
 * made again without the plan.
 */
static void find_lead(struct worker *w, const struct trial *t)
{
	const struct board *b = w->replayer.process.board;
	uint32_t n = b->nraces < BOARD_RACES ? b->nraces : BOARD_RACES;
	bool usable =
	        t->execution && t->execution->departs_at && !t->execution->lost_entries && t->outcome == PLAN_DONE;

	for (uint32_t i = 0; i < n && usable && w->leads.count < LEADS_MOST; i++)
		if (!is_known(w, &b->races[i])) {
			w->leads.list[w->leads.count++] = execution_copy(t->execution);
			return;
		}
}

/* In the order of the workers, so that the result does not depend on their speed. */
static void take_leads(struct leads *to, struct leads *from)
{
	for (size_t i = 0; i < from->count; i++)
		if (to->count < LEADS_MOST)
			to->list[to->count++] = from->list[i];
		else
			execution_free(from->list[i]);
}

/*
 * Notes a failure of the execution on the board. If time passed at will, a replay would not be the same, so no schedule
 * is kept. A failure under changed clocks is no failure of the program.
 */
static void note_failure(struct worker *w, const struct board_plan *plan)
{
	const struct board *b = w->replayer.process.board;
	struct departure d = departure_at(w->classifier, b, w->primary->execution->departs_at);

	if (plan->other_clocks)
		return;
	d.seed = w->primary->execution->result->seed;
	d.watch = w->watch;
	d.touch = w->touch;
	failure_list_note(w->classifier, b, plan->next_strategy.id == STRATEGY_COARSE ? NULL : &d);
}

bool worker_try(struct worker *w, const struct board_plan *plan, struct trial *t)
{
	struct board *b = w->replayer.process.board;

	*t = (struct trial){.order = plan->order};
	if (!execute(w, plan))
		return false;
	t->outcome = b->plan.outcome;
	t->state = b->plan.state;
	t->world = b->plan.world;
	t->touched = b->plan.touched;
	t->slept = b->plan.slept;
	memcpy(t->words_read, b->plan.words_read, sizeof t->words_read);
	t->invented = b->invented;
	t->early_reads = b->early_reads;
	uint32_t raced = b->result.ending == ENDING_MEMORY ? b->watched_before : b->nwatched;
	t->out_of_order = plan->keep_order && (b->plan.out_of_order || raced > w->primary->execution->nwatched);
	replayer_take(&w->replayer, t);
	note_failure(w, plan);
	bool leads = plan->detect_after && !plan->keep_order && b->new_races;
	bool wanted = plan->order == PLAN_SECOND || plan->compare || trial_is_violation(t);
	if (wanted && (leads || may_be_evidence(w, t))) {
		t->execution = execution_take(b);
		t->execution->departs_at = w->primary->execution->departs_at;
		t->execution->result->seed = w->primary->execution->result->seed; /* as a replay will have it */
	}
	if (leads)
		find_lead(w, t);
	classifier_count_execution(w->classifier);
	return true;
}

/* The first, the last, and some between, as many as asked for. */
static uint32_t spread_instances(const struct board_race *r, uint32_t want, struct board_instance *out)
{
	uint32_t have = !r ? 0 : r->ninstances < BOARD_INSTANCES ? r->ninstances : BOARD_INSTANCES, n = 0;

	if (want > have)
		want = have;
	for (; n < want; n++)
		out[n] = r->instance[want == 1 ? 0 : n * (have - 1) / (want - 1)];
	return n;
}

static bool is_access(const struct board_touch *t, const struct board_access *a)
{
	return t->site && t->site == a->site && !((t->flags ^ a->flags) & ACCESS_KIND);
}

/* The number of this access among those to its 8 bytes. */
static uint64_t number_of(const struct execution *x, uint32_t i)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k <= i; k++)
		n += x->touches[k].address == x->touches[i].address;
	return n;
}

/* Finds the access after this one that it could change places with: the other one of the race, by another thread. */
static bool is_instance(const struct execution *x, const struct board_race *r, uint32_t i, struct board_instance *out)
{
	const struct board_touch *t = x->touches;
	int which = is_access(&t[i], &r->access[0]) ? 0 : 1;

	if (!is_access(&t[i], &r->access[which]))
		return false;
	for (uint32_t k = i + 1; k < x->ntouches; k++) {
		if (t[k].address != t[i].address || t[k].fiber == t[i].fiber || !(t[k].bytes & t[i].bytes) ||
		    !is_access(&t[k], &r->access[1 - which]))
			continue;
		*out = (struct board_instance){.address = t[i].address,
		                               .touch = {number_of(x, i), number_of(x, k)},
		                               .fiber = {t[i].fiber, t[k].fiber},
		                               .swapped = which};
		return true;
	}
	return false;
}

/* Instances all over the execution, whether the two accesses race there or not. */
static uint32_t instances_everywhere(const struct execution *x, const struct board_race *r, struct board_instance *out)
{
	uint32_t have = 0, n = 0;

	for (uint32_t i = 0; r && i < x->ntouches; i++)
		have += is_access(&x->touches[i], &r->access[0]) || is_access(&x->touches[i], &r->access[1]);
	for (uint32_t i = 0, seen = 0; r && i < x->ntouches && n < INSTANCES_MOST; i++) {
		if (!is_access(&x->touches[i], &r->access[0]) && !is_access(&x->touches[i], &r->access[1]))
			continue;
		/* of too many, take INSTANCES_MOST at equal distances */
		if (have <= INSTANCES_MOST || seen * INSTANCES_MOST / have != (seen + 1) * INSTANCES_MOST / have)
			n += is_instance(x, r, i, &out[n]);
		seen++;
	}
	return n;
}

/* The instances that are tried. */
static uint32_t instances_of(const struct worker *w, const struct board_race *r, struct board_instance *out)
{
	return w->work == WORK_SWEEP ? instances_everywhere(w->primary->execution, r, out)
	                             : spread_instances(r, (uint32_t)w->classifier->config->instances, out);
}

static void add_stop(struct worker *w, uint64_t address, uint64_t touch)
{
	struct board *b = w->replayer.process.board;

	for (uint32_t i = 0; i < b->nstops; i++)
		if (b->stops[i].address == address && b->stops[i].touch == touch)
			return;
	if (b->nstops < BOARD_STOPS)
		b->stops[b->nstops++] = (struct board_stop){.address = address, .touch = touch};
	else
		w->no_room = true;
}

uint32_t worker_count_instances(const struct worker *w, const struct race_tally *tally)
{
	struct board_instance list[INSTANCES_MOST];

	return instances_of(w, tally->seen, list);
}

/* Trying this unit would show more, and it was not tried yet. */
static bool is_worth_trying(const struct worker *w, const struct race_tally *tally, const struct board_instance *at,
                            enum unit_kind kind)
{
	const struct unit u = journal_unit(w->primary->key, tally, at, kind);

	if (kind == UNIT_BLAME   ? false
	    : kind == UNIT_SWEEP ? tally->spec.sure || tally->read_only_waits
	    : kind == UNIT_PROBE ? tally->read_only_waits || tally->probes >= PROBES_MOST
	                         : tally_is_decided(tally, w->classifier->config->k))
		return false;
	return !journal_has(w->classifier->journal, &u);
}

static void set_stops(struct worker *w)
{
	struct board_instance list[INSTANCES_MOST];
	enum unit_kind orders = unit_of[w->work];

	for (size_t k = w->first; k < w->count; k += w->step) {
		const struct board_race *r = w->tallies[k].seen;
		for (uint32_t i = 0, n = instances_of(w, r, list); i < n; i++) {
			int writer = instance_writer(r, &list[i]);
			if (is_worth_trying(w, &w->tallies[k], &list[i], orders))
				add_stop(w, list[i].address, list[i].touch[0]);
			if (w->work == WORK_ORDERS && writer >= 0 &&
			    is_worth_trying(w, &w->tallies[k], &list[i], UNIT_PROBE))
				add_stop(w, list[i].address, list[i].touch[writer]);
		}
	}
}

/* The time is up. A race of which nothing is known yet gets more time. */
static bool is_too_late(const struct worker *w, struct race_tally *tally)
{
	const struct classifier *c = w->classifier;

	if (!classifier_out_of_time(c) || (!tally->k && !classifier_must_give_up(c)))
		return false;
	if (!tally->k)
		snprintf(tally->why, sizeof tally->why, "the time was up before it was tried (--budget, --resume)");
	return true;
}

/* False: the process is lost. */
static bool try_unit(struct worker *w, struct race_tally *tally, const struct board_instance *at, enum unit_kind kind)
{
	const struct unit u = journal_unit(w->primary->key, tally, at, kind);

	if (!is_worth_trying(w, tally, at, kind) || is_too_late(w, tally))
		return true;
	if (!(kind == UNIT_PROBE ? instance_probe(w, tally, at) : instance_try(w, tally, at)))
		return false;
	failure_list_save(w->classifier);
	if (!*w->classifier->stop)
		journal_note_tally(w->classifier->journal, &u, tally);
	return true;
}

/* Tries what is to be tried at this stop. False: the process is lost. */
static bool work_at_stop(struct worker *w, const struct board_stop *stop)
{
	struct board_instance list[INSTANCES_MOST];
	bool ok = true;

	for (size_t k = w->first; ok && k < w->count; k += w->step) {
		struct race_tally *tally = &w->tallies[k];
		for (uint32_t i = 0, n = instances_of(w, tally->seen, list); ok && i < n; i++) {
			int writer = instance_writer(tally->seen, &list[i]);
			if (list[i].address != stop->address)
				continue;
			if (list[i].touch[0] == stop->touch)
				ok = try_unit(w, tally, &list[i], unit_of[w->work]);
			if (ok && w->work == WORK_ORDERS && writer >= 0 && list[i].touch[writer] == stop->touch)
				ok = try_unit(w, tally, &list[i], UNIT_PROBE);
		}
	}
	return ok;
}

static void set_position(struct worker *w, const struct board_stop *stop)
{
	const struct execution *x = w->primary->execution;

	w->touch = stop->touch;
	for (uint32_t i = 0; i < x->nwatched; i++)
		if (x->watched[i].address == stop->address)
			w->watch = x->watched[i];
}

static bool prepare(struct worker *w, struct error *e)
{
	const struct execution *x = w->primary->execution;

	if (!replayer_prepare(&w->replayer, w->classifier, x, e))
		return false;
	struct board_config *c = &w->replayer.process.board->config;
	c->detect = DETECT_RACES;
	c->stop = STOP_SERVE;
	c->event_budget = BUDGET_FACTOR * (w->classifier->points + LEAST_POINTS);
	c->turn_budget = BUDGET_FACTOR * w->classifier->turns + LEAST_TURNS;
	struct board *b = w->replayer.process.board;
	b->ntouches = x->ntouches;
	if (x->ntouches)
		memcpy(b->touches, x->touches, x->ntouches * sizeof *x->touches);
	set_stops(w);
	return true;
}

/* All work of one worker. */
static void *run_worker(void *arg)
{
	struct worker *w = arg;
	struct board_plan as_recorded = {.order = PLAN_RECORDED, .seed = w->primary->execution->result->seed};
	struct board *b = w->replayer.process.board;

	/* after the last stop nothing more is needed */
	for (uint32_t left = b->nstops; left && !w->process_lost && replayer_hear(&w->replayer) == 'S'; left--) {
		uint32_t i = b->stop_reached < b->nstops ? b->stop_reached : 0;
		const struct board_stop stop = b->stops[i];
		b->stops[i].over = true;
		set_position(w, &stop);
		if (!w->has_recorded && !(w->has_recorded = worker_try(w, &as_recorded, &w->recorded)))
			break;
		if (!work_at_stop(w, &stop) || !replayer_say(&w->replayer, BOARD_GO_ON))
			break;
	}
	return NULL;
}

/* Each worker replays the primary once. True: some stops did not fit. */
static bool run_once(struct classifier *c, const struct primary *p, struct race_tallies *all, enum work_kind work)
{
	size_t count = all->count;
	bool no_room = false;
	size_t jobs = c->config->jobs < count ? c->config->jobs : count;
	struct worker *workers = must_alloc(jobs * sizeof *workers);
	struct error e;

	for (size_t i = 0; i < jobs; i++) {
		struct worker *w = &workers[i];
		*w = (struct worker){.classifier = c,
		                     .primary = p,
		                     .work = work,
		                     .tallies = all->list,
		                     .first = i,
		                     .step = jobs,
		                     .count = count,
		                     .replayer = replayer_nothing};
		if (!prepare(w, &e) ||
		    (w->replayer.process.board->nstops &&
		     (!replayer_start(&w->replayer, c, &e) || pthread_create(&w->thread, NULL, run_worker, w)))) {
			if (!classifier_must_give_up(c))
				fprintf(stderr, "omen: cannot classify: %s\n", e.text);
			w->thread = 0;
		}
	}
	for (size_t i = 0; i < jobs; i++) {
		struct worker *w = &workers[i];
		if (w->thread)
			pthread_join(w->thread, NULL);
		trial_free(&w->recorded);
		take_leads(&c->leads, &w->leads);
		replayer_end(&w->replayer);
		no_room |= w->no_room;
	}
	free(workers);
	return no_room;
}

void workers_run(struct classifier *c, const struct primary *p, struct race_tallies *all, enum work_kind work)
{
	size_t tried;

	do
		tried = c->journal->nunits;
	while (!classifier_must_give_up(c) && run_once(c, p, all, work) && c->journal->nunits > tried);
}
