/*
 * A race's verdict comes from executions that make its two accesses in the other order (docs/design.md,
 * "Classification").  The recording is replayed once by each worker; before the first access of each instance the
 * replay stops, and from a snapshot of it executions are made: in the recorded order, for comparison, and in the other
 * one, first with as little change as possible, then with schedules of their own.
 *
 * What only ever happens in the other order is this race's doing.  What happens in both is some other race's, if one
 * of those claims it for itself; otherwise it counts.
 */
#include "cmd/classify.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/execute.h"
#include "cmd/trial.h"
#include "cmd/world.h"
#include "report/verdict.h"
#include "trace/names.h"
#include "trace/schedule.h"

#define OUTPUT_LIMIT (16u << 20)
#define CONTROLS     10 /* executions in the recorded order that must not show what is blamed on the other one */
#define PROBES       4
#define ENOUGH       8 /* tries without success, for a reason, that the other order cannot happen */
#define EXPLORED     10 /* executions for each primary that is chosen from them */
#define NO_END       5 /* times the points of the recording, for a thread to come to its access */
#define FEWEST       1000000
#define PATIENCE_MS  60000

/* What one race has shown. */
struct finding {
	bool found;
	bool sure; /* with nothing changed but the order of the two accesses; else some other race may have done it */
	struct trial trial, primary; /* and what the primary printed */
	struct board_watch watch;
	uint64_t touch;
};

struct subject {
	struct race *race;
	const struct board_race *seen; /* in the primary under way; NULL: it does not have it */
	struct finding spec, output;
	uint64_t k, enforced, impossible, spun, unknown, invented;
	bool budget, flag, tried, blind;
	uint32_t probes;
	uint32_t equal, differ, failed; /* instances, by the states after the two orders */
	char why[200];
};

/* An execution that races are tried in: the recorded one, or one that has left it at its first point. */
struct primary {
	struct execution *execution;
	struct board_race *races;
	uint32_t count;
};

struct worker {
	struct classifier *classifier;
	const struct primary *primary;
	struct subject *subjects;
	size_t first, step, count;
	struct process process;
	int output[2];
	struct trial recorded; /* the primary to its end */
	bool has_recorded, lost;
	pthread_t thread;
};

/* ---- talking to the process ---- */

/* The next byte it says; 0: it is gone. */
static char hear(struct worker *w)
{
	char said;
	ssize_t n;

	while ((n = read(w->process.control, &said, 1)) < 0 && errno == EINTR)
		;
	return n == 1 ? said : 0;
}

static bool say(struct worker *w, char what) { return write(w->process.control, &what, 1) == 1; }

/* One execution from where the process stands. False: the process is lost. */
static bool try(struct worker *w, const struct board_plan *plan, struct trial *t)
{
	struct board *b = w->process.board;

	*t = (struct trial){.order = plan->order};
	b->plan = *plan;
	if (!say(w, BOARD_PLAN) || hear(w) != 'R') {
		w->lost = true;
		return false;
	}
	const struct board_result *r = &b->result;
	t->outcome = b->plan.outcome;
	t->state = b->plan.state;
	t->touched = b->plan.touched;
	t->ending = r->ending;
	t->status = r->status;
	t->signature = r->signature;
	t->invented = b->invented;
	for (int i = 0; i < 2; i++)
		t->output[i] = capture_read(w->output[i], OUTPUT_LIMIT);
	if (plan->order == PLAN_SECOND || plan->compare) {
		t->execution = execution_take(b);
		t->execution->departs_at = w->primary->execution->departs_at;
	}
	__atomic_add_fetch(&w->classifier->executions, 1, __ATOMIC_RELAXED);
	return true;
}

/* ---- one instance ---- */

struct instance {
	struct worker *worker;
	struct subject *subject;
	const struct board_instance *at;
	struct board_plan plan; /* what is the same for all */
	struct trials primaries;
	uint64_t next_control; /* seed */
	struct board_watch watch;
};

static struct board_plan plan_for(const struct instance *x, uint32_t order, uint64_t seed)
{
	struct board_plan p = x->plan;

	p.order = order;
	p.seed = seed;
	p.onward.id = seed ? STRATEGY_RANDOM : STRATEGY_FAIR;
	p.compare = !seed;
	return p;
}

