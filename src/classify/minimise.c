/*
 * Delta debugging over the turns of an execution. The choices of a schedule stand at points that are counted over all
 * threads, so none of them would fit if an earlier one were left out. Turns, each up to a point of the thread's own,
 * keep their meaning (rt/strategy/follow.c). If a turn is left out, the thread makes up for it in its next one. A
 * shorter list of turns is only a proposal: an execution is made from the same snapshot, and it is kept, with the
 * choices that it really made, if it shows the same and switches less.
 */
#include "classify/minimise.h"

#include <stdlib.h>
#include <string.h>

#include "classify/evidence_trace.h"
#include "classify/worker.h"
#include "format/schedule.h"

#define TRIES       100
#define SECONDS     0.7
#define TRIES_LEAST 4 /* tries that are made even if they take longer: the ones that succeed most often */

struct minimiser {
	struct worker worker;
	struct primary primary; /* the execution that was found */
	const struct finding *finding;
	const struct verdict *verdict;
	bool from_recording; /* begin where the recording is left, not at the stop before the race */
	bool holds;          /* threads are held as in the execution found; it is tried without holding first */
	bool cuts;           /* the execution must stay one that no lock would allow */
	uint64_t tries;
	double end;
	struct execution *best; /* the alternate so far */
	struct board_step *steps;
	size_t count;
	bool follows;      /* `steps` were followed, and show the same */
	bool accept_equal; /* accept an execution that switches as often */
};

/* How many points of its own each thread has made. */
struct counts {
	struct {
		uint32_t fiber;
		uint64_t made;
	} *list;
	size_t count;
};

static uint64_t *made_by(struct counts *all, uint32_t fiber)
{
	size_t i = 0;

	while (i < all->count && all->list[i].fiber != fiber)
		i++;
	if (i == all->count) {
		all->list = must_resize(all->list, (i + 1) * sizeof *all->list);
		all->list[all->count++].fiber = fiber;
		all->list[i].made = 0;
	}
	return &all->list[i].made;
}

static void add_step(struct minimiser *m, uint32_t kind, uint32_t fiber, uint32_t chosen, uint64_t until)
{
	if (!(m->count & (m->count - 1)))
		m->steps = must_resize(m->steps, (m->count ? 2 * m->count : 1) * sizeof *m->steps);
	m->steps[m->count++] = (struct board_step){.kind = kind, .fiber = fiber, .chosen = chosen, .until = until};
}

static void add_turns(struct minimiser *m, const struct schedule *s, uint64_t first, uint64_t since)
{
	struct counts all = {0};
	uint32_t running = 0;
	bool stopped = false;

	for (uint64_t i = first; i < s->count; i++) {
		const struct schedule_entry *e = &s->entries[i];
		uint64_t *made = made_by(&all, e->from), n = e->point - since;
		bool control = e->kind == CHOICE_HOLD || e->kind == CHOICE_RELEASE;
		running = e->kind == CHOICE_RUN ? e->chosen : e->from;
		if (e->kind == CHOICE_WAKE || e->kind == CHOICE_PICK) {
			add_step(m, e->kind, e->from, e->chosen, *made + n);
			continue;
		}
		/* before the stop's access there is a point that other executions do not have */
		bool extra = m->from_recording && !stopped && e->kind == CHOICE_HOLD && n;
		stopped |= extra;
		*made += n - extra - (e->blocked && n);
		since = e->point;
		/* a thread that blocked does not come so far */
		add_step(m, CHOICE_RUN, e->from, 0, *made + (e->blocked != 0));
		if (e->kind == CHOICE_TIME || (control && m->holds))
			add_step(m, e->kind, e->from, 0, 0);
	}
	add_step(m, CHOICE_RUN, running, 0, *made_by(&all, running) + m->best->result->points - since);
	free(all.list);
}

/* Derives the steps of the best execution, from where the process stands. */
static bool derive_steps(struct minimiser *m)
{
	const struct board *b = m->worker.replayer.process.board;
	struct schedule s;
	struct error e;
	bool ok = schedule_decode("its schedule", &m->best->schedule, &s, &e) && b->stop_entries <= s.count;

	m->count = 0;
	if (ok)
		add_turns(m, &s, b->stop_entries, b->stop_point);
	schedule_free(&s);
	return ok;
}

