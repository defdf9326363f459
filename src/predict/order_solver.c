/*
 * The encoding is that of Huang, Meredith and Rosu (PLDI 2014), section 3, with two differences.
 *
 * There every event of the trace has to be put into the order, also those behind the two accesses. A reordering that
 * leads to the race and then to a deadlock is lost so. Here the order ends where the accesses meet (O_a and O_b are one
 * variable, `meeting`), and whatever is said of an event holds only if it comes before that.
 *
 * And a write has the value that it had only if its thread is right up to there *and could get there*: what a branch of
 * a thread demands is asked of every thread as far as it has come, not only of those two.
 *
 * All of it is a conjunction of clauses over `x < y` and names for "the first k reads of this thread saw what they saw
 * in the trace" (and the same for its confined ones), and every order literal is positive. Only program order, edges
 * and branches are there from the start. What two sections of a lock, or a read, or a semaphore demand is added when an
 * answer breaks it: most never matter, and with all of it from the start the solver takes two to five times as long.
 */
#include "predict/order_solver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <z3.h>

#include "predict/seconds.h"
#include "format/file.h"

/* A read sees this write (NONE: what was there when the window started) if the literal holds. */
struct choice {
	Z3_ast literal;
	uint32_t reading, write;
};

/* How far each thread of the window is right. */
struct readers {
	Z3_ast **right;  /* by thread and k: its first k reads are */
	uint32_t *count; /* how many there are */
	uint32_t *known; /* how many the last answer has as right */
};

struct order {
	const struct window *w;
	Z3_context z3;
	Z3_solver solver;
	Z3_ast *place, meeting, minus_one, zero;
	Z3_func_decl *name, meeting_name; /* of `place` and `meeting`, for models */
	struct readers open, confined;    /* by reads that branches bear upon, and by the others */
	Z3_ast *next;                     /* by point: it is next where they meet; NULL until needed */

	bool *told;          /* by reading: what it demands was added, but for … */
	struct choice *late; /* … the writes of other threads that come between */
	uint32_t late_count, late_capacity;

	bool *done;      /* by thread, for no_interference() */
	int64_t *places; /* of the last answer */
	int64_t met;

	/* Who stops the solver. Z3's own time limit wakes a thread and waits for it at every question: too much for
	 * small ones. */
	pthread_t watcher;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	double deadline; /* of the question that is being answered, 0: none is */
	bool watched, stop;
};

static void on_error(Z3_context c, Z3_error_code e)
{
	(void)c;
	(void)e; /* the answer that is asked for then is "not decided" */
}

static Z3_ast difference(struct order *o, Z3_ast x, Z3_ast y, Z3_ast most)
{
	return Z3_mk_le(o->z3, Z3_mk_sub(o->z3, 2, (Z3_ast[]){x, y}), most);
}

static Z3_ast less(struct order *o, uint32_t x, uint32_t y)
{
	return difference(o, o->place[x], o->place[y], o->minus_one);
}

/* The point does not happen before the meeting. */
static Z3_ast out(struct order *o, uint32_t x) { return difference(o, o->meeting, o->place[x], o->zero); }

/* Nor is it next when they meet. */
static Z3_ast far_out(struct order *o, uint32_t x) { return difference(o, o->meeting, o->place[x], o->minus_one); }

static Z3_ast fresh(struct order *o) { return Z3_mk_fresh_const(o->z3, "b", Z3_mk_bool_sort(o->z3)); }

static void clause(struct order *o, unsigned count, const Z3_ast *literals)
{
	Z3_solver_assert(o->z3, o->solver, count == 1 ? literals[0] : Z3_mk_or(o->z3, count, literals));
}

static void implies(struct order *o, Z3_ast a, Z3_ast b) { clause(o, 2, (Z3_ast[]){Z3_mk_not(o->z3, a), b}); }

