#include "predict/window.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

static uint32_t *filled(size_t count, uint32_t value)
{
	uint32_t *p = must_alloc(count * sizeof *p);

	for (size_t i = 0; i < count; i++)
		p[i] = value;
	return p;
}

bool read_agrees(const struct trace *t, uint32_t read, uint32_t write)
{
	const struct trace_event *r = &t->events[read];
	uint32_t value;

	if (r->match == write)
		return true;
	value = write == NO_EVENT ? t->value_initial[r->object] : written_value(&t->events[write]);
	return value != VALUE_UNKNOWN && value == r->value;
}

void carry_start(struct carry *c, const struct trace *t)
{
	*c = (struct carry){.last_write = filled(t->objects[OBJECT_VARIABLE], NO_EVENT),
	                    .tokens = filled(t->objects[OBJECT_SEMAPHORE], 0),
	                    .scratch = filled(t->objects[OBJECT_VARIABLE], NONE)};
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
		const struct trace_event *e = &t->events[c->at];
		if (event_is(e, IS_WRITE))
			c->last_write[e->object] = c->at;
		else if (e->op == OP_POST)
			c->tokens[e->object]++;
		else if (e->op == OP_TAKE)
			c->tokens[e->object]--;
		else if (e->flags & EVENT_NESTED)
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
	free(c->scratch);
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

#define LOCKS_MOST 4 /* of those that all accesses to a variable may have in common */

struct variable {
	uint32_t variable; /* its number in the trace */
	uint32_t writers;  /* its users that write */
	uint32_t locks[LOCKS_MOST];
	uint32_t lock_count;       /* that all accesses so far have; a write has them for itself */
	bool seen, counted;        /* counted: some read of it does */
	uint32_t last, last_write; /* access so far, NO_EVENT: none */
	uint32_t slot;
};

/* What is known of the objects while a window is made. */
struct making {
	struct window *w;
	struct variable *variables; /* of the window */
	uint32_t variable_count;
	uint32_t *variable;  /* by event of the window: that of an access */
	uint32_t *section;   /* by event: the acquire of the lock that protects an access; NO_EVENT: none does */
	uint32_t *lockers;   /* by lock: its users */
	bool *exclusive;     /* by lock: somebody has it for itself */
	uint32_t *shortage;  /* by semaphore: how many takes there are */
	bool *point, *reads; /* by event: it is a point; a read that counts */
	uint32_t *echo;      /* by event: of a read that counts as an echo the write, NO_EVENT of others */
	bool *shows;         /* by event: a write that others can see */
	uint32_t *confined;  /* by event: how many confined reads of its thread count up to it */
	uint32_t *held;      /* acquires that are not released yet, as far as the window was walked through */
	uint32_t held_count;
};

static struct variable *variable_of(struct making *m, uint32_t event)
{
	return &m->variables[m->variable[event - m->w->start]];
}

static void note_section(struct making *m, const struct trace_event *e)
{
	add_user(m->lockers, e->object, e->thread);
	if (!event_is(e, IS_SHARED))
		m->exclusive[e->object] = true;
}

/* Walks on to the next event, as far as locks go. */
static void walk_locks(struct making *m, uint32_t event)
{
	const struct trace_event *e = &m->w->trace->events[event];
	uint32_t i = 0;

	if (e->flags & EVENT_NESTED)
		return;
	if (event_is(e, IS_ACQUIRE))
		m->held[m->held_count++] = event;
	if (!event_is(e, IS_RELEASE))
		return;
	while (i < m->held_count && m->held[i] != e->match)
		i++;
	if (i < m->held_count)
		m->held[i] = m->held[--m->held_count];
}

static void walk_from_start(struct making *m)
{
	m->held_count = m->w->carry->open_count;
	if (m->held_count)
		memcpy(m->held, m->w->carry->open, m->held_count * sizeof *m->held);
}

/* The acquire by which the thread of an access has a lock in the way the access needs; NO_EVENT: it has not. */
static uint32_t held_by(const struct making *m, const struct trace_event *e, uint32_t lock)
{
	for (uint32_t i = 0; i < m->held_count; i++) {
		const struct trace_event *a = &m->w->trace->events[m->held[i]];
		if (a->thread == e->thread && a->object == lock && !(event_is(e, IS_WRITE) && event_is(a, IS_SHARED)))
			return m->held[i];
	}
	return NO_EVENT;
}

/* Keeps the locks that this access has, too. */
static void narrow_locks(struct making *m, struct variable *v, const struct trace_event *e)
{
	uint32_t n = 0;

	if (!v->seen)
		for (uint32_t i = 0; i < m->held_count && v->lock_count < LOCKS_MOST; i++) {
			const struct trace_event *a = &m->w->trace->events[m->held[i]];
			if (a->thread == e->thread)
				v->locks[v->lock_count++] = a->object;
		}
	v->seen = true;
	for (uint32_t i = 0; i < v->lock_count; i++)
		if (held_by(m, e, v->locks[i]) != NO_EVENT)
			v->locks[n++] = v->locks[i];
	v->lock_count = n;
}

static void note_access(struct making *m, uint32_t event)
{
	const struct trace_event *e = &m->w->trace->events[event];
	uint32_t *number = &m->w->carry->scratch[e->object];

	if (*number == NONE) {
		*number = m->variable_count++;
		m->variables[*number] = (struct variable){
		        .variable = e->object, .writers = NONE, .last = NO_EVENT, .last_write = NO_EVENT, .slot = NONE};
	}
	m->variable[event - m->w->start] = *number;
	narrow_locks(m, &m->variables[*number], e);
	if (event_is(e, IS_WRITE))
		add_user(&m->variables[*number].writers, 0, e->thread);
}

static void look_at_objects(struct making *m)
{
	const struct trace *t = m->w->trace;

	walk_from_start(m);
	for (uint32_t i = 0; i < m->held_count; i++)
		note_section(m, &t->events[m->held[i]]);
	for (uint32_t i = m->w->start; i < m->w->end; i++) {
		const struct trace_event *e = &t->events[i];
		walk_locks(m, i);
		if (event_is_access(e))
			note_access(m, i);
		if (event_is(e, IS_ACQUIRE) && !(e->flags & EVENT_NESTED))
			note_section(m, e);
		if (e->op == OP_TAKE)
			m->shortage[e->object]++;
	}
	for (uint32_t i = 0; i < m->variable_count; i++)
		m->w->carry->scratch[m->variables[i].variable] = NONE;
}

/* Whether the two are in one section of the lock that protects their variable. */
static bool same_section(const struct making *m, uint32_t a, uint32_t b)
{
	return a != NO_EVENT && m->section[a - m->w->start] != NO_EVENT &&
	       m->section[a - m->w->start] == m->section[b - m->w->start];
}

/* Whether a read can only see what its own thread wrote last, or what was there before the window. */
static bool sees_own(const struct making *m, const struct variable *v, uint32_t event)
{
	return !others(v->writers, m->w->trace->events[event].thread) || same_section(m, v->last_write, event);
}

/*
 * What a read sees is in question if others write the variable. Not so behind another access in its section: a write of
 * its own is what it sees, and of a read that is right it sees the same. But that a confined one is right is nothing
 * that its thread has to care for.
 */
static bool reading_counts(const struct making *m, const struct variable *v, uint32_t event)
{
	const struct trace_event *e = &m->w->trace->events[event];
	const struct trace_event *last = v->last == NO_EVENT ? NULL : &m->w->trace->events[v->last];

	if (!event_is(e, IS_READ) || sees_own(m, v, event))
		return false;
	return !same_section(m, v->last, event) || last->value != e->value ||
	       (last->flags & EVENT_CONFINED && !(e->flags & EVENT_CONFINED));
}

/* The fed write that a read sees, if that is sure; it is of the same thread. */
static uint32_t echoed(const struct making *m, const struct variable *v, uint32_t event)
{
	const struct trace *t = m->w->trace;
	const struct trace_event *e = &t->events[event];

	if (!event_is(e, IS_READ) || e->flags & EVENT_CONFINED || v->last_write == NO_EVENT || !sees_own(m, v, event))
		return NO_EVENT;
	return t->events[v->last_write].flags & EVENT_FED ? v->last_write : NO_EVENT;
}

/* Which reads count, and which writes others can see: of those in one section the last. */
static void look_at_accesses(struct making *m)
{
	const struct trace *t = m->w->trace;
	uint32_t start = m->w->start;

	walk_from_start(m);
	for (uint32_t i = start; i < m->w->end; i++) {
		const struct trace_event *e = &t->events[i];
		walk_locks(m, i);
		m->section[i - start] = NO_EVENT;
		if (!event_is_access(e))
			continue;
		struct variable *v = variable_of(m, i);
		if (v->lock_count)
			m->section[i - start] = held_by(m, e, v->locks[0]);
		m->reads[i - start] = reading_counts(m, v, i);
		m->echo[i - start] = echoed(m, v, i);
		v->counted |= m->reads[i - start];
		v->last = i;
		if (!event_is(e, IS_WRITE))
			continue;
		if (same_section(m, v->last_write, i))
			m->shows[v->last_write - start] = false;
		m->shows[i - start] = true;
		v->last_write = i;
	}
}

static bool runs_out(const struct making *m, const struct trace_event *e)
{
	return (e->op == OP_TAKE || e->op == OP_POST) && m->shortage[e->object] > m->w->carry->tokens[e->object];
}

static bool contended(const struct making *m, const struct trace_event *e)
{
	return event_is(e, IS_ACQUIRE | IS_RELEASE) && !(e->flags & EVENT_NESTED) && m->lockers[e->object] == MANY &&
	       m->exclusive[e->object];
}

/* Whether the access has to be in the order by itself. */
static bool stands_alone(struct making *m, uint32_t event)
{
	uint32_t i = event - m->w->start;

	return event_is_access(&m->w->trace->events[event]) && m->section[i] == NO_EVENT &&
	       (m->reads[i] || (m->shows[i] && variable_of(m, event)->counted));
}

static uint32_t wait_of(const struct trace *t, uint32_t wake)
{
	return thread_event(t, t->events[wake].thread, t->local[wake] - 1);
}

/* A wake whose wait and notification are in the window with it: their order is the window's. */
static bool waited_here(const struct window *w, uint32_t event)
{
	const struct trace_event *e = &w->trace->events[event];

	return e->op == OP_WAKE && e->notify != NO_EVENT && wait_of(w->trace, event) >= w->start;
}

static void choose_points(struct making *m, const bool *wanted)
{
	struct window *w = m->w;
	const struct trace *t = w->trace;

	for (uint32_t i = w->start; i < w->end; i++) {
		const struct trace_event *e = &t->events[i];
		size_t count = 0;
		if (waited_here(w, i))
			m->point[wait_of(t, i) - w->start] = true;
		if (wanted[i - w->start] || stands_alone(m, i) || contended(m, e) || runs_out(m, e))
			m->point[i - w->start] = true;
		const struct edge *edges = e->flags & EVENT_EDGES ? trace_edges(t, i, &count) : NULL;
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= w->start) {
				m->point[i - w->start] = m->point[edges[k].before - w->start] = true;
				w->edge_count++;
			}
	}
}