/* Starts a process that stands where executions begin. */
static bool begin(struct minimiser *m)
{
	struct worker *w = &m->worker;
	struct error e;
	const struct execution *x = m->best;

	if (!replayer_prepare(&w->replayer, w->classifier, x, &e))
		return false;
	struct board *b = w->replayer.process.board;
	b->config.detect = DETECT_RACES;
	b->config.stop = STOP_SERVE;
	b->config.event_budget = BUDGET_FACTOR * (x->result->points + x->result->unseen + LEAST_POINTS);
	b->config.turn_budget = BUDGET_FACTOR * w->classifier->turns + LEAST_TURNS;
	b->watched[0] = m->finding->watch;
	b->nwatched = 1;
	if (m->from_recording) {
		b->config.departs = false;
		b->config.next_strategy.id = STRATEGY_FOLLOW;
		b->config.runs = 2 * TRIES;
		b->config.step = 0; /* the same seed every time */
	} else {
		w->watch = m->finding->watch;
		w->touch = m->finding->touch;
		b->nstops = 1;
		b->stops[0] = (struct board_stop){.address = m->finding->watch.address, .touch = m->finding->touch};
	}
	/* of executions that begin where the recording is left, the first one is made without being asked for */
	return replayer_start(&w->replayer, w->classifier, &e) &&
	       replayer_hear(&w->replayer) == (m->from_recording ? 'R' : 'S');
}

static bool is_over(const struct minimiser *m)
{
	return m->worker.process_lost || m->tries >= TRIES || (m->tries >= TRIES_LEAST && classifier_now() > m->end) ||
	       classifier_must_give_up(m->worker.classifier);
}

/* It has the same consequence, from the same order of the two accesses, and no more answers were invented. */
static bool shows(const struct minimiser *m, const struct trial *t)
{
	const struct finding *f = m->finding;
	bool violation = trial_is_violation(&f->trial);

	if (t->invented > f->trial.invented || !t->execution || t->execution->lost_entries)
		return false;
	if (!m->from_recording && f->plan.order == PLAN_SECOND && f->trial.outcome == PLAN_DONE &&
	    t->outcome != PLAN_DONE)
		return false;
	if (violation)
		return trial_is_violation(t) && trial_same_violation(t, &f->trial);
	return trial_is_complete(t) && trial_same_output(t, &f->trial);
}

static int compare(const struct board_result *a, const struct board_result *b)
{
	if (a->preemptions != b->preemptions)
		return a->preemptions < b->preemptions ? -1 : 1;
	return a->switches < b->switches ? -1 : a->switches > b->switches;
}

/* Follows the steps, except for `n` of them from `without` on. False: that is not possible. */
static bool follow_steps(struct minimiser *m, size_t without, size_t n, struct trial *t)
{
	struct board *b = m->worker.replayer.process.board;
	struct board_plan p = m->finding->plan;

	b->nsteps = 0;
	for (size_t i = 0; i < m->count; i++) {
		const struct board_step *s = &m->steps[i];
		if (i >= without && i - without < n && s->kind != CHOICE_HOLD && s->kind != CHOICE_RELEASE)
			continue;
		if (b->nsteps && s->kind == CHOICE_RUN && b->steps[b->nsteps - 1].kind == CHOICE_RUN &&
		    b->steps[b->nsteps - 1].fiber == s->fiber)
			b->nsteps--;
		if (b->nsteps == BOARD_STEPS)
			return false;
		b->steps[b->nsteps++] = *s;
	}
	p.order = PLAN_FOLLOW;
	p.seed = m->best->result->seed;
	p.compare = true;
	p.next_strategy.id = STRATEGY_FOLLOW;
	m->tries++;
	return worker_try(&m->worker, &p, t);
}

/* It stays an execution that a lock would not allow. This takes a replay. */
static bool keeps_cut(const struct minimiser *m, struct execution *x)
{
	struct verdict v = *m->verdict;

	v.alternate = x;
	v.moments = NULL;
	v.touch = m->from_recording ? 0 : v.touch;
	bool ok = evidence_trace(m->worker.classifier, m->finding, &v) && v.cuts;
	free(v.moments);
	return ok;
}