static bool add_primary(struct instance *x, uint64_t seed)
{
	struct board_plan p = plan_for(x, PLAN_FIRST, seed);
	struct trial t;

	if (!try(x->worker, &p, &t))
		return false;
	x->primaries.list = must_resize(x->primaries.list, (x->primaries.count + 1) * sizeof t);
	x->primaries.list[x->primaries.count++] = t;
	return true;
}

/* Does an execution with the recorded order print the same? */
static bool is_known(const struct instance *x, const struct trial *t)
{
	for (size_t i = 0; i < x->primaries.count; i++)
		if (trial_same_output(&x->primaries.list[i], t))
			return true;
	return trial_same_output(&x->worker->recorded, t);
}

/* The recorded order's output is itself not always the same: then the order of lines says nothing. */
static bool is_reordered(const struct instance *x, const struct trial *t)
{
	bool varies = false, same = false;

	for (size_t i = 0; i < x->primaries.count; i++) {
		const struct trial *p = &x->primaries.list[i];
		if (!trial_is_complete(p))
			continue;
		varies |= !trial_same_output(p, &x->worker->recorded);
		same |= trial_same_lines(p, t);
	}
	return varies && (same || trial_same_lines(&x->worker->recorded, t));
}

static void keep(struct finding *f, struct trial *t, const struct instance *x, bool sure)
{
	if (f->found && (f->sure || !sure))
		return;
	const struct trial *primary = &x->worker->recorded;
	trial_free(&f->trial);
	trial_free(&f->primary);
	*f = (struct finding){.found = true, .sure = sure, .trial = *t, .watch = x->watch, .touch = x->at->touch[0]};
	*t = (struct trial){0};
	f->primary.status = primary->status;
	for (int i = 0; i < 2; i++)
		bytes_add(&f->primary.output[i], primary->output[i].data, primary->output[i].size);
}

static void count_outcome(struct subject *s, const struct trial *t)
{
	s->k++;
	s->invented += t->invented != 0;
	s->enforced += t->outcome == PLAN_DONE;
	s->impossible += t->outcome == PLAN_BLOCKED || t->outcome == PLAN_SPINS || t->outcome == PLAN_ENDED;
	s->spun += t->outcome == PLAN_SPINS;
	s->budget |= t->outcome == PLAN_BUDGET;
	s->unknown += !trial_is_violation(t) && !trial_is_complete(t);
}

/* A violation that the primary does not have. */
static bool take_violation(struct instance *x, struct trial *t, bool sure)
{
	const struct trial *recorded = &x->worker->recorded;

	if (!trial_is_violation(t) || (trial_is_violation(recorded) && recorded->signature == t->signature))
		return false;
	keep(&x->subject->spec, t, x, sure);
	return true;
}

/* Judges an execution with the other order. False: the process is lost. */
static bool judge(struct instance *x, struct trial *t, uint64_t seed)
{
	struct subject *s = x->subject;

	count_outcome(s, t);
	bool done = t->outcome == PLAN_DONE; /* otherwise it shows what holding a thread does, not what the order does */
	if (take_violation(x, t, !seed && done) || !done || !trial_is_complete(t) || s->output.sure || s->spec.found ||
	    is_known(x, t))
		return true;
	for (uint64_t i = 0; i < CONTROLS && !is_known(x, t); i++)
		if (!add_primary(x, i ? x->next_control++ : seed))
			return false;
	if (!is_known(x, t) && !is_reordered(x, t))
		keep(&s->output, t, x, !seed);
	return true;
}

static bool second(struct instance *x, uint64_t seed, struct trial *t)
{
	struct board_plan p = plan_for(x, PLAN_SECOND, seed);

	return try(x->worker, &p, t);
}

/* The other order, and the other thread is far ahead when the first one follows. */
static bool linger(struct instance *x, struct trial *t)
{
	struct board_plan p = plan_for(x, PLAN_SECOND, 0);

	p.lingers = true;
	return try(x->worker, &p, t);
}

static void note_states(struct subject *s, const struct trial *first, const struct trial *other)
{
	if (first->outcome != PLAN_DONE || other->outcome != PLAN_DONE)
		s->failed++;
	else if (first->state && first->state == other->state)
		s->equal++;
	else if (first->state && other->state)
		s->differ++;
}

/* The two orders, with nothing else changed, print something else: also if one of them prints what was recorded. */
static void compare_orders(struct instance *x, struct trial *first, struct trial *other)
{
	struct subject *s = x->subject;
	bool both = first->outcome == PLAN_DONE && other->outcome == PLAN_DONE && trial_is_complete(first) &&
	            trial_is_complete(other);

	if (both && !s->spec.found && !s->output.sure && !trial_same_lines(first, other))
		keep(&s->output, trial_same_output(other, &x->worker->recorded) ? first : other, x, true);
}

