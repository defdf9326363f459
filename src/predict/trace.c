#include "predict/trace.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

#define EDGES_MOST (1ul << 28)

const struct op_info ops[OP_COUNT] = {
#define X(id, name, kind, is) [OP_##id] = {name, OBJECT_##kind, is},
        OPS(X)
#undef X
};

const char *const object_kinds[] = {
#define X(id, name) [OBJECT_##id] = name,
        OBJECTS(X)
#undef X
};

/* A list of numbers that grows. */
struct list {
	uint32_t *at;
	size_t count, capacity;
};

struct hold {
	uint32_t acquire, depth;
	uint16_t thread;
	bool shared;
};

struct lock_state {
	struct hold *holds; /* one, or many that share it */
	uint32_t count, capacity;
};

struct condition_state {
	uint32_t waiting;       /* threads */
	struct list signals;    /* not used up, while somebody waits */
	struct list broadcasts; /* the same; they are never used up */
};

struct barrier_state {
	struct list arrivals; /* of all rounds */
	struct list rounds;   /* where in `arrivals` each begins */
	bool open;            /* the last one still takes arrivals */
};

struct thread_state {
	uint32_t first, last;
	uint32_t fork, join; /* the last of it, or NO_EVENT */
	bool forked;         /* and has done nothing since */
	bool joined, ended;  /* and was not forked again */
	uint8_t owes;        /* the only operation that may follow: WAKE, LEAVE or, for none, BEGIN */
	uint32_t object, condition, round, depth; /* of it */
};

struct variable_state {
	uint32_t writer;
};

/* State of all objects of a kind, as far as the trace has come; zero is where they start, but for variables. */
struct table {
	char *at;
	size_t count;
};

struct trace_builder {
	size_t capacity, edge_capacity;
	struct table threads, variables, locks, conditions, barriers, onces;
	uint32_t semaphores; /* that sem_initial has room for */
};

static void list_add(struct list *l, uint32_t value)
{
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? l->capacity * 2 : 4;
		l->at = must_resize(l->at, l->capacity * sizeof *l->at);
	}
	l->at[l->count++] = value;
}

/* The state of one object; of one not yet seen all bytes are `fill`. */
static void *state_of(struct table *t, uint32_t id, size_t size, int fill)
{
	if (id >= t->count) {
		size_t count = id + 16 + id / 2;
		t->at = must_resize(t->at, count * size);
		memset(t->at + t->count * size, fill, (count - t->count) * size);
		t->count = count;
	}
	return t->at + id * size;
}

static struct thread_state *thread_of(struct trace *t, uint32_t id)
{
	return state_of(&t->builder->threads, id, sizeof(struct thread_state), 0);
}

static const char *name_of(const struct trace *t, enum object_kind kind, uint32_t id)
{
	return interned(&t->names[kind], id);
}

bool events_conflict(const struct trace_event *a, const struct trace_event *b)
{
	unsigned both = ops[a->op].is & ops[b->op].is, any = ops[a->op].is | ops[b->op].is;

	return a->object == b->object && a->thread != b->thread && event_is_access(a) && event_is_access(b) &&
	       any & IS_WRITE && !(both & IS_ATOMIC);
}

void trace_start(struct trace *t)
{
	*t = (struct trace){.builder = must_alloc(sizeof *t->builder)};
	*t->builder = (struct trace_builder){0};
	intern(&t->values, "", 0); /* VALUE_UNKNOWN */
}

uint32_t trace_object(struct trace *t, enum object_kind kind, const char *name, size_t size)
{
	return intern(&t->names[kind], name, size);
}

uint32_t trace_location(struct trace *t, const char *name, size_t size) { return intern(&t->locations, name, size); }
uint32_t trace_value(struct trace *t, const char *text, size_t size) { return intern(&t->values, text, size); }

static bool add_edge(struct trace *t, uint32_t before, struct error *e)
{
	struct trace_builder *b = t->builder;

	if (t->edge_count == EDGES_MOST)
		return error_set(e, "more than %lu orders between threads", EDGES_MOST);
	if (t->edge_count == b->edge_capacity) {
		b->edge_capacity = b->edge_capacity ? b->edge_capacity * 2 : 64;
		t->edges = must_resize(t->edges, b->edge_capacity * sizeof *t->edges);
	}
	t->edges[t->edge_count++] = (struct edge){.event = t->count, .before = before};
	t->events[t->count].flags |= EVENT_EDGES;
	return true;
}