/* Program order, and what must happen before what. */
static void must_happen_before(struct order *o)
{
	const struct window *w = o->w;

	for (uint32_t p = 0; p < w->point_count; p++)
		if (w->points[p].previous != NONE)
			clause(o, 1, (Z3_ast[]){less(o, w->points[p].previous, p)});
	for (uint32_t i = 0; i < w->edge_count; i++)
		clause(o, 1, (Z3_ast[]){less(o, w->edges[i].before, w->edges[i].event)});
	for (uint32_t i = 0; i < w->wake_count; i++)
		clause(o, 2, (Z3_ast[]){out(o, w->wakes[i].wake), less(o, w->wakes[i].wait, w->wakes[i].notify)});
}

static bool sections_exclude(const struct section *a, const struct section *b)
{
	return a->thread != b->thread && !(a->shared && b->shared);
}

/* One is over before the other starts, or one does not start. */
static void exclude(struct order *o, const struct section *a, const struct section *b)
{
	Z3_ast either[4];
	unsigned n = 0;

	if (a->release != NONE && b->acquire != NONE)
		either[n++] = less(o, a->release, b->acquire);
	if (b->release != NONE && a->acquire != NONE)
		either[n++] = less(o, b->release, a->acquire);
	if (a->acquire != NONE)
		either[n++] = out(o, a->acquire);
	if (b->acquire != NONE)
		either[n++] = out(o, b->acquire);
	if (n)
		clause(o, n, either);
}

/* One access comes before another of the same variable, by a different thread. */
static Z3_ast sooner(struct order *o, const struct access *x, const struct access *y)
{
	if (y->anchor == NONE)
		return Z3_mk_false(o->z3);
	return x->anchor == NONE ? Z3_mk_true(o->z3) : less(o, x->anchor, y->anchor);
}

/* This write does not come between the one that is read and the read, if the choice holds. */
static void keep_out(struct order *o, const struct choice *c, const struct access *other)
{
	const struct access *read = &o->w->readings[c->reading];
	Z3_ast not = Z3_mk_not(o->z3, c->literal);

	if (c->write == NONE)
		clause(o, 2, (Z3_ast[]){not, sooner(o, read, other)});
	else
		clause(o, 3, (Z3_ast[]){not, sooner(o, other, &o->w->writes[c->write]), sooner(o, read, other)});
}

static void add_late(struct order *o, const struct choice *c)
{
	if (o->late_count == o->late_capacity) {
		o->late_capacity = o->late_capacity * 2 + 64;
		o->late = must_resize(o->late, o->late_capacity * sizeof *o->late);
	}
	o->late[o->late_count++] = *c;
}

/*
 * No write comes between, if the choice holds. Of the threads of the read and of the write one other write each is
 * enough: those further away are behind it. Those of other threads are added when they do.
 */
static void no_interference(struct order *o, const struct choice *c)
{
	const struct window *w = o->w;
	const struct access *r = &w->readings[c->reading];
	const struct access *write = c->write == NONE ? NULL : &w->writes[c->write], *last_own = NULL;
	uint32_t from = w->slot_start[r->slot], to = w->slot_start[r->slot + 1];
	Z3_ast not = Z3_mk_not(o->z3, c->literal);

	memset(o->done, 0, w->thread_count * sizeof *o->done);
	for (uint32_t i = from; i < to; i++) {
		const struct access *other = &w->writes[i];
		if (other->thread == r->thread) {
			if (other->event < r->event)
				last_own = other;
			continue;
		}
		if (other == write || o->done[other->thread] ||
		    (write && other->thread == write->thread && other->event < write->event))
			continue;
		if (write && other->thread != write->thread)
			continue;
		o->done[other->thread] = true; /* the first of its thread that could */
		clause(o, 2, (Z3_ast[]){not, sooner(o, r, other)});
	}
	if (last_own && last_own != write)
		clause(o, 2, (Z3_ast[]){not, sooner(o, last_own, write)});
	add_late(o, c);
}

/* The writes that a read may see and be right, NONE among them for what was there before. */
static uint32_t agreeing_writes(const struct window *w, const struct access *r, uint32_t *writes)
{
	uint32_t n = 0, own = NONE, from = w->slot_start[r->slot], to = w->slot_start[r->slot + 1];

	for (uint32_t i = from; i < to && w->writes[i].event < r->event; i++)
		if (w->writes[i].thread == r->thread)
			own = i;
	if (own == NONE && read_agrees(w->trace, r->event, w->carry->last_write[w->slot_variable[r->slot]]))
		writes[n++] = NONE;
	for (uint32_t i = from; i < to; i++)
		if ((w->writes[i].thread != r->thread || i == own) &&
		    read_agrees(w->trace, r->event, w->writes[i].event))
			writes[n++] = i;
	return n;
}

