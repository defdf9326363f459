#include "predict/order_refinement.h"

#include <stdlib.h>

#include "format/file.h"

/* ---- what the answer says ---- */

static int64_t place_in(struct order_solver *o, Z3_model m, Z3_func_decl name)
{
	Z3_ast value = Z3_model_get_const_interp(o->z3, m, name);
	int64_t place = 0;

	if (value)
		Z3_get_numeral_int64(o->z3, value, &place);
	return place;
}

static bool holds_in(struct order_solver *o, Z3_model m, Z3_ast literal)
{
	Z3_ast value = NULL;

	return Z3_model_eval(o->z3, m, literal, false, &value) && Z3_get_bool_value(o->z3, value) == Z3_L_TRUE;
}

/* Reads how many reads of each thread are right. If the first k + 1 are, the first k are. */
static void read_known(struct order_solver *o, Z3_model m, struct read_counts *r)
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

static void read_model(struct order_solver *o, Z3_model m)
{
	for (uint32_t p = 0; p < o->w->node_count; p++)
		o->places[p] = place_in(o, m, o->decl[p]);
	o->meeting_place = place_in(o, m, o->meeting_decl);
	read_known(o, m, &o->unconfined);
	read_known(o, m, &o->confined);
}

static bool happened(const struct order_solver *o, uint32_t node)
{
	return node == NONE || o->places[node] < o->meeting_place;
}

/* ---- locks ---- */

static bool sections_exclude(const struct section *a, const struct section *b)
{
	return a->thread != b->thread && !(a->shared && b->shared);
}

static bool over_before(const struct order_solver *o, const struct section *a, const struct section *b)
{
	return a->release != NONE && b->acquire != NONE && o->places[a->release] < o->places[b->acquire];
}

static bool refine_locks(struct order_solver *o)
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
			order_encode_exclusion(o, a, b);
			broken = true;
		}
	}
	return broken;
}

/* ---- reads ---- */

static bool is_before(const struct order_solver *o, const struct access *x, const struct access *y)
{
	return y->anchor != NONE && (x->anchor == NONE || o->places[x->anchor] < o->places[y->anchor]);
}

/* The order that witness_order() makes: if two have the same place, the order of the trace decides. */
static bool comes_before(const struct order_solver *o, const struct access *x, const struct access *y)
{
	if (x->thread == y->thread)
		return x->event < y->event;
	if (x->anchor == NONE || y->anchor == NONE)
		return y->anchor != NONE;
	if (o->places[x->anchor] != o->places[y->anchor])
		return o->places[x->anchor] < o->places[y->anchor];
	return x->anchor < y->anchor;
}

/* Whether the write has the value that it had, in the answer. */
static bool is_unchanged(const struct order_solver *o, const struct access *write)
{
	return write->unconfined <= o->unconfined.known[write->thread] &&
	       (!order_is_fed(o, write) || write->confined <= o->confined.known[write->thread]);
}

/* Whether the answer claims that the read is right. */
static bool is_claimed(const struct order_solver *o, const struct access *r)
{
	return order_is_confined(o, r) ? r->confined <= o->confined.known[r->thread]
	                               : r->unconfined <= o->unconfined.known[r->thread];
}

/* Whether the read is right in the order of the answer. */
static bool is_right(const struct order_solver *o, const struct access *r)
{
	const struct window *w = o->w;
	const struct access *last = NULL;

	for (uint32_t i = w->slot_start[r->slot]; i < w->slot_start[r->slot + 1]; i++) {
		const struct access *write = &w->writes[i];
		if (comes_before(o, write, r) && (!last || comes_before(o, last, write)))
			last = write;
	}
	if (!last)
		return read_agrees(w->trace, r->event, w->prefix->last_write[w->slot_variable[r->slot]]);
	return read_agrees(w->trace, r->event, last->event) && is_unchanged(o, last);
}

/* Reads that the answer claims to be right and that are not, as the solver has no clauses for them yet. */
static bool refine_unencoded_reads(struct order_solver *o)
{
	bool broken = false;

	for (uint32_t i = 0; i < o->w->varying_read_count; i++) {
		const struct access *r = &o->w->varying_reads[i];
		if (o->encoded[i] || !is_claimed(o, r) || !happened(o, r->anchor) || is_right(o, r))
			continue;
		order_encode_read(o, i);
		broken = true;
	}
	return broken;
}

static bool refine_choices(struct order_solver *o, Z3_model m)
{
	const struct window *w = o->w;
	bool broken = false;

	for (uint32_t i = 0; i < o->choice_count; i++) {
		const struct choice *c = &o->choices[i];
		const struct access *r = &w->varying_reads[c->read];
		if (!holds_in(o, m, c->literal))
			continue;
		for (uint32_t k = w->slot_start[r->slot]; k < w->slot_start[r->slot + 1]; k++) {
			const struct access *other = &w->writes[k];
			if (k == c->write || other->thread == r->thread || is_before(o, r, other) ||
			    (c->write != NONE && (other->thread == w->writes[c->write].thread ||
			                          is_before(o, other, &w->writes[c->write]))))
				continue;
			order_encode_keep_out(o, c, other);
			broken = true;
		}
	}
	return broken;
}

/* ---- semaphores ---- */

/*
 * A semaphore that is taken once too often, up to `take`: one of these takes must come later, or one more post earlier.
 */
static bool refine_take(struct order_solver *o, uint32_t take)
{
	const struct window *w = o->w;
	uint32_t semaphore = node_event(w, take)->object;
	int64_t tokens = w->prefix->tokens[semaphore];
	Z3_ast *either = must_alloc((w->take_count + w->post_count + 1) * sizeof *either);
	unsigned n = 0;

	for (uint32_t i = 0; i < w->post_count; i++) {
		uint32_t post = w->posts[i];
		if (node_event(w, post)->object != semaphore)
			continue;
		if (o->places[post] < o->places[take])
			tokens++;
		else
			either[n++] = order_before(o, post, take);
	}
	for (uint32_t i = 0; i < w->take_count && tokens >= 0; i++) {
		uint32_t other = w->takes[i];
		if (node_event(w, other)->object != semaphore || o->places[other] > o->places[take])
			continue;
		if (other != take && o->places[other] == o->places[take] && other > take)
			continue;
		tokens--;
		if (other != take)
			either[n++] = order_before(o, take, other);
	}
	either[n++] = order_not_before_meeting(o, take);
	if (tokens < 0)
		order_add_clause(o, n, either);
	free(either);
	return tokens < 0;
}

static bool refine_semaphores(struct order_solver *o)
{
	bool broken = false;

	for (uint32_t i = 0; i < o->w->take_count; i++)
		if (happened(o, o->w->takes[i]))
			broken |= refine_take(o, o->w->takes[i]);
	return broken;
}

bool order_refine(struct order_solver *o, Z3_model m)
{
	read_model(o, m);
	bool broken = refine_locks(o);
	broken |= refine_choices(o, m);
	broken |= refine_unencoded_reads(o);
	broken |= refine_semaphores(o);
	return broken;
}
