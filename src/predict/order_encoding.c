/*
 * The encoding is that of Huang, Meredith and Rosu (PLDI 2014), section 3, with two differences.
 *
 * There, every event of the trace must have a place in the order, also those after the two accesses. So a reordering
 * that leads to the race and then to a deadlock is lost. Here the order ends where the accesses meet (O_a and O_b are
 * one variable, `meeting`), and every statement about an event applies only if the event comes before that.
 *
 * The second difference: a write has the value that it had only if the reads of its thread before it are right *and the
 * thread could get there*. What a branch of a thread needs is required of every thread, as far as it has come, not only
 * of the two that meet.
 *
 * The encoding is a conjunction of clauses over `x < y` and literals "the first k reads of this thread are right" (and
 * the same for its confined reads). Every order literal is positive. At the start only program order, edges and
 * branches are encoded. What two sections of a lock, a read, or a semaphore need is added when an answer breaks it:
 * most of it never matters, and with all of it from the start the solver takes two to five times as long.
 */
#include "predict/order_encoding.h"

#include <stdlib.h>
#include <string.h>

#include "format/file.h"

static Z3_ast difference(struct order_solver *o, Z3_ast x, Z3_ast y, Z3_ast most)
{
	return Z3_mk_le(o->z3, Z3_mk_sub(o->z3, 2, (Z3_ast[]){x, y}), most);
}

Z3_ast order_before(struct order_solver *o, uint32_t x, uint32_t y)
{
	return difference(o, o->place[x], o->place[y], o->minus_one);
}

/* The node has not happened at the meeting. */
Z3_ast order_not_before_meeting(struct order_solver *o, uint32_t x)
{
	return difference(o, o->meeting, o->place[x], o->zero);
}

/* The node has not happened at the meeting, and is not next there. */
static Z3_ast after_meeting(struct order_solver *o, uint32_t x)
{
	return difference(o, o->meeting, o->place[x], o->minus_one);
}

static Z3_ast new_literal(struct order_solver *o) { return Z3_mk_fresh_const(o->z3, "b", Z3_mk_bool_sort(o->z3)); }

void order_add_clause(struct order_solver *o, unsigned count, const Z3_ast *literals)
{
	Z3_solver_assert(o->z3, o->solver, count == 1 ? literals[0] : Z3_mk_or(o->z3, count, literals));
}

static void implies(struct order_solver *o, Z3_ast a, Z3_ast b)
{
	order_add_clause(o, 2, (Z3_ast[]){Z3_mk_not(o->z3, a), b});
}

/* Program order, edges, and each wait before its notification. */
static void encode_edges(struct order_solver *o)
{
	const struct window *w = o->w;

	for (uint32_t p = 0; p < w->node_count; p++)
		if (w->nodes[p].previous != NONE)
			order_add_clause(o, 1, (Z3_ast[]){order_before(o, w->nodes[p].previous, p)});
	for (uint32_t i = 0; i < w->edge_count; i++)
		order_add_clause(o, 1, (Z3_ast[]){order_before(o, w->edges[i].before, w->edges[i].event)});
	for (uint32_t i = 0; i < w->wake_count; i++)
		order_add_clause(o, 2,
		                 (Z3_ast[]){order_not_before_meeting(o, w->wakes[i].wake),
		                            order_before(o, w->wakes[i].wait, w->wakes[i].notify)});
}

void order_encode_exclusion(struct order_solver *o, const struct section *a, const struct section *b)
{
	Z3_ast either[4];
	unsigned n = 0;

	if (a->release != NONE && b->acquire != NONE)
		either[n++] = order_before(o, a->release, b->acquire);
	if (b->release != NONE && a->acquire != NONE)
		either[n++] = order_before(o, b->release, a->acquire);
	if (a->acquire != NONE)
		either[n++] = order_not_before_meeting(o, a->acquire);
	if (b->acquire != NONE)
		either[n++] = order_not_before_meeting(o, b->acquire);
	if (n)
		order_add_clause(o, n, either);
}

/* One access comes before another one of the same variable, by a different thread. */
static Z3_ast access_before(struct order_solver *o, const struct access *x, const struct access *y)
{
	if (y->anchor == NONE)
		return Z3_mk_false(o->z3);
	return x->anchor == NONE ? Z3_mk_true(o->z3) : order_before(o, x->anchor, y->anchor);
}

void order_encode_keep_out(struct order_solver *o, const struct choice *c, const struct access *other)
{
	const struct access *read = &o->w->varying_reads[c->read];
	Z3_ast not = Z3_mk_not(o->z3, c->literal);

	if (c->write == NONE)
		order_add_clause(o, 2, (Z3_ast[]){not, access_before(o, read, other)});
	else
		order_add_clause(o, 3,
		                 (Z3_ast[]){not, access_before(o, other, &o->w->writes[c->write]),
		                            access_before(o, read, other)});
}

static void add_choice(struct order_solver *o, const struct choice *c)
{
	if (o->choice_count == o->choice_capacity) {
		o->choice_capacity = o->choice_capacity * 2 + 64;
		o->choices = must_resize(o->choices, o->choice_capacity * sizeof *o->choices);
	}
	o->choices[o->choice_count++] = *c;
}