static void number_thread(struct window *w, uint32_t thread)
{
	if (w->thread_of[thread] != NONE)
		return;
	w->thread_of[thread] = w->thread_count;
	w->threads[w->thread_count++] = thread;
}

/* How far a thread is. */
struct ranks {
	uint32_t open, confined; /* so many of its reads count */
	uint32_t guard, pin;     /* so many of each must be right from here on */
	uint32_t last;           /* point */
};

/* Notes a read that counts, or a write that is seen. */
static void add_access(struct making *m, struct access *list, uint32_t *count, uint32_t event, const struct ranks *r)
{
	struct window *w = m->w;
	uint32_t anchor = m->section[event - w->start];

	if (anchor == NO_EVENT)
		anchor = event;
	list[(*count)++] = (struct access){.event = event,
	                                   .anchor = anchor < w->start ? NONE : w->point_of[anchor - w->start],
	                                   .rank = r->open,
	                                   .confined = r->confined,
	                                   .slot = variable_of(m, event)->slot,
	                                   .thread = (uint16_t)w->thread_of[w->trace->events[event].thread]};
}

/* Takes an event's read in. */
static void rank_read(struct making *m, struct ranks *r, uint32_t event)
{
	struct window *w = m->w;
	const struct trace_event *e = &w->trace->events[event];
	uint32_t here = event - w->start, write = m->echo[here];
	uint32_t confined = write == NO_EVENT ? 0 : m->confined[write - w->start];

	if (!m->reads[here] && !confined)
		return;
	if (e->flags & EVENT_CONFINED)
		r->confined++;
	else
		r->open++;
	if (m->reads[here])
		add_access(m, w->readings, &w->reading_count, event, r);
	else
		w->echoes[w->echo_count++] = (struct echo){
		        .rank = r->open, .confined = confined, .thread = (uint16_t)w->thread_of[e->thread]};
}