/* Follows the steps. True: it shows the same with less, or is the first to do so. */
static bool try_without(struct minimiser *m, size_t without, size_t n)
{
	struct trial t = {0};
	bool ok = follow_steps(m, without, n, &t) && shows(m, &t);
	int less = ok ? compare(t.execution->result, m->best->result) : 1;
	ok = ok && (less < 0 || !m->follows || (m->accept_equal && !less)) && (!m->cuts || keeps_cut(m, t.execution));
	if (ok) {
		if (m->best != m->primary.execution)
			execution_free(m->best);
		m->best = t.execution;
		t.execution = NULL;
		m->follows = derive_steps(m);
	}
	trial_free(&t);
	return ok && m->follows;
}

/* Few switches are often enough: tries the first steps only, more and more of them. */
static bool try_prefixes(struct minimiser *m)
{
	for (size_t n = m->holds ? m->count : 1; !is_over(m); n *= 2) {
		if (n > m->count)
			n = m->count;
		if (try_without(m, n, m->count))
			return true;
		if (n == m->count)
			break;
	}
	return false;
}

/* Leaves pieces out, smaller and smaller ones. */
static void leave_out(struct minimiser *m)
{
	for (size_t size = (m->count + 1) / 2; size && !is_over(m);) {
		bool less = false;
		for (size_t i = 0; i < m->count && !is_over(m);) {
			if (try_without(m, i, size))
				less = true;
			else
				i += size;
		}
		if (size > m->count)
			size = m->count;
		size = size == 1 && less ? 1 : size / 2;
	}
}

/* Joins a turn of a thread to the end of its turn before. */
static bool join_turn_before(struct minimiser *m, size_t i)
{
	size_t before = i;

	if (m->steps[i].kind != CHOICE_RUN)
		return false;
	while (before-- > 0)
		if (m->steps[before].kind == CHOICE_RUN && m->steps[before].fiber == m->steps[i].fiber)
			break;
	if (before >= i)
		return false;
	uint64_t until = m->steps[before].until;
	m->steps[before].until = m->steps[i].until;
	if (try_without(m, i, 1))
		return true;
	m->steps[before].until = until;
	return false;
}

/* Lets a turn go on until the thread has to wait: that saves a preemption. */
static bool extend(struct minimiser *m, size_t i)
{
	uint64_t until = m->steps[i].until;

	if (m->steps[i].kind != CHOICE_RUN || i + 1 >= m->count)
		return false;
	m->steps[i].until = UINT64_MAX;
	if (try_without(m, m->count, 0))
		return true;
	m->steps[i].until = until;
	return false;
}

static bool move_any(struct minimiser *m)
{
	for (size_t i = 0; i < m->count && !is_over(m); i++)
		if (extend(m, i) || join_turn_before(m, i))
			return true;
	return false;
}

#define LATER 3 /* points */

/*
 * Lets a turn end a little later. This is no better by itself, but the next thread may then have to wait where it was
 * preempted before.
 */
static bool end_turn_later(struct minimiser *m, size_t i, uint64_t later)
{
	struct execution *before = execution_copy(m->best);

	m->steps[i].until += later;
	m->accept_equal = true;
	bool moved = try_without(m, m->count, 0);
	m->accept_equal = false;
	if (moved && move_any(m)) {
		execution_free(before);
		return true;
	}
	if (m->best != m->primary.execution)
		execution_free(m->best);
	m->best = before;
	m->follows = derive_steps(m);
	return false;
}

static bool move_any_later(struct minimiser *m)
{
	for (size_t i = 0; i + 1 < m->count && m->follows && m->best->result->preemptions; i++)
		for (uint64_t later = 1; later <= LATER && !is_over(m) && m->follows && i + 1 < m->count; later++)
			if (m->steps[i].kind == CHOICE_RUN && m->steps[i].until < UINT64_MAX - LATER &&
			    end_turn_later(m, i, later))
				return true;
	return false;
}