/* Of the executions asked for, the share of one instance in one primary. */
static uint64_t tries(const struct options *o)
{
	uint64_t n = o->k / (o->instances * (o->primaries + 1));

	return n > 2 ? n : 2;
}

/* Whatever follows two equal states is the same. */
static bool all_tries(struct instance *x)
{
	struct subject *s = x->subject;
	uint64_t k = tries(x->worker->classifier->options);
	struct trial t;

	if (!second(x, 0, &t))
		return false;
	if (t.outcome == PLAN_BLOCKED || t.outcome == PLAN_SPINS || t.outcome == PLAN_ENDED) { /* once more, in case others get in the way */
		s->failed++;
		bool ok = judge(x, &t, 0);
		trial_free(&t);
		ok = ok && second(x, 1, &t) && judge(x, &t, 1);
		trial_free(&t);
		return ok;
	}
	if (!add_primary(x, 0))
		return false;
	uint32_t equal = s->equal;
	note_states(s, &x->primaries.list[0], &t);
	if (x->primaries.list[0].outcome == PLAN_DONE) /* the same order, with nothing between */
		take_violation(x, &x->primaries.list[0], true);
	bool ok = judge(x, &t, 0);
	compare_orders(x, &x->primaries.list[0], &t);
	trial_free(&t);
	if (s->equal != equal)
		return ok;
	ok = ok && linger(x, &t) && judge(x, &t, 0);
	trial_free(&t);
	for (uint64_t seed = 1; ok && seed < k && !s->spec.sure && !*x->worker->classifier->stop; seed++) {
		ok = second(x, seed, &t) && judge(x, &t, seed);
		trial_free(&t);
	}
	return ok;
}

static const struct board_access *other_access(const struct board_race *r, const struct board_instance *i)
{
	return &r->access[i->swapped ? 0 : 1];
}

static bool try_instance(struct worker *w, struct subject *s, const struct board_instance *at)
{
	const struct board_access *other = other_access(s->seen, at);
	const struct execution *primary = w->primary->execution;
	uint64_t points = NO_END * primary->result->points + FEWEST;
	struct instance x = {.worker = w,
	                     .subject = s,
	                     .at = at,
	                     .next_control = 1000000,
	                     .plan = {.site = other->site,
	                              .flags = other->flags,
	                              .fiber = at->fiber[1],
	                              .budget = points}};

	s->tried = true;
	for (uint32_t i = 0; i < primary->nwatched; i++)
		if (primary->watched[i].address == at->address)
			x.watch = primary->watched[i];
	bool ok = all_tries(&x);
	trials_free(&x.primaries);
	return ok;
}

/* ---- user-made synchronisation ---- */

/* One writes and the other reads; which of the instance's two accesses is the write, or -1. */
static int writer_of(const struct board_race *r, const struct board_instance *i)
{
	bool write[2];

	for (int k = 0; k < 2; k++)
		write[k] = r->access[i->swapped ? 1 - k : k].flags & ACCESS_WRITE;
	return write[0] == write[1] ? -1 : write[0] ? 0 : 1;
}

/* The writer is held: does the other one only wait for what it would write? */
static bool probe(struct worker *w, struct subject *s, const struct board_instance *at, int writer)
{
	const struct board_access *reader = &s->seen->access[(writer == 0) != (at->swapped != 0) ? 1 : 0];
	struct board_plan p = {.order = PLAN_PROBE,
	                       .site = reader->site,
	                       .flags = reader->flags,
	                       .fiber = at->fiber[1 - writer],
	                       .budget = NO_END * w->primary->execution->result->points + FEWEST,
	                       .onward = {.id = STRATEGY_FAIR}};
	struct trial t;

	s->probes++;
	if (!try(w, &p, &t))
		return false;
	s->flag |= t.outcome == PLAN_SPINS && t.touched > 1;
	trial_free(&t);
	return true;
}

/* ---- the replay and its stops ---- */