static void make_point(struct window *w, struct ranks *r, uint32_t event)
{
	w->point_of[event - w->start] = w->point_count;
	w->points[w->point_count] = (struct point){.event = event,
	                                           .previous = r->last,
	                                           .guard = r->guard,
	                                           .pin = r->pin,
	                                           .pinned = w->trace->events[event].flags & EVENT_PINNED};
	r->last = w->point_count++;
}

/* Numbers threads and points; ranks reads; says what guards each point. */
static void make_points(struct making *m)
{
	struct window *w = m->w;
	const struct trace *t = w->trace;
	uint32_t all = t->objects[OBJECT_THREAD], size = w->end - w->start;
	struct ranks *ranks = must_alloc((all + 1) * sizeof *ranks);

	for (uint32_t i = 0; i < all; i++)
		ranks[i] = (struct ranks){.last = NONE};
	w->thread_of = filled(all, NONE);
	w->threads = must_alloc((all + 1) * sizeof *w->threads);
	w->points = must_alloc((size + 1) * sizeof *w->points);
	w->readings = must_alloc((size + 1) * sizeof *w->readings);
	w->echoes = must_alloc((size + 1) * sizeof *w->echoes);
	w->writes = must_alloc((size + 1) * sizeof *w->writes);
	w->point_of = filled(size, NONE);
	for (uint32_t i = w->start; i < w->end; i++) {
		const struct trace_event *e = &t->events[i];
		struct ranks *r = &ranks[e->thread];
		number_thread(w, e->thread);
		if (event_follows_branch(t, i))
			r->guard = r->open;
		if (e->op == OP_PIN)
			r->pin = r->confined;
		if (m->point[i - w->start])
			make_point(w, r, i);
		rank_read(m, r, i);
		if (m->point[i - w->start]) {
			w->points[r->last].rank = r->open;
			if (join_follows_branch(t, i)) /* it does no more: all of its reads are counted */
				w->points[r->last].ended = ranks[e->object].open;
		}
		if (e->flags & EVENT_PINNED)
			r->guard = r->open;
		m->confined[i - w->start] = r->confined;
		if (m->shows[i - w->start] && variable_of(m, i)->counted)
			add_access(m, w->writes, &w->write_count, i, r);
	}
	free(ranks);
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
	const struct trace_event *e = &w->trace->events[acquire];

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
		const struct trace_event *e = &w->trace->events[w->carry->open[i]];
		if (contended(m, e))
			add_section(m, w->carry->open[i]);
	}
	for (uint32_t p = 0; p < w->point_count; p++) {
		const struct trace_event *e = point_event(w, p);
		if (event_is(e, IS_ACQUIRE) && contended(m, e))
			add_section(m, w->points[p].event);
	}
	qsort(w->sections, w->section_count, sizeof *w->sections, by_lock);
}

