#include "predict/window.h"

#include <stdlib.h>
#include <string.h>

#include "predict/arrays.h"
#include "format/file.h"

bool read_agrees(const struct trace *t, uint32_t read, uint32_t write)
{
	const struct trace_event *r = &t->events[read];
	uint32_t value;

	if (r->match == write)
		return true;
	value = write == NO_EVENT ? t->value_initial[r->object] : written_value(&t->events[write]);
	return value != VALUE_UNKNOWN && value == r->value;
}

/* The users of an object in the window: none (NONE), one thread (its number), or several. */
#define MANY (UINT32_MAX - 1)

static void add_user(uint32_t *users, uint32_t object, uint32_t thread)
{
	if (users[object] == NONE)
		users[object] = thread;
	else if (users[object] != thread)
		users[object] = MANY;
}

/* Whether another thread is among the users. */
static bool others(uint32_t users, uint32_t thread) { return users != NONE && users != thread; }

#define LOCKS_MOST 4 /* of the locks that all accesses to a variable have in common */

struct variable {
	uint32_t variable; /* its number in the trace */
	uint32_t writers;  /* the users that write it */
	uint32_t locks[LOCKS_MOST];
	uint32_t lock_count;       /* all accesses so far hold these; writes hold them exclusively */
	bool seen, read_varies;    /* seen: it has an access; read_varies: one of its reads varies */
	uint32_t last, last_write; /* the last access and write so far; NO_EVENT: none */
	uint32_t slot;
};

/* What is known of the window while it is made. */
struct window_builder {
	struct window *w;
	struct variable *variables; /* of the window */
	uint32_t variable_count;
	uint32_t *variable;        /* by event of the window: the variable of an access, as an index into `variables` */
	uint32_t *section;         /* by event: the acquire of the lock that protects an access; NO_EVENT: none does */
	uint32_t *lock_users;      /* by lock: its users */
	bool *exclusive;           /* by lock: some thread holds it exclusively */
	uint32_t *takes_in_window; /* by semaphore */
	bool *is_node, *varies;    /* by event: it is a node; it is a read that varies */
	uint32_t *own_fed_write;   /* by event: the write, for an own_read; NO_EVENT for others */
	bool *visible;             /* by event: it is a write that other threads may see */
	uint32_t *confined;        /* by event: how many confined reads of its thread vary up to it */
	uint32_t *held;            /* the acquires that are not released yet, during a walk through the window */
	uint32_t held_count;
};

static struct variable *variable_of(struct window_builder *m, uint32_t event)
{
	return &m->variables[m->variable[event - m->w->start]];
}

static void note_section(struct window_builder *m, const struct trace_event *e)
{
	add_user(m->lock_users, e->object, e->thread);
	if (!event_is(e, IS_SHARED))
		m->exclusive[e->object] = true;
}

static void track_locks(struct window_builder *m, uint32_t event)
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

static void track_locks_from_start(struct window_builder *m)
{
	m->held_count = m->w->prefix->held_count;
	if (m->held_count)
		memcpy(m->held, m->w->prefix->held, m->held_count * sizeof *m->held);
}

/* The acquire by which the thread of an access holds a lock as the access needs it; NO_EVENT: it does not. */
static uint32_t acquire_of(const struct window_builder *m, const struct trace_event *e, uint32_t lock)
{
	for (uint32_t i = 0; i < m->held_count; i++) {
		const struct trace_event *a = &m->w->trace->events[m->held[i]];
		if (a->thread == e->thread && a->object == lock && !(event_is(e, IS_WRITE) && event_is(a, IS_SHARED)))
			return m->held[i];
	}
	return NO_EVENT;
}

/* Drops the locks that this access does not hold. */
static void keep_common_locks(struct window_builder *m, struct variable *v, const struct trace_event *e)
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
		if (acquire_of(m, e, v->locks[i]) != NO_EVENT)
			v->locks[n++] = v->locks[i];
	v->lock_count = n;
}