/* ---- accesses ---- */

static bool add_read(struct trace *t, struct trace_event *n, const struct variable_state *v, struct error *e)
{
	uint32_t was;

	n->match = v->writer;
	if (v->writer == NO_EVENT) {
		uint32_t *initial = &t->value_initial[n->object];
		if (*initial == VALUE_UNKNOWN)
			*initial = n->value;
		was = *initial;
	} else {
		const struct trace_event *w = &t->events[v->writer];
		was = w->op == OP_RMW ? w->written : w->value;
	}
	if (was == VALUE_UNKNOWN || n->value == VALUE_UNKNOWN || was == n->value)
		return true;
	return error_set(e, "%s reads %s from %s, which is %s", name_of(t, OBJECT_THREAD, n->thread),
	                 interned(&t->values, n->value), name_of(t, OBJECT_VARIABLE, n->object),
	                 interned(&t->values, was));
}

static struct variable_state *variable_of(struct trace *t, uint32_t id)
{
	struct table *table = &t->builder->variables;
	size_t had = table->count;
	struct variable_state *v = state_of(table, id, sizeof *v, 0xff);

	if (table->count != had) {
		t->value_initial = must_resize(t->value_initial, table->count * sizeof *t->value_initial);
		memset(t->value_initial + had, 0, (table->count - had) * sizeof *t->value_initial);
	}
	return v;
}

void trace_set_initial(struct trace *t, uint32_t variable, uint32_t value)
{
	variable_of(t, variable);
	t->value_initial[variable] = value;
}

static bool add_access(struct trace *t, struct trace_event *n, struct error *e)
{
	struct variable_state *v = variable_of(t, n->object);

	if (event_is(n, IS_READ) && !add_read(t, n, v, e))
		return false;
	if (event_is(n, IS_WRITE))
		v->writer = t->count;
	return true;
}

/* ---- locks ---- */

static struct lock_state *lock_of(struct trace *t, uint32_t id)
{
	return state_of(&t->builder->locks, id, sizeof(struct lock_state), 0);
}

static struct hold *find_hold(struct lock_state *l, uint32_t thread)
{
	for (uint32_t i = 0; i < l->count; i++)
		if (l->holds[i].thread == thread)
			return &l->holds[i];
	return NULL;
}

static void take_lock(struct trace *t, struct lock_state *l, const struct trace_event *n, uint32_t depth)
{
	if (l->count == l->capacity) {
		l->capacity = l->capacity ? l->capacity * 2 : 1;
		l->holds = must_resize(l->holds, l->capacity * sizeof *l->holds);
	}
	l->holds[l->count++] = (struct hold){
	        .acquire = t->count, .depth = depth, .thread = n->thread, .shared = event_is(n, IS_SHARED)};
}

static bool add_acquire(struct trace *t, struct trace_event *n, struct error *e)
{
	struct lock_state *l = lock_of(t, n->object);
	struct hold *mine = find_hold(l, n->thread);
	bool shared = event_is(n, IS_SHARED);
	const char *thread = name_of(t, OBJECT_THREAD, n->thread), *lock = name_of(t, OBJECT_LOCK, n->object);

	if (mine && mine->shared != shared)
		return error_set(e, "%s acquires %s for %s, and holds it for %s", thread, lock,
		                 shared ? "reading" : "writing", shared ? "writing" : "reading");
	if (mine) {
		if (mine->depth == UINT32_MAX)
			return error_set(e, "%s holds %s too often", thread, lock);
		mine->depth++;
		n->flags |= EVENT_NESTED;
		return true;
	}
	if (l->count && !(shared && l->holds[0].shared))
		return error_set(e, "%s acquires %s, which %s holds", thread, lock,
		                 name_of(t, OBJECT_THREAD, l->holds[0].thread));
	take_lock(t, l, n, 1);
	return true;
}

/* The hold ends here, whatever its depth. */
static void drop_lock(struct trace *t, struct lock_state *l, struct hold *mine, struct trace_event *n)
{
	n->match = mine->acquire;
	t->events[mine->acquire].match = t->count;
	*mine = l->holds[--l->count];
}

