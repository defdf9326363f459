/*
 * Replays the execution that is kept as evidence, with its events written down, and takes what the threads do from it.
 */
#include "classify/evidence_trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "classify/racing_pair.h"
#include "classify/replayer.h"

#define EVENTS       20000
#define MOMENTS      400 /* events kept: the first ones and the last ones */
#define MOMENTS_LAST 100

/* Replays as `omen replay` will do it. */
static bool replay(struct replayer *r, struct classifier *c, const struct verdict *v)
{
	struct error e;

	if (!replayer_prepare(r, c, v->alternate, &e))
		return false;
	struct board *b = r->process.board;
	b->config.detect = DETECT_RACES;
	b->config.events = EVENTS;
	b->config.events_late = true;
	b->watched[0] = v->watch;
	b->nwatched = 1;
	if (v->touch)
		replayer_depart(r, &v->watch, v->touch);
	if (!replayer_start(r, c, &e))
		return false;
	classifier_count_execution(c);
	return replayer_wait(r);
}

static bool is_same_execution(struct replayer *r, const struct finding *f, const struct verdict *v)
{
	const struct board_result *is = &r->process.board->result, *was = v->alternate->result;
	struct trial t = {0};
	/* in a deadlock, a replay may make one point more than the execution in which a thread was held */
	bool same = is->ending == was->ending && is->status == was->status && is->signature == was->signature &&
	            (is->points == was->points || is->ending == ENDING_DEADLOCK);

	replayer_take(r, &t);
	if (v->kind == VERDICT_OUTPUT)
		same = same && trial_same_output(&t, &f->trial);
	trial_free(&t);
	return same;
}

/* Events that a reader of the evidence needs. Every moment names the running thread anyway. */
static bool is_shown_event(const struct event *e)
{
	return e->kind == EVENT_ACCESS || e->kind == EVENT_LOCK || e->kind == EVENT_UNLOCK || e->kind == EVENT_WAIT ||
	       e->kind == EVENT_CREATE || e->kind == EVENT_END || e->kind == EVENT_GIVE;
}

/* An access that is a violation is noted as an access a second time. */
static bool is_repeated(const struct event *before, const struct event *e)
{
	return before->kind == e->kind && before->fiber == e->fiber && before->point == e->point &&
	       before->where == e->where && before->object == e->object && before->flags == e->flags;
}

static void add_stack(struct moment *m, uint64_t where, const struct event_stack *stacks)
{
	if ((where & 1) && where / 2 < EVENT_STACKS)
		m->stack = stacks[where / 2];
	if (m->stack.depth > EVENT_FRAMES)
		m->stack.depth = 0;
}

/* `from`: the EVENT_FROM before it, or NULL. */
static void add_moment(struct verdict *v, const struct event *e, const struct event *from,
                       const struct event_stack *stacks)
{
	if (v->nmoments == MOMENTS) { /* drop the first of the last ones */
		struct moment *late = v->moments + MOMENTS - MOMENTS_LAST;
		memmove(late, late + 1, (MOMENTS_LAST - 1) * sizeof *late);
		v->nmoments--;
	}
	struct moment *m = &v->moments[v->nmoments++];
	*m = (struct moment){.event = *e, .began = from ? from->object : 0};
	add_stack(m, from && !(e->where & 1) ? from->where : e->where, stacks);
}

/* Adds a woken thread to the last moment of the thread that woke it. */
static void add_woken(struct verdict *v, const struct event *wake)
{
	size_t i = v->nmoments;

	while (i-- > 0 && v->moments[i].event.fiber != wake->fiber)
		;
	struct moment *m = i < v->nmoments ? &v->moments[i] : NULL;
	if (!m || m->event.kind != EVENT_GIVE || m->event.object != wake->value)
		return;
	if (m->nwoken < WOKEN)
		m->woken[m->nwoken] = (uint32_t)wake->object;
	m->nwoken++;
}

static bool take_moments(struct verdict *v, const struct replayer *r)
{
	const struct board *b = r->process.board;
	uint64_t count = b->nevents < EVENTS ? b->nevents : EVENTS;
	const struct event *before = NULL, *from = NULL;
	const struct event *events = mmap(NULL, EVENTS_SIZE, PROT_READ, MAP_SHARED, r->process.board_fd, BOARD_EVENTS);

	if (events == MAP_FAILED)
		return false;
	const struct event_stack *stacks =
	        (const struct event_stack *)((const char *)events + EVENTS_SIZE) - EVENT_STACKS;
	free(v->moments);
	v->moments = must_alloc(MOMENTS * sizeof *v->moments);
	v->nmoments = 0;
	for (uint64_t i = 0; i < count; i++) {
		if (events[i].kind == EVENT_FROM) {
			from = &events[i];
			continue;
		}
		if (is_shown_event(&events[i]) && !(before && is_repeated(before, &events[i])))
			add_moment(v, &events[i], from, stacks);
		if (events[i].kind == EVENT_WAKE)
			add_woken(v, &events[i]);
		before = &events[i];
		from = NULL;
	}
	munmap((void *)events, EVENTS_SIZE);
	return true;
}

/* If an access has no site, its event has an address of code. */
static bool is_access(const struct event *e, uint64_t site)
{
	return e->kind == EVENT_ACCESS && (e->where & 1 ? !site : e->where == site);
}

/* Among these moments, another thread than this one makes the access that is first in the recorded order. */
static bool has_first(const struct finding *f, const struct verdict *v, size_t from, size_t to, uint32_t fiber)
{
	for (size_t i = from; i < to; i++)
		if (is_access(&v->moments[i].event, f->site) && v->moments[i].event.fiber != fiber)
			return true;
	return false;
}

/* The two accesses of the race are among the moments, the other one first. */
static bool has_order(const struct finding *f, const struct verdict *v)
{
	const struct board_plan *p = &f->plan;

	if (p->order != PLAN_SECOND || f->trial.outcome != PLAN_DONE || v->touch)
		return true;
	for (size_t i = 0; i < v->nmoments; i++) {
		const struct event *a = &v->moments[i].event;
		if (!is_access(a, p->site) || (f->site == p->site && a->fiber != p->fiber))
			continue;
		/* an access that is the violation itself has no moment, and after a failure nobody may come to it */
		if (v->kind == VERDICT_SPEC && !has_first(f, v, 0, i, a->fiber))
			return true;
		if (has_first(f, v, i + 1, v->nmoments, a->fiber))
			return true;
	}
	return false;
}

bool evidence_trace(struct classifier *c, const struct finding *f, struct verdict *v)
{
	struct replayer r = replayer_nothing;
	bool ok = !classifier_must_give_up(c) && replay(&r, c, v) && is_same_execution(&r, f, v) &&
	          take_moments(v, &r) && has_order(f, v);
	if (ok)
		racing_pair_find(f, v);

	replayer_end(&r);
	return ok;
}
