#include "predict/window.h"

#include <stdlib.h>
#include <string.h>

#include "trace/file.h"

static uint32_t *filled(size_t count, uint32_t value)
{
	uint32_t *p = must_alloc(count * sizeof *p);

	for (size_t i = 0; i < count; i++)
		p[i] = value;
	return p;
}

bool read_agrees(const struct trace *t, uint32_t read, uint32_t write)
{
	const struct event *r = &t->events[read];
	uint32_t value;

	if (r->match == write)
		return true;
	value = write == NO_EVENT ? t->value_initial[r->object] : written_value(&t->events[write]);
	return value != VALUE_UNKNOWN && value == r->value;
}

void carry_start(struct carry *c, const struct trace *t)
{
	*c = (struct carry){.last_write = filled(t->objects[OBJECT_VARIABLE], NO_EVENT),
	                    .tokens = filled(t->objects[OBJECT_SEMAPHORE], 0)};
	for (uint32_t s = 0; s < t->objects[OBJECT_SEMAPHORE]; s++)
		c->tokens[s] = t->sem_initial[s];
}

static void carry_open(struct carry *c, uint32_t acquire)
{
	if (c->open_count == c->open_capacity) {
		c->open_capacity = c->open_capacity * 2 + 16;
		c->open = must_resize(c->open, c->open_capacity * sizeof *c->open);
	}
	c->open[c->open_count++] = acquire;
}

static void carry_close(struct carry *c, uint32_t acquire)
{
	uint32_t i = 0;

	while (i < c->open_count && c->open[i] != acquire)
		i++;
	if (i == c->open_count)
		return;
	memmove(c->open + i, c->open + i + 1, (--c->open_count - i) * sizeof *c->open);
}

void carry_advance(struct carry *c, const struct trace *t, uint32_t event)
{
	for (; c->at < event; c->at++) {
		const struct event *e = &t->events[c->at];
		if (event_is(e, IS_WRITE))
			c->last_write[e->object] = c->at;
		else if (e->op == OP_POST)
			c->tokens[e->object]++;
		else if (e->op == OP_TAKE)
			c->tokens[e->object]--;
		else if (e->flags & EVENT_INNER)
			continue;
		else if (event_is(e, IS_ACQUIRE))
			carry_open(c, c->at);
		else if (event_is(e, IS_RELEASE))
			carry_close(c, e->match);
	}
}

void carry_free(struct carry *c)
{
	free(c->last_write);
	free(c->tokens);
	free(c->open);
}

/* Who has to do with an object in the window: nobody, one thread, or more. */
#define MANY (UINT32_MAX - 1)

static void add_user(uint32_t *users, uint32_t object, uint32_t thread)
{
	if (users[object] == NONE)
		users[object] = thread;
	else if (users[object] != thread)
		users[object] = MANY;
}

/* Whether somebody else than this thread is among the users. */
static bool others(uint32_t users, uint32_t thread) { return users != NONE && users != thread; }

/* What is known of the objects while a window is made. */
struct making {
	struct window *w;
	uint32_t *writers;  /* by variable: its users */
	uint32_t *lockers;  /* by lock */
	bool *exclusive;    /* by lock: somebody has it for itself */
	bool *counted;      /* by variable: some reading of it counts */
	uint32_t *shortage; /* by semaphore: how many takes there are */
	bool *point;        /* by event of the window */
	uint32_t *slot;     /* by variable */
};

static void note_section(struct making *m, const struct event *e)
{
	add_user(m->lockers, e->object, e->thread);
	if (!event_is(e, IS_SHARED))
		m->exclusive[e->object] = true;
}

static void look_at_objects(struct making *m)
{
	const struct trace *t = m->w->trace;

	for (uint32_t i = 0; i < m->w->carry->open_count; i++)
		note_section(m, &t->events[m->w->carry->open[i]]);
	for (uint32_t i = m->w->start; i < m->w->end; i++) {
		const struct event *e = &t->events[i];
		if (event_is(e, IS_WRITE))
			add_user(m->writers, e->object, e->thread);
		if (event_is(e, IS_ACQUIRE) && !(e->flags & EVENT_INNER))
			note_section(m, e);
		if (e->op == OP_TAKE)
			m->shortage[e->object]++;
	}
}

static bool reading_counts(const struct making *m, const struct event *e)
{
	return event_is(e, IS_READ) && others(m->writers[e->object], e->thread);
}

static bool runs_out(const struct making *m, const struct event *e)
{
	return (e->op == OP_TAKE || e->op == OP_POST) && m->shortage[e->object] > m->w->carry->tokens[e->object];
}

static bool contended(const struct making *m, const struct event *e)
{
	return event_is(e, IS_ACQUIRE | IS_RELEASE) && !(e->flags & EVENT_INNER) && m->lockers[e->object] == MANY &&
	       m->exclusive[e->object];
}

static uint32_t wait_of(const struct trace *t, uint32_t wake)
{
	return thread_event(t, t->events[wake].thread, t->local[wake] - 1);
}