static bool is_confined(const struct order *o, const struct access *r)
{
	return o->w->trace->events[r->event].flags & EVENT_CONFINED;
}

static bool is_fed(const struct order *o, const struct access *write)
{
	return o->w->trace->events[write->event].flags & EVENT_FED;
}

/* The write has the value that it had, if the literal holds. */
static void must_be_concrete(struct order *o, Z3_ast literal, const struct access *write)
{
	if (write->rank)
		implies(o, literal, o->open.right[write->thread][write->rank]);
	if (is_fed(o, write) && write->confined)
		implies(o, literal, o->confined.right[write->thread][write->confined]);
}

/* Its thread's reads of its kind are right up to this one. */
static Z3_ast right_up_to(struct order *o, const struct access *r)
{
	return is_confined(o, r) ? o->confined.right[r->thread][r->confined] : o->open.right[r->thread][r->rank];
}

/* The read is right if one of the writes that it may see is the last before it, and is right itself. */
static void tell_reading(struct order *o, uint32_t index)
{
	const struct window *w = o->w;
	const struct access *r = &w->readings[index];
	uint32_t most = w->slot_start[r->slot + 1] - w->slot_start[r->slot] + 2;
	uint32_t *writes = must_alloc(most * sizeof *writes);
	Z3_ast *either = must_alloc(most * sizeof *either);
	Z3_ast right = right_up_to(o, r);
	uint32_t count = agreeing_writes(w, r, writes);
	unsigned n = 0;

	o->told[index] = true;
	either[n++] = Z3_mk_not(o->z3, right);
	for (uint32_t i = 0; i < count; i++) {
		struct choice c = {.literal = count == 1 ? right : fresh(o), .reading = index, .write = writes[i]};
		if (count > 1)
			either[n++] = c.literal;
		const struct access *write = c.write == NONE ? NULL : &w->writes[c.write];
		if (write && write->thread != r->thread)
			implies(o, c.literal, sooner(o, write, r));
		if (write && (write->thread != r->thread || is_fed(o, write)))
			must_be_concrete(o, c.literal, write);
		no_interference(o, &c);
	}
	if (count != 1)
		clause(o, n, either);
	free(writes);
	free(either);
}

static void readers_start(const struct order *o, struct readers *r)
{
	uint32_t threads = o->w->thread_count;

	r->right = must_alloc((threads + 1) * sizeof *r->right);
	r->count = must_alloc((threads + 1) * sizeof *r->count);
	r->known = must_alloc((threads + 1) * sizeof *r->known);
	memset(r->count, 0, threads * sizeof *r->count);
}

/* Names for how far each thread is right. */
static void name_right(struct order *o, struct readers *r)
{
	for (uint32_t t = 0; t < o->w->thread_count; t++) {
		r->right[t] = must_alloc((r->count[t] + 1) * sizeof **r->right);
		r->right[t][0] = Z3_mk_true(o->z3);
		for (uint32_t k = 1; k <= r->count[t]; k++) {
			r->right[t][k] = fresh(o);
			implies(o, r->right[t][k], r->right[t][k - 1]);
		}
	}
}

static void at_least(uint32_t *count, uint32_t n)
{
	if (*count < n)
		*count = n;
}

/*
 * That confined reads are right is asked only together with that the others before them are. A read that sees its own
 * thread's fed write is right only if the confined ones before that are.
 */