static bool add_release(struct trace *t, struct trace_event *n, struct error *e)
{
	struct lock_state *l = lock_of(t, n->object);
	struct hold *mine = find_hold(l, n->thread);

	if (!mine || mine->shared != event_is(n, IS_SHARED))
		return error_set(e, "%s releases %s, which it does not hold%s", name_of(t, OBJECT_THREAD, n->thread),
		                 name_of(t, OBJECT_LOCK, n->object),
		                 !mine          ? ""
		                 : mine->shared ? " for writing"
		                                : " for reading");
	if (--mine->depth) {
		n->flags |= EVENT_NESTED;
		return true;
	}
	drop_lock(t, l, mine, n);
	return true;
}

/* ---- conditions ---- */

static struct condition_state *condition_of(struct trace *t, uint32_t id)
{
	return state_of(&t->builder->conditions, id, sizeof(struct condition_state), 0);
}

static bool add_wait(struct trace *t, struct trace_event *n, struct error *e)
{
	struct lock_state *l = lock_of(t, n->object);
	struct hold *mine = find_hold(l, n->thread);
	struct thread_state *me = thread_of(t, n->thread);

	if (!mine || mine->shared)
		return error_set(e, "%s waits with %s, which it does not hold", name_of(t, OBJECT_THREAD, n->thread),
		                 name_of(t, OBJECT_LOCK, n->object));
	me->owes = OP_WAKE;
	me->object = n->object;
	me->condition = n->condition;
	me->depth = mine->depth;
	me->round = t->count; /* where its wait began */
	condition_of(t, n->condition)->waiting++;
	drop_lock(t, l, mine, n);
	return true;
}

/* The first notification behind the wait that woke nobody else; such a one there always is, or it woke by itself. */
static uint32_t find_notify(struct condition_state *c, uint32_t wait)
{
	struct list *s = &c->signals, *b = &c->broadcasts;

	for (size_t i = 0; i < s->count; i++) {
		uint32_t found = s->at[i];
		if (found < wait)
			continue;
		memmove(s->at + i, s->at + i + 1, (s->count - i - 1) * sizeof *s->at);
		s->count--;
		return found;
	}
	for (size_t i = 0; i < b->count; i++)
		if (b->at[i] > wait)
			return b->at[i];
	return NO_EVENT;
}

static bool add_wake(struct trace *t, struct trace_event *n, struct error *e)
{
	struct thread_state *me = thread_of(t, n->thread);
	struct lock_state *l = lock_of(t, n->object);
	struct condition_state *c = condition_of(t, n->condition);

	if (me->owes != OP_WAKE || me->object != n->object || me->condition != n->condition)
		return error_set(e, "%s wakes from a wait that it has not begun", name_of(t, OBJECT_THREAD, n->thread));
	if (l->count)
		return error_set(e, "%s wakes with %s, which %s holds", name_of(t, OBJECT_THREAD, n->thread),
		                 name_of(t, OBJECT_LOCK, n->object), name_of(t, OBJECT_THREAD, l->holds[0].thread));
	n->notify = find_notify(c, me->round);
	take_lock(t, l, n, me->depth);
	if (!--c->waiting)
		c->signals.count = c->broadcasts.count = 0;
	me->owes = OP_BEGIN;
	return n->notify == NO_EVENT || add_edge(t, n->notify, e);
}

static void add_notify(struct trace *t, const struct trace_event *n)
{
	struct condition_state *c = condition_of(t, n->object);

	if (c->waiting)
		list_add(n->op == OP_NOTIFY ? &c->signals : &c->broadcasts, t->count);
}

/* ---- threads ---- */

/* An event comes behind another, if there is that one and it is not of the same thread. */
static bool add_edge_from(struct trace *t, const struct trace_event *n, uint32_t before, struct error *e)
{
	return before == NO_EVENT || t->events[before].thread == n->thread || add_edge(t, before, e);
}

static bool is_waiting(const struct trace *t, const struct trace_event *n, const struct thread_state *child,
                       struct error *e)
{
	return child->owes != OP_BEGIN && !error_set(e, "%s %ss %s, which waits", name_of(t, OBJECT_THREAD, n->thread),
	                                             ops[n->op].name, name_of(t, OBJECT_THREAD, n->object));
}

/*
 * A log may give one name to several threads. All of them are one here, in the order of the trace: the fork of the next
 * comes behind all that is known of those before it.
 */