/* A wake whose wait and notification are in the window with it: their order is the window's. */
static bool waited_here(const struct window *w, uint32_t event)
{
	const struct event *e = &w->trace->events[event];

	return e->op == OP_WAKE && e->notify != NO_EVENT && wait_of(w->trace, event) >= w->start;
}

static void choose_points(struct making *m, const bool *wanted)
{
	struct window *w = m->w;
	const struct trace *t = w->trace;

	for (uint32_t i = w->start; i < w->end; i++)
		if (reading_counts(m, &t->events[i]))
			m->counted[t->events[i].object] = true;
	for (uint32_t i = w->start; i < w->end; i++) {
		const struct event *e = &t->events[i];
		size_t count = 0;
		if (waited_here(w, i))
			m->point[wait_of(t, i) - w->start] = true;
		if (wanted[i - w->start] || reading_counts(m, e) || contended(m, e) || runs_out(m, e) ||
		    (event_is(e, IS_WRITE) && m->counted[e->object]))
			m->point[i - w->start] = true;
		const struct edge *edges = e->flags & EVENT_EDGES ? trace_edges(t, i, &count) : NULL;
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= w->start) {
				m->point[i - w->start] = m->point[edges[k].before - w->start] = true;
				w->edge_count++;
			}
	}
}

/* Numbers threads and points; ranks reads; says what guards each point. */
static void make_points(struct making *m)
{
	struct window *w = m->w;
	const struct trace *t = w->trace;
	uint32_t all = t->objects[OBJECT_THREAD], size = w->end - w->start;
	uint32_t *last = filled(all, NONE), *rank = filled(all, 0), *guard = filled(all, 0);

	w->thread_of = filled(all, NONE);
	w->threads = must_alloc((all + 1) * sizeof *w->threads);
	w->points = must_alloc((size + 1) * sizeof *w->points);
	w->readings = must_alloc((size + 1) * sizeof *w->readings);
	w->point_of = filled(size, NONE);
	for (uint32_t i = w->start; i < w->end; i++) {
		const struct event *e = &t->events[i];
		uint32_t thread = e->thread;
		if (w->thread_of[thread] == NONE) {
			w->thread_of[thread] = w->thread_count;
			w->threads[w->thread_count++] = thread;
		}
		if (trace_depends(t, i))
			guard[thread] = rank[thread];
		uint32_t needed = guard[thread], before = rank[thread];
		if (reading_counts(m, e))
			rank[thread]++;
		if (e->flags & EVENT_PINNED)
			guard[thread] = rank[thread];
		if (!m->point[i - w->start])
			continue;
		w->point_of[i - w->start] = w->point_count;
		w->points[w->point_count] = (struct point){.event = i,
		                                           .previous = last[thread],
		                                           .guard = needed,
		                                           .rank = rank[thread],
		                                           .pinned = e->flags & EVENT_PINNED};
		if (before != rank[thread])
			w->readings[w->reading_count++] = (struct reading){.point = w->point_count,
			                                                   .slot = m->slot[e->object],
			                                                   .thread = (uint16_t)w->thread_of[thread],
			                                                   .rank = before};
		last[thread] = w->point_count++;
	}
	free(last);
	free(rank);
	free(guard);
}

static void make_edges(struct window *w)
{
	const struct trace *t = w->trace;
	uint32_t n = 0;

	w->edges = must_alloc((w->edge_count + 1) * sizeof *w->edges);
	for (uint32_t p = 0; p < w->point_count; p++) {
		size_t count = 0;
		uint32_t event = w->points[p].event;
		if (!(t->events[event].flags & EVENT_EDGES))
			continue;
		const struct edge *edges = trace_edges(t, event, &count);
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= w->start)
				w->edges[n++] =
				        (struct edge){.event = p, .before = w->point_of[edges[k].before - w->start]};
	}
}

static void make_wakes(struct window *w)
{
	w->wakes = must_alloc((w->point_count + 1) * sizeof *w->wakes);
	for (uint32_t p = 0; p < w->point_count; p++) {
		uint32_t event = w->points[p].event;
		if (waited_here(w, event))
			w->wakes[w->wake_count++] =
			        (struct wake){.wait = w->point_of[wait_of(w->trace, event) - w->start],
			                      .notify = w->point_of[point_event(w, p)->notify - w->start],
			                      .wake = p};
	}
}

static uint32_t point_at(const struct window *w, uint32_t event)
{
	return event == NO_EVENT || event < w->start || event >= w->end ? NONE : w->point_of[event - w->start];
}

static void add_section(struct making *m, uint32_t acquire)
{
	struct window *w = m->w;
	const struct event *e = &w->trace->events[acquire];

	w->sections[w->section_count++] = (struct section){.lock = e->object,
	                                                   .acquire = point_at(w, acquire),
	                                                   .release = point_at(w, e->match),
	                                                   .thread = e->thread,
	                                                   .shared = event_is(e, IS_SHARED)};
}

