#include "predict/order_solver.h"

#include <stdlib.h>
#include <z3.h>

#include "predict/order_encoding.h"
#include "predict/order_refinement.h"
#include "predict/seconds.h"
#include "format/file.h"

static void on_error(Z3_context c, Z3_error_code e)
{
	(void)c;
	(void)e; /* the answer to the question is then "not decided" */
}

static void set_number(struct order_solver *o, Z3_params p, const char *name, unsigned value)
{
	Z3_params_set_uint(o->z3, p, Z3_mk_string_symbol(o->z3, name), value);
}

static void start_solver(struct order_solver *o)
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
	/* Difference logic: 4 to 70 times as fast for these clauses as the others. */
	set_number(o, p, "arith.solver", 1);
	set_number(o, p, "random_seed", 1);
	Z3_solver_set_params(o->z3, o->solver, p);
	Z3_params_dec_ref(o->z3, p);
}

struct order_solver *order_solver_new(const struct window *w)
{
	struct order_solver *o = calloc(1, sizeof *o);

	if (!o)
		abort();
	o->w = w;
	start_solver(o);
	Z3_sort whole = Z3_mk_int_sort(o->z3);
	o->minus_one = Z3_mk_int(o->z3, -1, whole);
	o->zero = Z3_mk_int(o->z3, 0, whole);
	o->place = must_alloc((w->node_count + 1) * sizeof *o->place);
	o->decl = must_alloc((w->node_count + 1) * sizeof *o->decl);
	o->is_next = calloc(w->node_count + 1, sizeof *o->is_next);
	o->places = must_alloc((w->node_count + 1) * sizeof *o->places);
	o->covered = must_alloc((w->thread_count + 1) * sizeof *o->covered);
	o->encoded = must_alloc((w->varying_read_count + 1) * sizeof *o->encoded);
	for (uint32_t p = 0; p <= w->node_count; p++) {
		o->place[p] = Z3_mk_fresh_const(o->z3, "o", whole);
		o->decl[p] = Z3_get_app_decl(o->z3, Z3_to_app(o->z3, o->place[p]));
	}
	o->meeting = o->place[w->node_count];
	o->meeting_decl = o->decl[w->node_count];
	order_encode_start(o);
	deadline_watch_start(&o->deadline, o->z3);
	return o;
}

static void read_counts_free(const struct order_solver *o, struct read_counts *r)
{
	for (uint32_t t = 0; t < o->w->thread_count; t++)
		free(r->right[t]);
	free(r->right);
	free(r->count);
	free(r->known);
}

void order_solver_free(struct order_solver *o)
{
	deadline_watch_end(&o->deadline);
	read_counts_free(o, &o->unconfined);
	read_counts_free(o, &o->confined);
	free(o->place);
	free(o->decl);
	free(o->is_next);
	free(o->places);
	free(o->covered);
	free(o->encoded);
	free(o->choices);
	Z3_solver_dec_ref(o->z3, o->solver);
	Z3_del_context(o->z3);
	free(o);
}

static enum answer check(struct order_solver *o, Z3_ast asked, double seconds)
{
	double deadline = seconds_now() + seconds;

	for (;;) {
		if (seconds_now() > deadline)
			return ANSWER_UNDECIDED;
		deadline_watch_set(&o->deadline, deadline);
		Z3_lbool answer = Z3_solver_check_assumptions(o->z3, o->solver, 1, &asked);
		deadline_watch_set(&o->deadline, 0);
		if (answer != Z3_L_TRUE)
			return answer == Z3_L_FALSE ? ANSWER_NO : ANSWER_UNDECIDED;
		Z3_model m = Z3_solver_get_model(o->z3, o->solver);
		if (!m)
			return ANSWER_UNDECIDED;
		Z3_model_inc_ref(o->z3, m);
		bool broken = order_refine(o, m);
		Z3_model_dec_ref(o->z3, m);
		if (!broken)
			return ANSWER_YES;
	}
}

static bool find_met(const struct order_solver *o, const struct access_class *a, uint32_t *event)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (o->places[o->w->node_of[a->events[i] - o->w->start]] == o->meeting_place) {
			*event = a->events[i];
			return true;
		}
	return false;
}

enum answer order_solver_ask(struct order_solver *o, const struct candidates *c, const struct candidate *pair,
                             double seconds, uint32_t event[2], const int64_t **places, int64_t *meeting)
{
	Z3_ast asked = order_encode_question(o, c, pair);
	enum answer answer = check(o, asked, seconds);

	*places = o->places;
	*meeting = o->meeting_place;
	if (answer == ANSWER_YES) {
		uint32_t i = 0;
		while (i < pair->count && !(find_met(o, &c->classes[pair->meetings[i][0]], &event[0]) &&
		                            find_met(o, &c->classes[pair->meetings[i][1]], &event[1])))
			i++;
		if (i == pair->count)
			answer = ANSWER_UNDECIDED;
	}
	order_add_clause(o, 1, (Z3_ast[]){Z3_mk_not(o->z3, asked)});
	return answer;
}