static void make_slots(struct making *m)
{
	struct window *w = m->w;

	w->slot_variable = must_alloc((m->variable_count + 1) * sizeof *w->slot_variable);
	for (uint32_t i = 0; i < m->variable_count; i++)
		if (m->variables[i].counted) {
			m->variables[i].slot = w->slot_count;
			w->slot_variable[w->slot_count++] = m->variables[i].variable;
		}
}

static int by_slot(const void *a, const void *b)
{
	const struct access *x = a, *y = b;

	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

static void sort_writes(struct window *w)
{
	qsort(w->writes, w->write_count, sizeof *w->writes, by_slot);
	w->slot_start = filled(w->slot_count + 1, 0);
	for (uint32_t i = 0; i < w->write_count; i++)
		w->slot_start[w->writes[i].slot + 1]++;
	for (uint32_t s = 0; s < w->slot_count; s++)
		w->slot_start[s + 1] += w->slot_start[s];
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
		const struct trace_event *e = point_event(w, p);
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

static void *zeroed(size_t count, size_t size) { return memset(must_alloc((count + 1) * size), 0, (count + 1) * size); }

void window_make(struct window *w, const struct trace *t, const struct carry *c, uint32_t end, const bool *wanted)
{
	uint32_t size = end - c->at;
	struct making m = {.w = w,
	                   .variables = must_alloc((size + 1) * sizeof *m.variables),
	                   .variable = filled(size, NONE),
	                   .section = filled(size, NO_EVENT),
	                   .lockers = filled(t->objects[OBJECT_LOCK], NONE),
	                   .exclusive = zeroed(t->objects[OBJECT_LOCK], sizeof(bool)),
	                   .shortage = filled(t->objects[OBJECT_SEMAPHORE], 0),
	                   .point = zeroed(size, sizeof(bool)),
	                   .reads = zeroed(size, sizeof(bool)),
	                   .echo = filled(size, NO_EVENT),
	                   .confined = filled(size, 0),
	                   .shows = zeroed(size, sizeof(bool)),
	                   .held = must_alloc((c->open_count + size + 1ul) * sizeof *m.held)};

	*w = (struct window){.trace = t, .carry = c, .start = c->at, .end = end};
	look_at_objects(&m);
	look_at_accesses(&m);
	choose_points(&m, wanted);
	make_slots(&m);
	make_points(&m);
	sort_writes(w);
	make_edges(w);
	make_wakes(w);
	make_sections(&m);
	make_semaphores(&m);
	free(m.variables);
	free(m.variable);
	free(m.section);
	free(m.lockers);
	free(m.exclusive);
	free(m.shortage);
	free(m.point);
	free(m.reads);
	free(m.echo);
	free(m.confined);
	free(m.shows);
	free(m.held);
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
	free(w->echoes);
	free(w->slot_variable);
	free(w->slot_start);
	free(w->writes);
	free(w->takes);
	free(w->posts);
}