static void name_readings(struct order *o)
{
	const struct window *w = o->w;

	readers_start(o, &o->open);
	readers_start(o, &o->confined);
	for (uint32_t i = 0; i < w->reading_count; i++) {
		const struct access *r = &w->readings[i];
		at_least(&o->open.count[r->thread], r->rank);
		at_least(&o->confined.count[r->thread], r->confined);
	}
	for (uint32_t i = 0; i < w->echo_count; i++)
		at_least(&o->open.count[w->echoes[i].thread], w->echoes[i].rank);
	name_right(o, &o->open);
	name_right(o, &o->confined);
	for (uint32_t i = 0; i < w->reading_count; i++) {
		const struct access *r = &w->readings[i];
		if (is_confined(o, r) && r->rank)
			implies(o, right_up_to(o, r), o->open.right[r->thread][r->rank]);
	}
	for (uint32_t i = 0; i < w->echo_count; i++) {
		const struct echo *e = &w->echoes[i];
		implies(o, o->open.right[e->thread][e->rank], o->confined.right[e->thread][e->confined]);
	}
}

/* A join is there only if the reads of the thread that has ended are right. */
static void joins(struct order *o)
{
	const struct window *w = o->w;

	for (uint32_t p = 0; p < w->point_count; p++) {
		uint32_t ended = w->points[p].ended;
		if (ended)
			clause(o, 2,
			       (Z3_ast[]){out(o, p), o->open.right[w->thread_of[point_event(w, p)->object]][ended]});
	}
}

/* What comes behind a branch is there only if the reads before the branch are right. */
static void branches(struct order *o)
{
	const struct window *w = o->w;

	for (uint32_t p = 0; p < w->point_count; p++) {
		const struct point *point = &w->points[p];
		const struct point *previous = point->previous == NONE ? NULL : &w->points[point->previous];
		uint32_t thread = w->thread_of[point_event(w, p)->thread];
		Z3_ast *right = o->open.right[thread];
		if (point->guard && (!previous || previous->guard < point->guard))
			clause(o, 2, (Z3_ast[]){far_out(o, p), right[point->guard]});
		if (point->pin && (!previous || previous->pin < point->pin))
			clause(o, 2, (Z3_ast[]){far_out(o, p), o->confined.right[thread][point->pin]});
		if (point->pinned && point->rank)
			clause(o, 2, (Z3_ast[]){out(o, p), right[point->rank]});
	}
}

static void set_number(struct order *o, Z3_params p, const char *name, unsigned value)
{
	Z3_params_set_uint(o->z3, p, Z3_mk_string_symbol(o->z3, name), value);
}

static void start_solver(struct order *o)
{
	Z3_config config = Z3_mk_config();

	Z3_set_param_value(config, "auto_config", "false");
	o->z3 = Z3_mk_context(config);
	Z3_del_config(config);
	Z3_set_error_handler(o->z3, on_error);
	o->solver = Z3_mk_simple_solver(o->z3);
	Z3_solver_inc_ref(o->z3, o->solver);
	Z3_params p = Z3_mk_params(o->z3);
	Z3_params_inc_ref(o->z3, p);
	set_number(o, p, "arith.solver", 1); /* difference logic: 4 to 70 times as fast here as the others */
	set_number(o, p, "random_seed", 1);
	Z3_solver_set_params(o->z3, o->solver, p);
	Z3_params_dec_ref(o->z3, p);
}

#define WATCH_NS 50000000

static void *watch(void *context)
{
	struct order *o = context;

	pthread_mutex_lock(&o->lock);
	while (!o->stop) {
		struct timespec t;
		if (o->deadline > 0 && seconds_now() > o->deadline)
			Z3_interrupt(o->z3);
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += WATCH_NS;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&o->changed, &o->lock, &t);
	}
	pthread_mutex_unlock(&o->lock);
	return NULL;
}

static void set_deadline(struct order *o, double deadline)
{
	pthread_mutex_lock(&o->lock);
	o->deadline = deadline;
	pthread_mutex_unlock(&o->lock);
}

static void end_watch(struct order *o)
{
	if (!o->watched)
		return;
	pthread_mutex_lock(&o->lock);
	o->stop = true;
	pthread_cond_signal(&o->changed);
	pthread_mutex_unlock(&o->lock);
	pthread_join(o->watcher, NULL);
}

struct order *order_new(const struct window *w)
{
	struct order *o = calloc(1, sizeof *o);