static int by_lock(const void *a, const void *b)
{
	const struct section *x = a, *y = b;
	uint32_t first = x->acquire + 1, second = y->acquire + 1; /* NONE comes before all others */

	if (x->lock != y->lock)
		return x->lock < y->lock ? -1 : 1;
	if (first != second)
		return first < second ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static void make_sections(struct making *m)
{
	struct window *w = m->w;

	w->sections = must_alloc((w->carry->open_count + w->point_count + 1) * sizeof *w->sections);
	for (uint32_t i = 0; i < w->carry->open_count; i++) {
		const struct event *e = &w->trace->events[w->carry->open[i]];
		if (contended(m, e))
			add_section(m, w->carry->open[i]);
	}
	for (uint32_t p = 0; p < w->point_count; p++) {
		const struct event *e = point_event(w, p);
		if (event_is(e, IS_ACQUIRE) && contended(m, e))
			add_section(m, w->points[p].event);
	}
	qsort(w->sections, w->section_count, sizeof *w->sections, by_lock);
}

static void make_slots(struct making *m)
{
	struct window *w = m->w;
	const struct trace *t = w->trace;

	w->slot_variable = must_alloc((w->end - w->start + 1) * sizeof *w->slot_variable);
	for (uint32_t i = w->start; i < w->end; i++) {
		const struct event *e = &t->events[i];
		if (event_is_access(e) && m->counted[e->object] && m->slot[e->object] == NONE) {
			m->slot[e->object] = w->slot_count;
			w->slot_variable[w->slot_count++] = e->object;
		}
	}
}

static void make_writes(struct making *m)
{
	struct window *w = m->w;
	uint32_t *fill;

	w->slot_start = filled(w->slot_count + 1, 0);
	w->slot_writes = must_alloc((w->point_count + 1) * sizeof *w->slot_writes);
	for (uint32_t p = 0; p < w->point_count; p++) {
		const struct event *e = point_event(w, p);
		if (event_is(e, IS_WRITE) && m->slot[e->object] != NONE)
			w->slot_start[m->slot[e->object] + 1]++;
	}
	for (uint32_t s = 0; s < w->slot_count; s++)
		w->slot_start[s + 1] += w->slot_start[s];
	fill = must_alloc((w->slot_count + 1) * sizeof *fill);
	memcpy(fill, w->slot_start, w->slot_count * sizeof *fill);
	for (uint32_t p = 0; p < w->point_count; p++) {
		const struct event *e = point_event(w, p);
		if (event_is(e, IS_WRITE) && m->slot[e->object] != NONE)
			w->slot_writes[fill[m->slot[e->object]]++] = p;
	}
	free(fill);
}

static int by_semaphore(const void *a, const void *b, void *context)
{
	const struct window *w = context;
	uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
	uint32_t x = point_event(w, p)->object, y = point_event(w, q)->object;

	return x != y ? (x > y) - (x < y) : (p > q) - (p < q);
}

static void make_semaphores(struct making *m)
{
	struct window *w = m->w;

	w->takes = must_alloc((w->point_count + 1) * sizeof *w->takes);
	w->posts = must_alloc((w->point_count + 1) * sizeof *w->posts);
	for (uint32_t p = 0; p < w->point_count; p++) {
		const struct event *e = point_event(w, p);
		if (!runs_out(m, e))
			continue;
		if (e->op == OP_TAKE)
			w->takes[w->take_count++] = p;
		else
			w->posts[w->post_count++] = p;
	}
	qsort_r(w->takes, w->take_count, sizeof *w->takes, by_semaphore, w);
	qsort_r(w->posts, w->post_count, sizeof *w->posts, by_semaphore, w);
}

void window_make(struct window *w, const struct trace *t, const struct carry *c, uint32_t end, const bool *wanted)
{
	struct making m = {.w = w,
	                   .writers = filled(t->objects[OBJECT_VARIABLE], NONE),
	                   .slot = filled(t->objects[OBJECT_VARIABLE], NONE),
	                   .counted = calloc(t->objects[OBJECT_VARIABLE] + 1, sizeof(bool)),
	                   .lockers = filled(t->objects[OBJECT_LOCK], NONE),
	                   .exclusive = calloc(t->objects[OBJECT_LOCK] + 1, sizeof(bool)),
	                   .shortage = filled(t->objects[OBJECT_SEMAPHORE], 0),
	                   .point = calloc(end - c->at + 1, sizeof(bool))};

	*w = (struct window){.trace = t, .carry = c, .start = c->at, .end = end};
	look_at_objects(&m);
	choose_points(&m, wanted);
	make_slots(&m);
	make_points(&m);
	make_edges(w);
	make_wakes(w);
	make_sections(&m);
	make_writes(&m);
	make_semaphores(&m);
	free(m.writers);
	free(m.slot);
	free(m.counted);
	free(m.lockers);
	free(m.exclusive);
	free(m.shortage);
	free(m.point);
}

void window_free(struct window *w)
{
	free(w->points);
	free(w->point_of);
	free(w->threads);
	free(w->thread_of);
	free(w->edges);
	free(w->wakes);
	free(w->sections);
	free(w->readings);
	free(w->slot_variable);
	free(w->slot_start);
	free(w->slot_writes);
	free(w->takes);
	free(w->posts);
}