static void note_access(struct window_builder *m, uint32_t event)
{
	const struct trace_event *e = &m->w->trace->events[event];
	uint32_t *number = &m->w->prefix->scratch[e->object];

	if (*number == NONE) {
		*number = m->variable_count++;
		m->variables[*number] = (struct variable){
		        .variable = e->object, .writers = NONE, .last = NO_EVENT, .last_write = NO_EVENT, .slot = NONE};
	}
	m->variable[event - m->w->start] = *number;
	keep_common_locks(m, &m->variables[*number], e);
	if (event_is(e, IS_WRITE))
		add_user(&m->variables[*number].writers, 0, e->thread);
}

static void scan_objects(struct window_builder *m)
{
	const struct trace *t = m->w->trace;

	track_locks_from_start(m);
	for (uint32_t i = 0; i < m->held_count; i++)
		note_section(m, &t->events[m->held[i]]);
	for (uint32_t i = m->w->start; i < m->w->end; i++) {
		const struct trace_event *e = &t->events[i];
		track_locks(m, i);
		if (event_is_access(e))
			note_access(m, i);
		if (event_is(e, IS_ACQUIRE) && !(e->flags & EVENT_NESTED))
			note_section(m, e);
		if (e->op == OP_TAKE)
			m->takes_in_window[e->object]++;
	}
	for (uint32_t i = 0; i < m->variable_count; i++)
		m->w->prefix->scratch[m->variables[i].variable] = NONE;
}

/* Whether two accesses are in one section of the lock that protects their variable. */
static bool same_section(const struct window_builder *m, uint32_t a, uint32_t b)
{
	return a != NO_EVENT && m->section[a - m->w->start] != NO_EVENT &&
	       m->section[a - m->w->start] == m->section[b - m->w->start];
}

/* Whether a read can only see what its own thread wrote last, or what was there before the window. */
static bool sees_own(const struct window_builder *m, const struct variable *v, uint32_t event)
{
	return !others(v->writers, m->w->trace->events[event].thread) || same_section(m, v->last_write, event);
}

/*
 * Whether the order decides what a read sees. It does if other threads write the variable, except after another access
 * in the same section: after a write of its own the read sees that, and after a read that is right it sees the same
 * value. But an unconfined read may not rely on a confined one: its thread does not need confined reads to be right.
 */
static bool read_varies(const struct window_builder *m, const struct variable *v, uint32_t event)
{
	const struct trace_event *e = &m->w->trace->events[event];
	const struct trace_event *last = v->last == NO_EVENT ? NULL : &m->w->trace->events[v->last];

	if (!event_is(e, IS_READ) || sees_own(m, v, event))
		return false;
	return !same_section(m, v->last, event) || last->value != e->value ||
	       (last->flags & EVENT_CONFINED && !(e->flags & EVENT_CONFINED));
}

/* The fed write of its own thread that an unconfined read is certain to see; NO_EVENT: none. */
static uint32_t own_fed_write(const struct window_builder *m, const struct variable *v, uint32_t event)
{
	const struct trace *t = m->w->trace;
	const struct trace_event *e = &t->events[event];

	if (!event_is(e, IS_READ) || e->flags & EVENT_CONFINED || v->last_write == NO_EVENT || !sees_own(m, v, event))
		return NO_EVENT;
	return t->events[v->last_write].flags & EVENT_FED ? v->last_write : NO_EVENT;
}

/* Finds the reads that vary, and the writes that other threads can see: the last one of each section. */
static void scan_accesses(struct window_builder *m)
{
	const struct trace *t = m->w->trace;
	uint32_t start = m->w->start;

	track_locks_from_start(m);
	for (uint32_t i = start; i < m->w->end; i++) {
		const struct trace_event *e = &t->events[i];
		track_locks(m, i);
		m->section[i - start] = NO_EVENT;
		if (!event_is_access(e))
			continue;
		struct variable *v = variable_of(m, i);
		if (v->lock_count)
			m->section[i - start] = acquire_of(m, e, v->locks[0]);
		m->varies[i - start] = read_varies(m, v, i);
		m->own_fed_write[i - start] = own_fed_write(m, v, i);
		v->read_varies |= m->varies[i - start];
		v->last = i;
		if (!event_is(e, IS_WRITE))
			continue;
		if (same_section(m, v->last_write, i))
			m->visible[v->last_write - start] = false;
		m->visible[i - start] = true;
		v->last_write = i;
	}
}