	if (!o)
		abort();
	o->w = w;
	start_solver(o);
	Z3_sort whole = Z3_mk_int_sort(o->z3);
	o->minus_one = Z3_mk_int(o->z3, -1, whole);
	o->zero = Z3_mk_int(o->z3, 0, whole);
	o->place = must_alloc((w->point_count + 1) * sizeof *o->place);
	o->name = must_alloc((w->point_count + 1) * sizeof *o->name);
	o->next = calloc(w->point_count + 1, sizeof *o->next);
	o->places = must_alloc((w->point_count + 1) * sizeof *o->places);
	o->done = must_alloc((w->thread_count + 1) * sizeof *o->done);
	o->told = must_alloc((w->reading_count + 1) * sizeof *o->told);
	memset(o->told, 0, w->reading_count * sizeof *o->told);
	for (uint32_t p = 0; p <= w->point_count; p++) {
		o->place[p] = Z3_mk_fresh_const(o->z3, "o", whole);
		o->name[p] = Z3_get_app_decl(o->z3, Z3_to_app(o->z3, o->place[p]));
	}
	o->meeting = o->place[w->point_count];
	o->meeting_name = o->name[w->point_count];
	must_happen_before(o);
	name_readings(o);
	branches(o);
	joins(o);
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->changed, NULL);
	o->watched = !pthread_create(&o->watcher, NULL, watch, o);
	return o;
}

static void readers_free(const struct order *o, struct readers *r)
{
	for (uint32_t t = 0; t < o->w->thread_count; t++)
		free(r->right[t]);
	free(r->right);
	free(r->count);
	free(r->known);
}

void order_free(struct order *o)
{
	end_watch(o);
	pthread_cond_destroy(&o->changed);
	pthread_mutex_destroy(&o->lock);
	readers_free(o, &o->open);
	readers_free(o, &o->confined);
	free(o->place);
	free(o->name);
	free(o->next);
	free(o->places);
	free(o->done);
	free(o->told);
	free(o->late);
	Z3_solver_dec_ref(o->z3, o->solver);
	Z3_del_context(o->z3);
	free(o);
}

/* The access is next where they meet. */
static Z3_ast is_next(struct order *o, uint32_t event)
{
	uint32_t point = o->w->point_of[event - o->w->start];

	if (!o->next[point]) {
		o->next[point] = fresh(o);
		implies(o, o->next[point], out(o, point));
		implies(o, o->next[point], difference(o, o->place[point], o->meeting, o->zero));
	}
	return o->next[point];
}

static void some_is_next(struct order *o, Z3_ast meeting, const struct alike *a)
{
	Z3_ast *either = must_alloc((a->count + 1) * sizeof *either);

	either[0] = Z3_mk_not(o->z3, meeting);
	for (uint32_t i = 0; i < a->count; i++)
		either[i + 1] = is_next(o, a->events[i]);
	clause(o, a->count + 1, either);
	free(either);
}

static Z3_ast question(struct order *o, const struct candidates *c, const struct candidate *pair)
{
	Z3_ast *either = must_alloc((pair->count + 1) * sizeof *either), asked = fresh(o);

	either[0] = Z3_mk_not(o->z3, asked);
	for (uint32_t i = 0; i < pair->count; i++) {
		either[i + 1] = fresh(o);
		some_is_next(o, either[i + 1], &c->alike[pair->meetings[i][0]]);
		some_is_next(o, either[i + 1], &c->alike[pair->meetings[i][1]]);
	}
	clause(o, pair->count + 1, either);
	free(either);
	return asked;
}

static int64_t place_in(struct order *o, Z3_model m, Z3_func_decl name)
{
	Z3_ast value = Z3_model_get_const_interp(o->z3, m, name);
	int64_t place = 0;

	if (value)
		Z3_get_numeral_int64(o->z3, value, &place);
	return place;
}

static bool holds_in(struct order *o, Z3_model m, Z3_ast literal)
{
	Z3_ast value = NULL;

	return Z3_model_eval(o->z3, m, literal, false, &value) && Z3_get_bool_value(o->z3, value) == Z3_L_TRUE;
}