/* Which instances: the first, the last, and those between as far as asked for. */
static uint32_t instances_of(const struct worker *w, const struct board_race *r, const struct board_instance **out)
{
	uint32_t have = !r ? 0 : r->ninstances < BOARD_INSTANCES ? r->ninstances : BOARD_INSTANCES, n = 0;
	uint32_t want = (uint32_t)w->classifier->options->instances;

	for (; n < want && n < have; n++)
		out[n] = &r->instance[n + 1 == want ? have - 1 : n];
	return n;
}

static void add_stop(struct board *b, uint64_t address, uint64_t touch)
{
	for (uint32_t i = 0; i < b->nstops; i++)
		if (b->stops[i].address == address && b->stops[i].touch == touch)
			return;
	if (b->nstops < BOARD_STOPS)
		b->stops[b->nstops++] = (struct board_stop){.address = address, .touch = touch};
}

static void set_stops(struct worker *w)
{
	const struct board_instance *list[BOARD_INSTANCES];

	for (size_t k = w->first; k < w->count; k += w->step) {
		const struct board_race *r = w->subjects[k].seen;
		for (uint32_t i = 0, n = instances_of(w, r, list); i < n; i++) {
			int writer = writer_of(r, list[i]);
			add_stop(w->process.board, list[i]->address, list[i]->touch[0]);
			if (writer > 0)
				add_stop(w->process.board, list[i]->address, list[i]->touch[writer]);
		}
	}
}

/* More tries would not change it, or enough were made. */
static bool is_decided(const struct classifier *c, const struct subject *s)
{
	bool impossible = !s->enforced && s->impossible >= ENOUGH && !s->budget;

	return s->spec.sure || s->flag || impossible || s->k >= 3 * c->options->k;
}

/* What is to be tried here. False: the process is lost. */
static bool at_stop(struct worker *w, const struct board_stop *stop)
{
	const struct board_instance *list[BOARD_INSTANCES];
	bool ok = true;

	for (size_t k = w->first; ok && k < w->count; k += w->step) {
		struct subject *s = &w->subjects[k];
		for (uint32_t i = 0, n = instances_of(w, s->seen, list); ok && i < n; i++) {
			if (list[i]->address != stop->address || *w->classifier->stop)
				continue;
			if (list[i]->touch[0] == stop->touch && !is_decided(w->classifier, s))
				ok = try_instance(w, s, list[i]);
			int writer = writer_of(s->seen, list[i]);
			if (ok && writer >= 0 && list[i]->touch[writer] == stop->touch && !s->flag && s->probes < PROBES)
				ok = probe(w, s, list[i], writer);
		}
	}
	return ok;
}

/* A process that replays the primary. */
static bool prepare_replay(const struct classifier *c, const struct execution *x, struct process *p, struct error *e)
{
	struct schedule s;
	bool ok = schedule_decode("its schedule", &x->schedule, &s, e) && s.count <= SCHEDULE_MAX &&
	          process_prepare(p, e);

	if (ok) {
		struct board *b = p->board;
		configure(b, c->manifest, BOARD_RUN);
		b->config.strategy.id = STRATEGY_REPLAY;
		b->config.seed = x->result->seed;
		b->config.timeout_ms = c->options->timeout_ms ? c->options->timeout_ms : PATIENCE_MS;
		b->config.check = CHECK_FOLLOW;
		b->config.departs = x->departs_at != 0;
		b->config.stop_at = x->departs_at;
		if (s.count)
			memcpy(b->schedule, s.entries, s.count * sizeof *s.entries);
		b->replay_entries = s.count;
		if (x->nwatched)
			memcpy(b->watched, x->watched, x->nwatched * sizeof *x->watched);
		b->nwatched = x->nwatched;
		ok = world_give_file(p, c->input->log, e);
	}
	schedule_free(&s);
	return ok;
}

static bool prepare(struct worker *w, struct error *e)
{
	const struct execution *x = w->primary->execution;

	if (!prepare_replay(w->classifier, x, &w->process, e))
		return false;
	struct board_config *c = &w->process.board->config;
	c->detect = DETECT_RACES;
	c->stop = STOP_SERVE;
	c->event_budget = NO_END * (x->result->points + FEWEST);
	set_stops(w);
	return true;
}

/* Starts it, with its output caught. */
static bool start(const struct classifier *c, struct process *p, int output[2], struct error *e)
{
	const struct manifest *m = c->manifest;
	int input = input_open(c->input, e);

	output[0] = capture_open(e);
	output[1] = capture_open(e);
	struct launch l = {.path = m->path,
	                   .argv = m->argv,
	                   .env = m->env,
	                   .streams = {input, output[0], output[1]},
	                   .own_group = true};
	bool ok = input >= 0 && output[0] >= 0 && output[1] >= 0 && process_start(p, &l, e);
	if (input >= 0)
		close(input);
	return ok;
}