static bool can_run_out(const struct window_builder *m, const struct trace_event *e)
{
	return (e->op == OP_TAKE || e->op == OP_POST) &&
	       m->takes_in_window[e->object] > m->w->prefix->tokens[e->object];
}

static bool contended(const struct window_builder *m, const struct trace_event *e)
{
	return event_is(e, IS_ACQUIRE | IS_RELEASE) && !(e->flags & EVENT_NESTED) && m->lock_users[e->object] == MANY &&
	       m->exclusive[e->object];
}

/* Whether the access needs a node of its own. */
static bool needs_own_node(struct window_builder *m, uint32_t event)
{
	uint32_t i = event - m->w->start;

	return event_is_access(&m->w->trace->events[event]) && m->section[i] == NO_EVENT &&
	       (m->varies[i] || (m->visible[i] && variable_of(m, event)->read_varies));
}

static uint32_t wait_of(const struct trace *t, uint32_t wake)
{
	return trace_thread_event(t, t->events[wake].thread, t->thread_index[wake] - 1);
}

/* A wake whose wait and notification are in the window, too: the window decides their order. */
static bool is_window_wake(const struct window *w, uint32_t event)
{
	const struct trace_event *e = &w->trace->events[event];

	return e->op == OP_WAKE && e->notify != NO_EVENT && wait_of(w->trace, event) >= w->start;
}