/* The first k are right wherever the first k + 1 are. */
static void read_known(struct order *o, Z3_model m, struct readers *r)
{
	for (uint32_t t = 0; t < o->w->thread_count; t++) {
		uint32_t low = 0, high = r->count[t];
		while (low < high) {
			uint32_t middle = low + (high - low + 1) / 2;
			if (holds_in(o, m, r->right[t][middle]))
				low = middle;
			else
				high = middle - 1;
		}
		r->known[t] = low;
	}
}

static void read_model(struct order *o, Z3_model m)
{
	for (uint32_t p = 0; p < o->w->point_count; p++)
		o->places[p] = place_in(o, m, o->name[p]);
	o->met = place_in(o, m, o->meeting_name);
	read_known(o, m, &o->open);
	read_known(o, m, &o->confined);
}

static bool happened(const struct order *o, uint32_t point) { return point == NONE || o->places[point] < o->met; }

static bool over_before(const struct order *o, const struct section *a, const struct section *b)
{
	return a->release != NONE && b->acquire != NONE && o->places[a->release] < o->places[b->acquire];
}

static bool refine_locks(struct order *o)
{
	const struct window *w = o->w;
	bool broken = false;

	for (uint32_t i = 0; i < w->section_count; i++) {
		const struct section *a = &w->sections[i];
		if (!happened(o, a->acquire))
			continue;
		for (uint32_t j = i + 1; j < w->section_count && w->sections[j].lock == a->lock; j++) {
			const struct section *b = &w->sections[j];
			if (!sections_exclude(a, b) || !happened(o, b->acquire) || over_before(o, a, b) ||
			    over_before(o, b, a))
				continue;
			exclude(o, a, b);
			broken = true;
		}
	}
	return broken;
}

static bool is_sooner(const struct order *o, const struct access *x, const struct access *y)
{
	return y->anchor != NONE && (x->anchor == NONE || o->places[x->anchor] < o->places[y->anchor]);
}

/* In the order that witness_order() makes: where two have one place, the trace decides. */
static bool comes_before(const struct order *o, const struct access *x, const struct access *y)
{
	if (x->thread == y->thread)
		return x->event < y->event;
	if (x->anchor == NONE || y->anchor == NONE)
		return y->anchor != NONE;
	if (o->places[x->anchor] != o->places[y->anchor])
		return o->places[x->anchor] < o->places[y->anchor];
	return x->anchor < y->anchor;
}

/* Whether the answer has the write as one that writes what it wrote. */
static bool is_concrete(const struct order *o, const struct access *write)
{
	return write->rank <= o->open.known[write->thread] &&
	       (!is_fed(o, write) || write->confined <= o->confined.known[write->thread]);
}

/* Whether it has the read as right. */
static bool is_claimed(const struct order *o, const struct access *r)
{
	return is_confined(o, r) ? r->confined <= o->confined.known[r->thread] : r->rank <= o->open.known[r->thread];
}

/* Whether the read sees what it saw, in the order of the answer. */
static bool is_right(const struct order *o, const struct access *r)
{
	const struct window *w = o->w;
	const struct access *last = NULL;

	for (uint32_t i = w->slot_start[r->slot]; i < w->slot_start[r->slot + 1]; i++) {
		const struct access *write = &w->writes[i];
		if (comes_before(o, write, r) && (!last || comes_before(o, last, write)))
			last = write;
	}
	if (!last)
		return read_agrees(w->trace, r->event, w->carry->last_write[w->slot_variable[r->slot]]);
	return read_agrees(w->trace, r->event, last->event) && is_concrete(o, last);
}

/* Reads that the answer has as right and that are not, and about which the solver was not told anything. */
static bool refine_untold(struct order *o)
{
	bool broken = false;

	for (uint32_t i = 0; i < o->w->reading_count; i++) {
		const struct access *r = &o->w->readings[i];
		if (o->told[i] || !is_claimed(o, r) || !happened(o, r->anchor) || is_right(o, r))
			continue;
		tell_reading(o, i);
		broken = true;
	}
	return broken;
}