static void finish(struct process *p, const int output[2])
{
	process_end(p);
	for (int i = 0; i < 2; i++)
		if (output[i] >= 0)
			close(output[i]);
}

/* Everything of one worker. */
static void *work(void *arg)
{
	struct worker *w = arg;
	struct board_plan as_recorded = {.order = PLAN_RECORDED, .seed = w->primary->execution->result->seed};

	while (!w->lost && hear(w) == 'S') {
		const struct board *b = w->process.board;
		uint32_t i = b->stop_reached < b->nstops ? b->stop_reached : 0;
		const struct board_stop stop = b->stops[i];
		if (!w->has_recorded && !(w->has_recorded = try(w, &as_recorded, &w->recorded)))
			break;
		if (!at_stop(w, &stop) || !say(w, BOARD_GO_ON))
			break;
	}
	return NULL;
}

/* ---- verdicts ---- */

static void take_evidence(struct verdict *v, struct finding *f)
{
	v->alternate = f->trial.execution;
	f->trial.execution = NULL;
	v->watch = f->watch;
	v->touch = f->touch;
}

static const char *replay_method(const struct subject *s)
{
	return s->failed ? "replay-failure" : s->differ ? "state-change" : s->equal ? "no-state-change" : "replay-failure";
}

/* Both write the same, as far as was seen. */
static bool is_redundant(const struct board_access a[2])
{
	uint32_t both = a[0].flags & a[1].flags;

	return (both & ACCESS_WRITE) && (both & ACCESS_HAS_VALUE) && !((a[0].flags | a[1].flags) & ACCESS_FREE) &&
	       a[0].size == a[1].size && a[0].size <= 8 && a[0].value == a[1].value;
}

static void decide(struct subject *s, bool method)
{
	struct verdict *v = s->race->verdict;

	v->k = s->k;
	v->invented = s->invented;
	v->by_budget = s->budget;
	v->states = s->differ ? STATES_DIFFER : s->equal ? STATES_EQUAL : STATES_UNKNOWN;
	v->replay = method ? replay_method(s) : NULL;
	if (s->spec.found) {
		v->kind = VERDICT_SPEC;
		take_evidence(v, &s->spec);
	} else if (s->output.found) {
		v->kind = VERDICT_OUTPUT;
		trial_difference(v, &s->output.primary, &s->output.trial);
		take_evidence(v, &s->output);
	} else if (s->flag || (s->impossible && !s->enforced && !s->budget)) {
		v->kind = VERDICT_SINGLE;
		v->adhoc = s->flag ? "flag" : s->blind ? NULL : "data";
		v->pattern = v->adhoc ? "user-synchronisation" : NULL;
		snprintf(v->why, sizeof v->why, "%s",
		         s->flag   ? "the read only waits for this write"
		         : s->spun ? "the other thread waits in a loop until the first access was made"
		                   : "the other thread cannot get to its access before the first was made");
	} else if (!s->k) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "%s",
		         s->why[0] ? s->why : "the replay did not come to it");
	} else if (s->unknown == s->k) {
		v->kind = VERDICT_UNKNOWN;
		snprintf(v->why, sizeof v->why, "no execution with the other order came to its end");
	} else {
		v->kind = VERDICT_HARMLESS;
		v->pattern = is_redundant(s->race->seen.access) ? "redundant-write" : NULL;
	}
}

/* What another race is sure to do is not this one's, unless this one is sure too. */
static void settle_claims(struct subject *all, size_t count)
{
	bool output = false;

	for (size_t i = 0; i < count; i++)
		output |= all[i].output.found && all[i].output.sure;
	for (size_t i = 0; i < count; i++) {
		struct subject *s = &all[i];
		for (size_t k = 0; k < count && s->tried && s->spec.found && !s->spec.sure; k++)
			if (all[k].spec.sure && all[k].spec.trial.signature == s->spec.trial.signature)
				s->spec.found = false;
		if (s->tried && s->output.found && !s->output.sure && output)
			s->output.found = false;
	}
}