static bool add_fork(struct trace *t, const struct trace_event *n, struct error *e)
{
	struct thread_state *child = thread_of(t, n->object);
	uint32_t fork = child->fork;
	bool again = fork != NO_EVENT;

	if (n->object == n->thread || (!again && (child->joined || child->first != NO_EVENT)))
		return error_set(e, "%s forks %s, which was there before", name_of(t, OBJECT_THREAD, n->thread),
		                 name_of(t, OBJECT_THREAD, n->object));
	if (is_waiting(t, n, child, e))
		return false;
	if (again && !t->repeated_forks++)
		t->repeated_fork = t->count;
	child->fork = t->count;
	child->forked = true;
	child->joined = child->ended = false;
	return !again || (add_edge_from(t, n, fork, e) && add_edge_from(t, n, child->last, e) &&
	                  add_edge_from(t, n, child->join, e));
}

static bool add_join(struct trace *t, struct trace_event *n, struct error *e)
{
	struct thread_state *child = thread_of(t, n->object);

	if (n->object == n->thread)
		return error_set(e, "%s joins itself", name_of(t, OBJECT_THREAD, n->thread));
	if (is_waiting(t, n, child, e))
		return false;
	child->joined = true;
	child->join = t->count;
	n->match = child->last;
	return add_edge_from(t, n, child->last, e) && (!child->forked || add_edge_from(t, n, child->fork, e));
}

/* ---- barriers, once ---- */

static struct barrier_state *barrier_of(struct trace *t, uint32_t id)
{
	return state_of(&t->builder->barriers, id, sizeof(struct barrier_state), 0);
}

static void round_bounds(const struct barrier_state *b, size_t round, size_t *from, size_t *to)
{
	*from = b->rounds.at[round];
	*to = round + 1 < b->rounds.count ? b->rounds.at[round + 1] : b->arrivals.count;
}

/* Whoever was not in the round before must not slip into it: it arrives behind all who were. */
static bool order_round(struct trace *t, const struct barrier_state *b, size_t round, uint32_t thread, struct error *e)
{
	size_t from, to;

	round_bounds(b, round, &from, &to);
	for (size_t i = from; i < to; i++)
		if (t->events[b->arrivals.at[i]].thread == thread)
			return true;
	for (size_t i = from; i < to; i++)
		if (!add_edge(t, b->arrivals.at[i], e))
			return false;
	return true;
}

static bool add_arrive(struct trace *t, const struct trace_event *n, struct error *e)
{
	struct barrier_state *b = barrier_of(t, n->object);
	struct thread_state *me = thread_of(t, n->thread);

	if (!b->open)
		list_add(&b->rounds, (uint32_t)b->arrivals.count);
	b->open = true;
	me->owes = OP_LEAVE;
	me->object = n->object;
	me->round = (uint32_t)b->rounds.count - 1;
	me->depth = t->count; /* its arrival */
	if (me->round && !order_round(t, b, me->round - 1, n->thread, e))
		return false;
	list_add(&b->arrivals, t->count);
	return true;
}

static bool add_leave(struct trace *t, struct trace_event *n, struct error *e)
{
	struct barrier_state *b = barrier_of(t, n->object);
	struct thread_state *me = thread_of(t, n->thread);
	size_t from, to;

	if (me->owes != OP_LEAVE || me->object != n->object)
		return error_set(e, "%s leaves %s, where it has not arrived", name_of(t, OBJECT_THREAD, n->thread),
		                 name_of(t, OBJECT_BARRIER, n->object));
	if (me->round + 1 == b->rounds.count)
		b->open = false;
	me->owes = OP_BEGIN;
	n->match = me->depth;
	round_bounds(b, me->round, &from, &to);
	for (size_t i = from; i < to; i++)
		if (t->events[b->arrivals.at[i]].thread != n->thread && !add_edge(t, b->arrivals.at[i], e))
			return false;
	return true;
}

static bool add_once(struct trace *t, struct trace_event *n, struct error *e)
{
	uint32_t *first = state_of(&t->builder->onces, n->object, sizeof *first, 0xff);

	n->match = *first;
	if (*first == NO_EVENT) {
		*first = t->count;
		return true;
	}
	return t->events[*first].thread == n->thread || add_edge(t, *first, e);
}

/* ---- all ---- */