static bool refine_readings(struct order *o, Z3_model m)
{
	const struct window *w = o->w;
	bool broken = false;

	for (uint32_t i = 0; i < o->late_count; i++) {
		const struct choice *c = &o->late[i];
		const struct access *r = &w->readings[c->reading];
		if (!holds_in(o, m, c->literal))
			continue;
		for (uint32_t k = w->slot_start[r->slot]; k < w->slot_start[r->slot + 1]; k++) {
			const struct access *other = &w->writes[k];
			if (k == c->write || other->thread == r->thread || is_sooner(o, r, other) ||
			    (c->write != NONE && (other->thread == w->writes[c->write].thread ||
			                          is_sooner(o, other, &w->writes[c->write]))))
				continue;
			keep_out(o, c, other);
			broken = true;
		}
	}
	return broken;
}

/*
 * A semaphore that is taken once too often, up to `take`: one of these takes must come later, or one more post earlier.
 */
static bool refine_take(struct order *o, uint32_t take)
{
	const struct window *w = o->w;
	uint32_t semaphore = point_event(w, take)->object;
	int64_t tokens = w->carry->tokens[semaphore];
	Z3_ast *either = must_alloc((w->take_count + w->post_count + 1) * sizeof *either);
	unsigned n = 0;

	for (uint32_t i = 0; i < w->post_count; i++) {
		uint32_t post = w->posts[i];
		if (point_event(w, post)->object != semaphore)
			continue;
		if (o->places[post] < o->places[take])
			tokens++;
		else
			either[n++] = less(o, post, take);
	}
	for (uint32_t i = 0; i < w->take_count && tokens >= 0; i++) {
		uint32_t other = w->takes[i];
		if (point_event(w, other)->object != semaphore || o->places[other] > o->places[take])
			continue;
		if (other != take && o->places[other] == o->places[take] && other > take)
			continue;
		tokens--;
		if (other != take)
			either[n++] = less(o, take, other);
	}
	either[n++] = out(o, take);
	if (tokens < 0)
		clause(o, n, either);
	free(either);
	return tokens < 0;
}

static bool refine_semaphores(struct order *o)
{
	bool broken = false;

	for (uint32_t i = 0; i < o->w->take_count; i++)
		if (happened(o, o->w->takes[i]))
			broken |= refine_take(o, o->w->takes[i]);
	return broken;
}

static enum answer check(struct order *o, Z3_ast asked, double seconds)
{
	double deadline = seconds_now() + seconds;

	for (;;) {
		if (seconds_now() > deadline)
			return ANSWER_UNDECIDED;
		set_deadline(o, deadline);
		Z3_lbool answer = Z3_solver_check_assumptions(o->z3, o->solver, 1, &asked);
		set_deadline(o, 0);
		if (answer != Z3_L_TRUE)
			return answer == Z3_L_FALSE ? ANSWER_NO : ANSWER_UNDECIDED;
		Z3_model m = Z3_solver_get_model(o->z3, o->solver);
		if (!m)
			return ANSWER_UNDECIDED;
		Z3_model_inc_ref(o->z3, m);
		read_model(o, m);
		bool broken = refine_locks(o);
		broken |= refine_readings(o, m);
		broken |= refine_untold(o);
		broken |= refine_semaphores(o);
		Z3_model_dec_ref(o->z3, m);
		if (!broken)
			return ANSWER_YES;
	}
}

static bool met(const struct order *o, const struct alike *a, uint32_t *event)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (o->places[o->w->point_of[a->events[i] - o->w->start]] == o->met) {
			*event = a->events[i];
			return true;
		}
	return false;
}

enum answer order_ask(struct order *o, const struct candidates *c, const struct candidate *pair, double seconds,
                      uint32_t event[2], const int64_t **places, int64_t *meeting)
{
	Z3_ast asked = question(o, c, pair);
	enum answer answer = check(o, asked, seconds);

	*places = o->places;
	*meeting = o->met;
	if (answer == ANSWER_YES) {
		uint32_t i = 0;
		while (i < pair->count && !(met(o, &c->alike[pair->meetings[i][0]], &event[0]) &&
		                            met(o, &c->alike[pair->meetings[i][1]], &event[1])))
			i++;
		if (i == pair->count)
			answer = ANSWER_UNDECIDED;
	}
	clause(o, 1, (Z3_ast[]){Z3_mk_not(o->z3, asked)});
	return answer;
}