/* True: `best` has changed. */
static bool search(struct minimiser *m)
{
	struct execution *before = m->best;

	m->worker.primary = &m->primary;
	m->primary.execution = m->best;
	m->follows = m->holds = false;
	if (begin(m) && derive_steps(m)) {
		bool follows = try_prefixes(m);
		if (!follows && !m->from_recording && !is_over(m)) {
			m->holds = true;
			follows = derive_steps(m) && try_prefixes(m);
		}
		if (follows)
			do
				leave_out(m);
			while (move_any(m) || move_any_later(m));
	}
	replayer_end(&m->worker.replayer);
	free(m->steps);
	m->steps = NULL;
	m->count = 0;
	if (m->best == before || compare(m->best->result, before->result) < 0)
		return m->best != before;
	execution_free(m->best);
	m->best = before;
	return false;
}

static bool trace_alternate(struct classifier *c, const struct finding *f, struct verdict *v, struct execution *x,
                            bool from_recording)
{
	struct execution *was = v->alternate;
	uint64_t touch = v->touch;

	v->alternate = x;
	if (from_recording)
		v->touch = 0;
	if (evidence_trace(c, f, v))
		return true;
	v->alternate = was;
	v->touch = touch;
	return false;
}

/* Reduces in one way. True: the verdict has another alternate. */
static bool reduce(struct classifier *c, const struct finding *f, struct verdict *v, bool from_recording, bool cuts)
{
	struct minimiser m = {.worker = {.classifier = c, .replayer = replayer_nothing},
	                      .finding = f,
	                      .verdict = v,
	                      .from_recording = from_recording,
	                      .cuts = cuts,
	                      .end = classifier_now() + SECONDS,
	                      .best = v->alternate};
	struct execution *was = v->alternate;

	if (!search(&m))
		return false;
	if (trace_alternate(c, f, v, m.best, from_recording)) {
		execution_free(was);
		return true;
	}
	execution_free(m.best);
	return false;
}

static bool reduce_either_way(struct classifier *c, const struct finding *f, struct verdict *v, bool cuts)
{
	/* an execution that never held a thread, or left its recording long before, may not need what came before */
	return (v->alternate->departs_at && reduce(c, f, v, true, cuts)) || (v->touch && reduce(c, f, v, false, cuts));
}

/*
 * The verdict has a shorter execution than the one that was found. If no lock would allow the found one, but a lock
 * would allow the shorter one, the shorter one is wrong and the found one is restored. Takes `found` over.
 */
static bool restore_found(struct classifier *c, const struct finding *f, struct verdict *v, struct execution *found,
                          uint64_t touch)
{
	struct verdict before = *v;

	before.alternate = found;
	before.touch = touch;
	before.moments = NULL;
	bool ok = !v->cuts && evidence_trace(c, f, &before) && before.cuts;
	execution_free(ok ? v->alternate : found);
	free(ok ? v->moments : before.moments);
	if (ok)
		*v = before;
	return ok;
}

void minimise_evidence(struct classifier *c, const struct finding *f, struct verdict *v)
{
	v->found = (struct effort){v->alternate->result->preemptions, v->alternate->result->switches};
	if (v->alternate->lost_entries || classifier_must_give_up(c))
		return;
	struct execution *found = execution_copy(v->alternate);
	uint64_t touch = v->touch;
	if (!reduce_either_way(c, f, v, false)) {
		execution_free(found);
		evidence_trace(c, f, v);
	} else if (restore_found(c, f, v, found, touch)) {
		reduce_either_way(c, f, v, true);
	}
}

struct execution *execution_make_undirected(struct classifier *c, const struct execution *x)
{
	struct finding any = {.found = true};
	struct minimiser m = {.worker = {.classifier = c, .replayer = replayer_nothing},
	                      .primary = {.execution = (struct execution *)x},
	                      .finding = &any,
	                      .from_recording = true,
	                      .best = (struct execution *)x};
	struct execution *made = NULL;
	struct trial t = {0};

	m.worker.primary = &m.primary;
	if (begin(&m) && derive_steps(&m) && follow_steps(&m, m.count, 0, &t) && t.execution &&
	    !t.execution->lost_entries) {
		made = t.execution;
		t.execution = NULL;
		made->races++;
	}
	trial_free(&t);
	replayer_end(&m.worker.replayer);
	free(m.steps);
	return made;
}