static void run_workers(struct classifier *c, const struct primary *p, struct subject *subjects, size_t count)
{
	size_t jobs = c->options->jobs < count ? c->options->jobs : count;
	struct worker *workers = must_alloc(jobs * sizeof *workers);
	struct error e;

	for (size_t i = 0; i < jobs; i++) {
		struct worker *w = &workers[i];
		*w = (struct worker){.classifier = c,
		                     .primary = p,
		                     .subjects = subjects,
		                     .first = i,
		                     .step = jobs,
		                     .count = count,
		                     .process = process_nothing,
		                     .output = {-1, -1}};
		if (!prepare(w, &e) || !start(c, &w->process, w->output, &e) ||
		    pthread_create(&w->thread, NULL, work, w)) {
			fprintf(stderr, "omen: cannot classify: %s\n", e.text);
			w->thread = 0;
		}
	}
	for (size_t i = 0; i < jobs; i++) {
		struct worker *w = &workers[i];
		if (w->thread)
			pthread_join(w->thread, NULL);
		trial_free(&w->recorded);
		finish(&w->process, w->output);
	}
	free(workers);
}

/* ---- primaries ---- */

struct subjects {
	struct subject *list;
	size_t count;
};

static struct subject *subject_of(struct subjects *all, struct race *r)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].race == r)
			return &all->list[i];
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	struct subject *s = &all->list[all->count++];
	*s = (struct subject){.race = r};
	return s;
}

/* Which races this execution has. */
static void look_for_races(struct races *races, struct subjects *all, const struct primary *p)
{
	for (size_t i = 0; i < races->count; i++)
		subject_of(all, races->list[i])->seen = NULL;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct board_race *b = &p->races[i];
		uint64_t place[2] = {access_place(&b->access[0]), access_place(&b->access[1])};
		uint32_t flags[2] = {b->access[0].flags, b->access[1].flags};
		for (size_t k = 0; k < all->count; k++)
			if (race_is(&all->list[k].race->seen, place, flags) && b->ninstances)
				all->list[k].seen = b;
	}
}

/* Tries the races that this execution has. */
static void try_primary(struct classifier *c, struct races *races, struct subjects *all, const struct primary *p)
{
	bool open = false;

	look_for_races(races, all, p);
	for (size_t i = 0; i < all->count; i++) {
		if (is_decided(c, &all->list[i]))
			all->list[i].seen = NULL;
		open |= all->list[i].seen != NULL;
	}
	if (open)
		run_workers(c, p, all->list, all->count);
}

/* It fails itself, so it is nothing to compare with; but what is only ever seen in such an execution may be why. */
static void blame_all(struct races *races, struct subjects *all, const struct primary *p)
{
	look_for_races(races, all, p);
	for (size_t i = 0; i < all->count; i++) {
		struct subject *s = &all->list[i];
		if (!s->seen || s->spec.found)
			continue;
		s->k++;
		s->spec = (struct finding){.found = true,
		                           .trial = {.ending = p->execution->result->ending,
		                                     .signature = p->execution->result->signature,
		                                     .execution = execution_copy(p->execution)}};
	}
}

/* The races that an explaining replay left on the board. */
static void take_seen(struct primary *p, const struct board *b)
{
	p->count = b->nraces < BOARD_RACES ? b->nraces : BOARD_RACES;
	p->races = must_alloc((p->count + 1) * sizeof *p->races);
	memcpy(p->races, b->races, p->count * sizeof *p->races);
}