static void choose_nodes(struct window_builder *m, const bool *is_candidate)
{
	struct window *w = m->w;
	const struct trace *t = w->trace;

	for (uint32_t i = w->start; i < w->end; i++) {
		const struct trace_event *e = &t->events[i];
		size_t count = 0;
		if (is_window_wake(w, i))
			m->is_node[wait_of(t, i) - w->start] = true;
		if (is_candidate[i - w->start] || needs_own_node(m, i) || contended(m, e) || can_run_out(m, e))
			m->is_node[i - w->start] = true;
		const struct edge *edges = e->flags & EVENT_EDGES ? trace_edges(t, i, &count) : NULL;
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= w->start) {
				m->is_node[i - w->start] = m->is_node[edges[k].before - w->start] = true;
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

/* What a thread has done so far in the window. */
struct thread_progress {
	uint32_t unconfined, confined;             /* how many of its reads vary */
	uint32_t needs_unconfined, needs_confined; /* how many of them must be right from here on */
	uint32_t last;                             /* its last node */
};

/* Adds a varying read, or a write that other threads can see, to a list. */
static void add_access(struct window_builder *m, struct access *list, uint32_t *count, uint32_t event,
                       const struct thread_progress *r)
{
	struct window *w = m->w;
	uint32_t anchor = m->section[event - w->start];

	if (anchor == NO_EVENT)
		anchor = event;
	list[(*count)++] = (struct access){.event = event,
	                                   .anchor = anchor < w->start ? NONE : w->node_of[anchor - w->start],
	                                   .unconfined = r->unconfined,
	                                   .confined = r->confined,
	                                   .slot = variable_of(m, event)->slot,
	                                   .thread = (uint16_t)w->thread_of[w->trace->events[event].thread]};
}

/* Counts the read of an event, if it varies. */
static void count_read(struct window_builder *m, struct thread_progress *r, uint32_t event)
{
	struct window *w = m->w;
	const struct trace_event *e = &w->trace->events[event];
	uint32_t here = event - w->start, write = m->own_fed_write[here];
	uint32_t confined = write == NO_EVENT ? 0 : m->confined[write - w->start];

	if (!m->varies[here] && !confined)
		return;
	if (e->flags & EVENT_CONFINED)
		r->confined++;
	else
		r->unconfined++;
	if (m->varies[here])
		add_access(m, w->varying_reads, &w->varying_read_count, event, r);
	else
		w->own_reads[w->own_read_count++] = (struct own_read){
		        .unconfined = r->unconfined, .confined = confined, .thread = (uint16_t)w->thread_of[e->thread]};
}

static void make_node(struct window *w, struct thread_progress *r, uint32_t event)
{
	w->node_of[event - w->start] = w->node_count;
	w->nodes[w->node_count] = (struct order_node){.event = event,
	                                              .previous = r->last,
	                                              .needs_unconfined = r->needs_unconfined,
	                                              .needs_confined = r->needs_confined,
	                                              .pinned = w->trace->events[event].flags & EVENT_PINNED};
	r->last = w->node_count++;
}

/* Numbers threads and nodes, counts the reads of each thread, and notes how many of them each node needs. */
static void make_nodes(struct window_builder *m)
{
	struct window *w = m->w;
	const struct trace *t = w->trace;
	uint32_t all = t->objects[OBJECT_THREAD], size = w->end - w->start;
	struct thread_progress *progress = must_alloc((all + 1) * sizeof *progress);

	for (uint32_t i = 0; i < all; i++)
		progress[i] = (struct thread_progress){.last = NONE};
	w->thread_of = array_filled(all, NONE);
	w->threads = must_alloc((all + 1) * sizeof *w->threads);
	w->nodes = must_alloc((size + 1) * sizeof *w->nodes);
	w->varying_reads = must_alloc((size + 1) * sizeof *w->varying_reads);
	w->own_reads = must_alloc((size + 1) * sizeof *w->own_reads);
	w->writes = must_alloc((size + 1) * sizeof *w->writes);
	w->node_of = array_filled(size, NONE);
	for (uint32_t i = w->start; i < w->end; i++) {
		const struct trace_event *e = &t->events[i];
		struct thread_progress *r = &progress[e->thread];
		number_thread(w, e->thread);
		if (event_follows_branch(t, i))
			r->needs_unconfined = r->unconfined;
		if (e->op == OP_PIN)
			r->needs_confined = r->confined;
		if (m->is_node[i - w->start])
			make_node(w, r, i);
		count_read(m, r, i);
		if (m->is_node[i - w->start]) {
			w->nodes[r->last].unconfined = r->unconfined;
			if (join_follows_branch(t, i)) /* it does nothing more: all of its reads are counted */
				w->nodes[r->last].needs_joined = progress[e->object].unconfined;
		}
		if (e->flags & EVENT_PINNED)
			r->needs_unconfined = r->unconfined;
		m->confined[i - w->start] = r->confined;
		if (m->visible[i - w->start] && variable_of(m, i)->read_varies)
			add_access(m, w->writes, &w->write_count, i, r);
	}
	free(progress);
}

static void make_edges(struct window *w)
{
	const struct trace *t = w->trace;
	uint32_t n = 0;

	w->edges = must_alloc((w->edge_count + 1) * sizeof *w->edges);
	for (uint32_t p = 0; p < w->node_count; p++) {
		size_t count = 0;
		uint32_t event = w->nodes[p].event;
		if (!(t->events[event].flags & EVENT_EDGES))
			continue;
		const struct edge *edges = trace_edges(t, event, &count);
		for (size_t k = 0; k < count; k++)
			if (edges[k].before >= w->start)
				w->edges[n++] =
				        (struct edge){.event = p, .before = w->node_of[edges[k].before - w->start]};
	}
}

static void make_wakes(struct window *w)
{
	w->wakes = must_alloc((w->node_count + 1) * sizeof *w->wakes);
	for (uint32_t p = 0; p < w->node_count; p++) {
		uint32_t event = w->nodes[p].event;
		if (is_window_wake(w, event))
			w->wakes[w->wake_count++] =
			        (struct wake){.wait = w->node_of[wait_of(w->trace, event) - w->start],
			                      .notify = w->node_of[node_event(w, p)->notify - w->start],
			                      .wake = p};
	}
}

static uint32_t node_at(const struct window *w, uint32_t event)
{
	return event == NO_EVENT || event < w->start || event >= w->end ? NONE : w->node_of[event - w->start];
}

static void add_section(struct window_builder *m, uint32_t acquire)
{
	struct window *w = m->w;
	const struct trace_event *e = &w->trace->events[acquire];

	w->sections[w->section_count++] = (struct section){.lock = e->object,
	                                                   .acquire = node_at(w, acquire),
	                                                   .release = node_at(w, e->match),
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

static void make_sections(struct window_builder *m)
{
	struct window *w = m->w;

	w->sections = must_alloc((w->prefix->held_count + w->node_count + 1) * sizeof *w->sections);
	for (uint32_t i = 0; i < w->prefix->held_count; i++) {
		const struct trace_event *e = &w->trace->events[w->prefix->held[i]];
		if (contended(m, e))
			add_section(m, w->prefix->held[i]);
	}
	for (uint32_t p = 0; p < w->node_count; p++) {
		const struct trace_event *e = node_event(w, p);
		if (event_is(e, IS_ACQUIRE) && contended(m, e))
			add_section(m, w->nodes[p].event);
	}
	qsort(w->sections, w->section_count, sizeof *w->sections, by_lock);
}

static void make_slots(struct window_builder *m)
{
	struct window *w = m->w;

	w->slot_variable = must_alloc((m->variable_count + 1) * sizeof *w->slot_variable);
	for (uint32_t i = 0; i < m->variable_count; i++)
		if (m->variables[i].read_varies) {
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
	w->slot_start = array_filled(w->slot_count + 1, 0);
	for (uint32_t i = 0; i < w->write_count; i++)
		w->slot_start[w->writes[i].slot + 1]++;
	for (uint32_t s = 0; s < w->slot_count; s++)
		w->slot_start[s + 1] += w->slot_start[s];
}

static int by_semaphore(const void *a, const void *b, void *context)
{
	const struct window *w = context;
	uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
	uint32_t x = node_event(w, p)->object, y = node_event(w, q)->object;

	return x != y ? (x > y) - (x < y) : (p > q) - (p < q);
}

static void make_semaphores(struct window_builder *m)
{
	struct window *w = m->w;

	w->takes = must_alloc((w->node_count + 1) * sizeof *w->takes);
	w->posts = must_alloc((w->node_count + 1) * sizeof *w->posts);
	for (uint32_t p = 0; p < w->node_count; p++) {
		const struct trace_event *e = node_event(w, p);
		if (!can_run_out(m, e))
			continue;
		if (e->op == OP_TAKE)
			w->takes[w->take_count++] = p;
		else
			w->posts[w->post_count++] = p;
	}
	qsort_r(w->takes, w->take_count, sizeof *w->takes, by_semaphore, w);
	qsort_r(w->posts, w->post_count, sizeof *w->posts, by_semaphore, w);
}

void window_make(struct window *w, const struct trace *t, const struct window_prefix *c, uint32_t end,
                 const bool *is_candidate)
{
	uint32_t size = end - c->end;
	struct window_builder m = {.w = w,
	                           .variables = must_alloc((size + 1) * sizeof *m.variables),
	                           .variable = array_filled(size, NONE),
	                           .section = array_filled(size, NO_EVENT),
	                           .lock_users = array_filled(t->objects[OBJECT_LOCK], NONE),
	                           .exclusive = array_zeroed(t->objects[OBJECT_LOCK], sizeof(bool)),
	                           .takes_in_window = array_filled(t->objects[OBJECT_SEMAPHORE], 0),
	                           .is_node = array_zeroed(size, sizeof(bool)),
	                           .varies = array_zeroed(size, sizeof(bool)),
	                           .own_fed_write = array_filled(size, NO_EVENT),
	                           .confined = array_filled(size, 0),
	                           .visible = array_zeroed(size, sizeof(bool)),
	                           .held = must_alloc((c->held_count + size + 1ul) * sizeof *m.held)};

	*w = (struct window){.trace = t, .prefix = c, .start = c->end, .end = end};
	scan_objects(&m);
	scan_accesses(&m);
	choose_nodes(&m, is_candidate);
	make_slots(&m);
	make_nodes(&m);
	sort_writes(w);
	make_edges(w);
	make_wakes(w);
	make_sections(&m);
	make_semaphores(&m);
	free(m.variables);
	free(m.variable);
	free(m.section);
	free(m.lock_users);
	free(m.exclusive);
	free(m.takes_in_window);
	free(m.is_node);
	free(m.varies);
	free(m.own_fed_write);
	free(m.confined);
	free(m.visible);
	free(m.held);
}

void window_free(struct window *w)
{
	free(w->nodes);
	free(w->node_of);
	free(w->threads);
	free(w->thread_of);
	free(w->edges);
	free(w->wakes);
	free(w->sections);
	free(w->varying_reads);
	free(w->own_reads);
	free(w->slot_variable);
	free(w->slot_start);
	free(w->writes);
	free(w->takes);
	free(w->posts);
}