static bool add_op(struct trace *t, struct trace_event *n, struct error *e)
{
	switch ((enum op)n->op) {
	case OP_READ:
	case OP_WRITE:
	case OP_ATOMIC_READ:
	case OP_ATOMIC_WRITE:
	case OP_RMW:
		return add_access(t, n, e);
	case OP_ACQUIRE:
	case OP_READ_ACQUIRE:
		return add_acquire(t, n, e);
	case OP_RELEASE:
	case OP_READ_RELEASE:
		return add_release(t, n, e);
	case OP_WAIT:
		return add_wait(t, n, e);
	case OP_WAKE:
		return add_wake(t, n, e);
	case OP_NOTIFY:
	case OP_NOTIFY_ALL:
		add_notify(t, n);
		return true;
	case OP_FORK:
		return add_fork(t, n, e);
	case OP_JOIN:
		return add_join(t, n, e);
	case OP_ARRIVE:
		return add_arrive(t, n, e);
	case OP_LEAVE:
		return add_leave(t, n, e);
	case OP_ONCE:
		return add_once(t, n, e);
	case OP_BEGIN:
	case OP_END:
	case OP_POST:
	case OP_TAKE:
		return true;
	case OP_BRANCH:
	case OP_PIN:
		t->branches = true;
		return true;
	case OP_COUNT:
		break;
	}
	return error_set(e, "there is no operation %u", n->op);
}

/* Whether its thread may do anything, and this. */
static bool check_thread(struct trace *t, const struct trace_event *n, struct error *e)
{
	struct thread_state *me = thread_of(t, n->thread);
	const char *name = name_of(t, OBJECT_THREAD, n->thread);

	if (me->joined)
		return error_set(e, "%s does something after it was joined", name);
	if (me->ended)
		return error_set(e, "%s does something after its end", name);
	if (n->op == OP_BEGIN && me->first != NO_EVENT && !me->forked)
		return error_set(e, "%s begins, and has done something before", name);
	if (me->owes != OP_BEGIN && n->op != me->owes)
		return error_set(e, "%s does something while it waits", name);
	return true;
}

static void count_object(struct trace *t, enum object_kind kind, uint32_t id)
{
	if (kind < OBJECT_KINDS && id >= t->objects[kind])
		t->objects[kind] = id + 1;
}

static void make_room(struct trace *t)
{
	struct trace_builder *b = t->builder;

	if (t->count < b->capacity)
		return;
	b->capacity = b->capacity ? b->capacity + b->capacity / 2 : 1024;
	t->events = must_resize(t->events, b->capacity * sizeof *t->events);
}

/* A new thread starts with nothing done. */
static void meet_thread(struct trace *t, uint32_t id)
{
	while (t->objects[OBJECT_THREAD] <= id) {
		struct thread_state *s = thread_of(t, t->objects[OBJECT_THREAD]++);
		s->first = s->last = s->fork = s->join = NO_EVENT;
		s->owes = OP_BEGIN;
	}
}

bool trace_add(struct trace *t, const struct trace_event *event, struct error *e)
{
	if (t->count == EVENTS_MOST)
		return error_set(e, "more than %u events", EVENTS_MOST);
	make_room(t);
	struct trace_event *n = &t->events[t->count];
	*n = *event;
	n->match = NO_EVENT;
	n->flags &= EVENT_DEPENDS | EVENT_PINNED | EVENT_CONFINED | EVENT_FED;
	meet_thread(t, n->thread);
	if (ops[n->op].kind == OBJECT_THREAD)
		meet_thread(t, n->object);
	count_object(t, ops[n->op].kind, n->object);
	if (n->flags & (EVENT_DEPENDS | EVENT_CONFINED | EVENT_FED))
		t->branches = true;
	if (!check_thread(t, n, e))
		return false;
	struct thread_state *me = thread_of(t, n->thread);
	if (me->first == NO_EVENT)
		me->first = t->count;
	if (me->forked) {
		t->events[me->fork].match = t->count;
		if (!add_edge_from(t, n, me->fork, e))
			return false;
	}
	me->forked = false;
	me->last = t->count;
	me->ended = n->op == OP_END;
	if (!add_op(t, n, e))
		return false;
	t->count++;
	return true;
}

/* What the first so many semaphores have at the start. */
static void grow_semaphores(struct trace *t, uint32_t count)
{
	uint32_t *had = &t->builder->semaphores;

	if (count <= *had)
		return;
	t->sem_initial = must_resize(t->sem_initial, count * sizeof *t->sem_initial);
	memset(t->sem_initial + *had, 0, (count - *had) * sizeof *t->sem_initial);
	*had = count;
}