/*
 * No write comes between, if the choice holds. Of the thread of the read, and of that of the write, one other write is
 * enough: those further away come before or after it. The writes of other threads are added when an answer has them in
 * between.
 */
static void encode_no_write_between(struct order_solver *o, const struct choice *c)
{
	const struct window *w = o->w;
	const struct access *r = &w->varying_reads[c->read];
	const struct access *write = c->write == NONE ? NULL : &w->writes[c->write], *last_own = NULL;
	uint32_t from = w->slot_start[r->slot], to = w->slot_start[r->slot + 1];
	Z3_ast not = Z3_mk_not(o->z3, c->literal);

	memset(o->covered, 0, w->thread_count * sizeof *o->covered);
	for (uint32_t i = from; i < to; i++) {
		const struct access *other = &w->writes[i];
		if (other->thread == r->thread) {
			if (other->event < r->event)
				last_own = other;
			continue;
		}
		if (other == write || o->covered[other->thread] ||
		    (write && other->thread == write->thread && other->event < write->event))
			continue;
		if (write && other->thread != write->thread)
			continue;
		o->covered[other->thread] = true; /* the first of its thread that could come between */
		order_add_clause(o, 2, (Z3_ast[]){not, access_before(o, r, other)});
	}
	if (last_own && last_own != write)
		order_add_clause(o, 2, (Z3_ast[]){not, access_before(o, last_own, write)});
	add_choice(o, c);
}

/* The writes that a read may see and be right; NONE is among them for what was there before the window. */
static uint32_t right_writes(const struct window *w, const struct access *r, uint32_t *writes)
{
	uint32_t n = 0, own = NONE, from = w->slot_start[r->slot], to = w->slot_start[r->slot + 1];

	for (uint32_t i = from; i < to && w->writes[i].event < r->event; i++)
		if (w->writes[i].thread == r->thread)
			own = i;
	if (own == NONE && read_agrees(w->trace, r->event, w->prefix->last_write[w->slot_variable[r->slot]]))
		writes[n++] = NONE;
	for (uint32_t i = from; i < to; i++)
		if ((w->writes[i].thread != r->thread || i == own) &&
		    read_agrees(w->trace, r->event, w->writes[i].event))
			writes[n++] = i;
	return n;
}

/* If the literal holds, the write has the value that it had. */
static void encode_write_unchanged(struct order_solver *o, Z3_ast literal, const struct access *write)
{
	if (write->unconfined)
		implies(o, literal, o->unconfined.right[write->thread][write->unconfined]);
	if (order_is_fed(o, write) && write->confined)
		implies(o, literal, o->confined.right[write->thread][write->confined]);
}

/* The literal "the reads of this kind of its thread are right up to this one". */
static Z3_ast right_up_to(struct order_solver *o, const struct access *r)
{
	return order_is_confined(o, r) ? o->confined.right[r->thread][r->confined]
	                               : o->unconfined.right[r->thread][r->unconfined];
}

/* The read is right if one of the writes that it may see is the last before it, and has its value. */
void order_encode_read(struct order_solver *o, uint32_t index)
{
	const struct window *w = o->w;
	const struct access *r = &w->varying_reads[index];
	uint32_t most = w->slot_start[r->slot + 1] - w->slot_start[r->slot] + 2;
	uint32_t *writes = must_alloc(most * sizeof *writes);
	Z3_ast *either = must_alloc(most * sizeof *either);
	Z3_ast right = right_up_to(o, r);
	uint32_t count = right_writes(w, r, writes);
	unsigned n = 0;

	o->encoded[index] = true;
	either[n++] = Z3_mk_not(o->z3, right);
	for (uint32_t i = 0; i < count; i++) {
		struct choice c = {.literal = count == 1 ? right : new_literal(o), .read = index, .write = writes[i]};
		if (count > 1)
			either[n++] = c.literal;
		const struct access *write = c.write == NONE ? NULL : &w->writes[c.write];
		if (write && write->thread != r->thread)
			implies(o, c.literal, access_before(o, write, r));
		if (write && (write->thread != r->thread || order_is_fed(o, write)))
			encode_write_unchanged(o, c.literal, write);
		encode_no_write_between(o, &c);
	}
	if (count != 1)
		order_add_clause(o, n, either);
	free(writes);
	free(either);
}

static void read_counts_start(const struct order_solver *o, struct read_counts *r)
{
	uint32_t threads = o->w->thread_count;

	r->right = must_alloc((threads + 1) * sizeof *r->right);
	r->count = must_alloc((threads + 1) * sizeof *r->count);
	r->known = must_alloc((threads + 1) * sizeof *r->known);
	memset(r->count, 0, threads * sizeof *r->count);
}