/* Once more, with the bytes that raced watched. */
static bool explain_primary(struct classifier *c, struct races *races, struct primary *p, struct error *e)
{
	struct process process = process_nothing;
	int output[2] = {-1, -1};
	bool ok = prepare_replay(c, p->execution, &process, e);

	if (ok) {
		process.board->config.detect = DETECT_EXPLAIN;
		ok = start(c, &process, output, e);
	}
	if (ok) {
		struct pollfd gone = {.fd = process.pidfd, .events = POLLIN};
		poll(&gone, 1, (int)process.board->config.timeout_ms);
		ok = process.board->result.ending == p->execution->result->ending;
		if (!ok)
			error_set(e, "%s", process.board->result.message);
	}
	if (ok) {
		p->execution->replayed = true;
		take_seen(p, process.board);
		races_explain(races, p->execution, process.board, true);
	}
	finish(&process, output);
	return ok;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_over(const struct classifier *c)
{
	return *c->stop || now() - c->start > (double)c->options->budget_seconds;
}

struct chosen {
	struct execution **list;
	size_t count;
	uint64_t *orders; /* in which the racy bytes were accessed, of all that were looked at */
	size_t norders;
};

static bool is_new_order(struct chosen *all, uint64_t order)
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

/* Worth a closer look: it has new races, or has them in another order. */
static void choose(struct chosen *all, const struct board *b)
{
	bool complete = b->result.ending == ENDING_EXIT || b->result.ending == ENDING_STATUS;

	bool new_order = complete && is_new_order(all, b->touch_order);

	if (!(new_order || b->new_races) || !(complete || has_failed(&b->result)) || !b->nwatched || b->schedule_full)
		return;
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	struct execution *x = all->list[all->count++] = execution_take(b);
	x->departs_at = 1;
	x->races++;
}

/* Executions that leave the recording at its first point, each with a schedule of its own. */
static void explore(struct classifier *c, const struct execution *recorded, const struct strategy_config *strategy,
                    uint64_t most, struct chosen *all, struct error *e)
{
	size_t before = all->count;
	struct worker w = {.classifier = c, .process = process_nothing};
	int output[2] = {-1, -1};

	if (!most || !prepare_replay(c, recorded, &w.process, e)) {
		finish(&w.process, output);
		return;
	}
	struct board *b = w.process.board;
	b->config.detect = DETECT_RACES;
	b->config.stop_at = 1;
	b->config.stop = STOP_SERVE;
	b->config.seed = recorded->result->seed + 1;
	b->config.runs = EXPLORED * most;
	b->config.event_budget = NO_END * (recorded->result->points + FEWEST);
	b->config.onward = *strategy;
	if (start(c, &w.process, output, e))
		while (hear(&w) == 'R' && !is_over(c)) {
			c->executions++;
			choose(all, b);
			if (all->count - before == most || !say(&w, 0))
				break;
		}
	finish(&w.process, output);
}

static void try_another(struct classifier *c, struct races *races, struct subjects *all, struct execution *x)
{
	struct primary p = {.execution = x};
	struct error e;

	if (!is_over(c) && explain_primary(c, races, &p, &e)) {
		if (has_failed(x->result))
			blame_all(races, all, &p);
		else
			try_primary(c, races, all, &p);
	}
	free(p.races);
	if (!--x->races)
		execution_free(x);
}

static void try_recorded(struct classifier *c, struct races *races, struct subjects *all, struct execution *x)
{
	struct primary p = {.execution = x, .count = 0};

	p.races = must_alloc((races->count + 1) * sizeof *p.races);
	for (size_t i = 0; i < races->count; i++)
		if (races->list[i]->execution == x && races->list[i]->seen.explained)
			p.races[p.count++] = races->list[i]->seen;
	try_primary(c, races, all, &p);
	free(p.races);
}

void classify(struct classifier *c, struct races *races, const struct failure *kept)
{
	struct subjects all = {0};

	c->start = now();
	/* without races it was not kept as one that has some */
	struct execution plain = {.result = kept->result, .schedule = kept->schedule, .lost_entries = kept->lost_entries};
	struct execution *recorded = races->count ? races->list[0]->execution : &plain;

	if (c->input->log && !recorded->lost_entries) {
		const struct strategy_config random = {.id = STRATEGY_RANDOM},
		                             pct = {.id = STRATEGY_PCT, .depth = 3, .length = 300};
		uint64_t most = c->options->primaries;
		struct chosen others = {0};
		try_recorded(c, races, &all, recorded);
		explore(c, recorded, &random, (most + 1) / 2, &others, &(struct error){{0}});
		explore(c, recorded, &pct, most / 2, &others, &(struct error){{0}});
		for (size_t i = 0; i < others.count; i++)
			try_another(c, races, &all, others.list[i]);
		free(others.list);
		free(others.orders);
	}
	for (size_t i = 0; i < races->count; i++)
		subject_of(&all, races->list[i]);
	settle_claims(all.list, all.count);
	for (size_t i = 0; i < all.count; i++) {
		struct subject *s = &all.list[i];
		if (!c->input->log)
			snprintf(s->why, sizeof s->why, "there is no log of the execution");
		s->blind = c->options->blind;
		s->race->verdict = must_alloc(sizeof *s->race->verdict);
		decide(s, c->options->method);
		trial_free(&s->spec.trial);
		trial_free(&s->output.trial);
		trial_free(&s->spec.primary);
		trial_free(&s->output.primary);
	}
	free(all.list);
	c->seconds = now() - c->start;
}