void trace_set_tokens(struct trace *t, uint32_t semaphore, uint32_t count)
{
	grow_semaphores(t, semaphore + 1);
	t->sem_initial[semaphore] = count;
}

/* Semaphores: what they had at the start, and which take has what which post gave. */
static void match_semaphores(struct trace *t)
{
	uint32_t count = t->objects[OBJECT_SEMAPHORE];
	int64_t *value = must_alloc((count + 1ul) * sizeof *value);
	struct list *posts = must_alloc((count + 1ul) * sizeof *posts);

	grow_semaphores(t, count + 1);
	memset(value, 0, (count + 1ul) * sizeof *value);
	memset(posts, 0, (count + 1ul) * sizeof *posts);
	for (uint32_t i = 0; count && i < t->count; i++) {
		const struct trace_event *n = &t->events[i];
		if (n->op == OP_POST)
			value[n->object]++;
		else if (n->op == OP_TAKE && --value[n->object] < -(int64_t)t->sem_initial[n->object])
			t->sem_initial[n->object]++;
	}
	memset(value, 0, (count + 1ul) * sizeof *value);
	for (uint32_t i = 0; count && i < t->count; i++) {
		struct trace_event *n = &t->events[i];
		if (n->op == OP_POST)
			list_add(&posts[n->object], i);
		else if (n->op == OP_TAKE && value[n->object]++ >= t->sem_initial[n->object])
			n->match = posts[n->object].at[value[n->object] - 1 - t->sem_initial[n->object]];
	}
	for (uint32_t i = 0; i < count; i++)
		free(posts[i].at);
	free(posts);
	free(value);
}

static void sort_by_thread(struct trace *t)
{
	uint32_t threads = t->objects[OBJECT_THREAD];

	t->local = must_alloc((t->count + 1ul) * sizeof *t->local);
	t->program = must_alloc((t->count + 1ul) * sizeof *t->program);
	t->thread_start = must_alloc((threads + 1ul) * sizeof *t->thread_start);
	memset(t->thread_start, 0, (threads + 1ul) * sizeof *t->thread_start);
	for (uint32_t i = 0; i < t->count; i++)
		t->local[i] = t->thread_start[t->events[i].thread + 1]++;
	for (uint32_t i = 0; i < threads; i++)
		t->thread_start[i + 1] += t->thread_start[i];
	for (uint32_t i = 0; i < t->count; i++)
		t->program[t->thread_start[t->events[i].thread] + t->local[i]] = i;
}

static void builder_free(struct trace *t)
{
	struct trace_builder *b = t->builder;

	if (!b)
		return;
	for (size_t i = 0; i < b->locks.count; i++)
		free(((struct lock_state *)b->locks.at)[i].holds);
	for (size_t i = 0; i < b->conditions.count; i++) {
		free(((struct condition_state *)b->conditions.at)[i].signals.at);
		free(((struct condition_state *)b->conditions.at)[i].broadcasts.at);
	}
	for (size_t i = 0; i < b->barriers.count; i++) {
		free(((struct barrier_state *)b->barriers.at)[i].arrivals.at);
		free(((struct barrier_state *)b->barriers.at)[i].rounds.at);
	}
	free(b->threads.at);
	free(b->variables.at);
	free(b->locks.at);
	free(b->conditions.at);
	free(b->barriers.at);
	free(b->onces.at);
	free(b);
	t->builder = NULL;
}

void trace_finish(struct trace *t)
{
	match_semaphores(t);
	builder_free(t);
	t->events = must_resize(t->events, (t->count + 1ul) * sizeof *t->events);
	sort_by_thread(t);
}

void trace_free(struct trace *t)
{
	builder_free(t);
	for (int i = 0; i < OBJECT_KINDS; i++)
		intern_free(&t->names[i]);
	intern_free(&t->locations);
	intern_free(&t->values);
	free(t->events);
	free(t->local);
	free(t->program);
	free(t->thread_start);
	free(t->edges);
	free(t->sem_initial);
	free(t->value_initial);
	*t = (struct trace){0};
}

const struct edge *trace_edges(const struct trace *t, uint32_t event, size_t *count)
{
	size_t low = 0, high = t->edge_count;

	*count = 0;
	if (!(t->events[event].flags & EVENT_EDGES))
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (t->edges[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + *count < t->edge_count && t->edges[low + *count].event == event)
		++*count;
	return &t->edges[low];
}