/* Literals for how many reads of each thread are right. */
static void encode_right(struct order_solver *o, struct read_counts *r)
{
	for (uint32_t t = 0; t < o->w->thread_count; t++) {
		r->right[t] = must_alloc((r->count[t] + 1) * sizeof **r->right);
		r->right[t][0] = Z3_mk_true(o->z3);
		for (uint32_t k = 1; k <= r->count[t]; k++) {
			r->right[t][k] = new_literal(o);
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
 * The literals of confined reads include that the unconfined reads before them are right. A read that sees a fed write
 * of its own thread is right only if the confined reads before that write are.
 */
static void encode_read_counts(struct order_solver *o)
{
	const struct window *w = o->w;

	read_counts_start(o, &o->unconfined);
	read_counts_start(o, &o->confined);
	for (uint32_t i = 0; i < w->varying_read_count; i++) {
		const struct access *r = &w->varying_reads[i];
		at_least(&o->unconfined.count[r->thread], r->unconfined);
		at_least(&o->confined.count[r->thread], r->confined);
	}
	for (uint32_t i = 0; i < w->own_read_count; i++)
		at_least(&o->unconfined.count[w->own_reads[i].thread], w->own_reads[i].unconfined);
	encode_right(o, &o->unconfined);
	encode_right(o, &o->confined);
	for (uint32_t i = 0; i < w->varying_read_count; i++) {
		const struct access *r = &w->varying_reads[i];
		if (order_is_confined(o, r) && r->unconfined)
			implies(o, right_up_to(o, r), o->unconfined.right[r->thread][r->unconfined]);
	}
	for (uint32_t i = 0; i < w->own_read_count; i++) {
		const struct own_read *e = &w->own_reads[i];
		implies(o, o->unconfined.right[e->thread][e->unconfined], o->confined.right[e->thread][e->confined]);
	}
}

/* A join happens only if the reads of the joined thread are right. */
static void encode_joins(struct order_solver *o)
{
	const struct window *w = o->w;

	for (uint32_t p = 0; p < w->node_count; p++) {
		uint32_t needs_joined = w->nodes[p].needs_joined;
		if (needs_joined)
			order_add_clause(
			        o, 2,
			        (Z3_ast[]){order_not_before_meeting(o, p),
			                   o->unconfined.right[w->thread_of[node_event(w, p)->object]][needs_joined]});
	}
}

/* What follows a branch happens, or is next, only if the reads before the branch are right. */
static void encode_branches(struct order_solver *o)
{
	const struct window *w = o->w;

	for (uint32_t p = 0; p < w->node_count; p++) {
		const struct order_node *node = &w->nodes[p];
		const struct order_node *previous = node->previous == NONE ? NULL : &w->nodes[node->previous];
		uint32_t thread = w->thread_of[node_event(w, p)->thread];
		Z3_ast *right = o->unconfined.right[thread];
		if (node->needs_unconfined && (!previous || previous->needs_unconfined < node->needs_unconfined))
			order_add_clause(o, 2, (Z3_ast[]){after_meeting(o, p), right[node->needs_unconfined]});
		if (node->needs_confined && (!previous || previous->needs_confined < node->needs_confined))
			order_add_clause(
			        o, 2, (Z3_ast[]){after_meeting(o, p), o->confined.right[thread][node->needs_confined]});
		if (node->pinned && node->unconfined)
			order_add_clause(o, 2, (Z3_ast[]){order_not_before_meeting(o, p), right[node->unconfined]});
	}
}

/* The literal "the access is next at the meeting". */
static Z3_ast at_meeting(struct order_solver *o, uint32_t event)
{
	uint32_t node = o->w->node_of[event - o->w->start];

	if (!o->is_next[node]) {
		o->is_next[node] = new_literal(o);
		implies(o, o->is_next[node], order_not_before_meeting(o, node));
		implies(o, o->is_next[node], difference(o, o->place[node], o->meeting, o->zero));
	}
	return o->is_next[node];
}

static void encode_some_is_next(struct order_solver *o, Z3_ast meeting, const struct access_class *a)
{
	Z3_ast *either = must_alloc((a->count + 1) * sizeof *either);

	either[0] = Z3_mk_not(o->z3, meeting);
	for (uint32_t i = 0; i < a->count; i++)
		either[i + 1] = at_meeting(o, a->events[i]);
	order_add_clause(o, a->count + 1, either);
	free(either);
}

Z3_ast order_encode_question(struct order_solver *o, const struct candidates *c, const struct candidate *pair)
{
	Z3_ast *either = must_alloc((pair->count + 1) * sizeof *either), asked = new_literal(o);

	either[0] = Z3_mk_not(o->z3, asked);
	for (uint32_t i = 0; i < pair->count; i++) {
		either[i + 1] = new_literal(o);
		encode_some_is_next(o, either[i + 1], &c->classes[pair->meetings[i][0]]);
		encode_some_is_next(o, either[i + 1], &c->classes[pair->meetings[i][1]]);
	}
	order_add_clause(o, pair->count + 1, either);
	free(either);
	return asked;
}

void order_encode_start(struct order_solver *o)
{
	encode_edges(o);
	encode_read_counts(o);
	encode_branches(o);
	encode_joins(o);
}
