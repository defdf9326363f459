/* Reads an earlier journal back, so that what it has need not be tried again. */
#include "classify/journal_records.h"

#include <stdlib.h>
#include <string.h>

#include "classify/access_orders.h"
#include "classify/order_effects.h"

static void get(struct record_reader *r, void *out, size_t size)
{
	if (r->bad || (size_t)(r->end - r->at) < size) {
		r->bad = true;
		memset(out, 0, size);
		return;
	}
	memcpy(out, r->at, size);
	r->at += size;
}

static struct bytes get_sized(struct record_reader *r)
{
	struct bytes b = {0};
	uint64_t size;

	get(r, &size, sizeof size);
	if (r->bad || size > (size_t)(r->end - r->at)) {
		r->bad = true;
		return b;
	}
	bytes_add(&b, r->at, size);
	r->at += size;
	return b;
}

static struct execution *get_execution(struct record_reader *r)
{
	uint64_t has;

	get(r, &has, sizeof has);
	if (!has || r->bad)
		return NULL;
	struct execution *x = must_alloc(sizeof *x);
	x->result = must_alloc(sizeof *x->result);
	get(r, &x->departs_at, sizeof x->departs_at);
	get(r, &x->every_operation, sizeof x->every_operation);
	get(r, &x->fails_at, sizeof x->fails_at);
	get(r, &x->event_budget, sizeof x->event_budget);
	get(r, &x->lost_entries, sizeof x->lost_entries);
	get(r, x->result, sizeof *x->result);
	result_bound(x->result);
	x->schedule = get_sized(r);
	struct bytes watched = get_sized(r);
	x->watched = (struct board_watch *)watched.data;
	x->nwatched = (uint32_t)(watched.size / sizeof *x->watched);
	return x;
}

static void get_trial(struct record_reader *r, struct trial *t)
{
	for (int i = 0; i < 2; i++)
		t->printed[i] = get_sized(r);
	struct bytes outputs = get_sized(r);
	t->outputs = (struct board_output *)outputs.data;
	t->noutputs = (uint32_t)(outputs.size / sizeof *t->outputs);
	for (uint32_t i = 0; i < t->noutputs; i++)
		t->outputs[i].name[OUTPUT_NAME - 1] = 0;
	t->execution = get_execution(r);
}

static struct remembered_tally *find_remembered(const struct journal *j, uint64_t race)
{
	for (size_t i = 0; i < j->ntallies; i++)
		if (j->tallies[i].race == race)
			return &j->tallies[i];
	return NULL;
}

static struct remembered_tally *add_remembered(struct journal *j, uint64_t race)
{
	struct remembered_tally *r = find_remembered(j, race);

	if (!r) {
		j->tallies = must_resize(j->tallies, (j->ntallies + 1) * sizeof *j->tallies);
		r = &j->tallies[j->ntallies++];
		*r = (struct remembered_tally){.race = race};
	}
	return r;
}

static void read_tally(struct journal *j, struct record_reader *in)
{
	struct remembered_tally now;

	get(in, &now, sizeof now);
	if (in->bad)
		return;
	struct remembered_tally *r = add_remembered(j, now.race);
	now.tally.spec = r->tally.spec;
	now.tally.output = r->tally.output;
	r->tally = now.tally;
}

static void read_finding(struct journal *j, struct record_reader *in)
{
	uint64_t race, is_output;
	struct finding f;

	get(in, &race, sizeof race);
	get(in, &is_output, sizeof is_output);
	get(in, &f, sizeof f);
	get_trial(in, &f.trial);
	get_trial(in, &f.primary);
	if (in->bad) {
		finding_free(&f);
		return;
	}
	struct remembered_tally *r = add_remembered(j, race);
	struct finding *to = is_output ? &r->tally.output : &r->tally.spec;
	finding_free(to);
	*to = f;
}

static void read_chosen(struct journal *j, struct record_reader *in)
{
	get(in, &j->executions, sizeof j->executions);
	if (!j->chosen)
		j->chosen = must_alloc(sizeof *j->chosen);
	while (in->at < in->end && !in->bad) {
		struct execution *x = get_execution(in);
		if (x && in->bad) {
			execution_free(x);
			x = NULL;
		}
		if (!x)
			continue;
		x->races++;
		j->chosen = must_resize(j->chosen, (j->nchosen + 1) * sizeof *j->chosen);
		j->chosen[j->nchosen++] = x;
	}
}

static struct effects *get_effects(struct record_reader *in)
{
	struct effects *all = must_alloc(sizeof *all);
	uint64_t count;

	*all = (struct effects){0};
	get(in, &count, sizeof count);
	for (uint64_t i = 0; i < count && !in->bad; i++) {
		struct effect e;
		get(in, &e, sizeof e);
		bool shown = e.shown[0].execution && e.shown[1].execution;
		struct bytes violations = get_sized(in);
		e.violations = (struct violation *)violations.data;
		e.nviolations = (uint32_t)(violations.size / sizeof *e.violations);
		for (int k = 0; k < 2; k++) {
			struct trial t = e.shown[k]; /* keeps the members that are no pointers */
			e.shown[k] = (struct trial){0};
			if (!shown)
				continue;
			get_trial(in, &t);
			e.shown[k] = t;
		}
		all->list = must_resize(all->list, (all->count + 1) * sizeof e);
		all->list[all->count++] = e;
	}
	return all;
}

static void read_interleavings(struct journal *j, struct record_reader *in)
{
	struct interleavings all;

	get(in, &all, sizeof all);
	size_t count = all.noutcomes;
	all.outcomes = NULL;
	all.orders = (struct orders){0};
	all.why[sizeof all.why - 1] = 0;
	for (all.noutcomes = 0; all.noutcomes < count && !in->bad; all.noutcomes++) {
		struct outcome o;
		get(in, &o, sizeof o);
		for (int k = 0; k < 2; k++)
			o.output[k] = get_sized(in);
		all.outcomes = must_resize(all.outcomes, (all.noutcomes + 1) * sizeof o);
		all.outcomes[all.noutcomes] = o;
	}
	struct bytes orders = get_sized(in);
	for (size_t at = 0; at + sizeof(struct order) <= orders.size; at += sizeof(struct order)) {
		struct order o;
		memcpy(&o, orders.data + at, sizeof o);
		orders_insert(&all.orders, o);
	}
	bytes_free(&orders);
	all.effects = get_effects(in);
	effects_free(j->interleavings.effects);
	interleavings_free(&j->interleavings);
	j->interleavings = all;
	j->has_interleavings = !in->bad;
}

static void read_failure(struct journal *j, struct record_reader *in)
{
	struct failure *f = must_alloc(sizeof *f);

	get(in, f, sizeof *f);
	f->races = NULL;
	f->nraces = 0;
	f->evidence = NULL;
	f->output[0] = f->output[1] = (struct bytes){0};
	f->fixed = f->constant = f->changed = false; /* constant failures are looked for again */
	f->result = must_alloc(sizeof *f->result);
	get(in, f->result, sizeof *f->result);
	result_bound(f->result);
	f->schedule = get_sized(in);
	struct failure *known = failures_find(&j->failures, f->result);
	if (in->bad) {
		failure_free(f);
		return;
	}
	f->noted = f->runs;
	if (!known) {
		failures_add(&j->failures, f);
		return;
	}
	const struct failure was = *known; /* the new one takes its place */
	*known = *f;
	*f = was;
	failure_free(f);
}

static void read_runs(struct journal *j, struct record_reader *in)
{
	struct failure_runs r;

	get(in, &r, sizeof r);
	struct failure *f = failures_find(
	        &j->failures, &(struct board_result){.ending = (uint32_t)r.ending, .signature = r.signature});
	if (f && !in->bad)
		f->runs = f->noted = r.runs;
}

static void read_record(struct journal *j, uint64_t kind, struct record_reader *in)
{
	struct unit u;

	switch (kind) {
	case RECORD_UNIT:
		get(in, &u, sizeof u);
		get(in, &j->executions, sizeof j->executions);
		journal_add_unit(j, &u);
		break;
	case RECORD_TALLY:
		read_tally(j, in);
		break;
	case RECORD_FINDING:
		read_finding(j, in);
		break;
	case RECORD_CHOSEN:
		read_chosen(j, in);
		break;
	case RECORD_INTERLEAVINGS:
		read_interleavings(j, in);
		break;
	case RECORD_FAILURE:
		read_failure(j, in);
		break;
	case RECORD_RUNS:
		read_runs(j, in);
		break;
	}
}

/* Takes the next record of the stream. False: no complete record is left. */
static bool next_record(struct record_reader *all, struct record_head *head, struct record_reader *in)
{
	get(all, head, sizeof *head);
	if (all->bad || head->size > (size_t)(all->end - all->at))
		return false;
	*in = (struct record_reader){.at = all->at, .end = all->at + head->size};
	all->at += head->size;
	return true;
}

/* Accepts the head if this version of the tool wrote it, and takes over the numbers that were asked for. */
bool journal_read_head(struct record_reader *all, struct classify_config *config)
{
	struct classify_config had;
	struct record_head head;
	struct record_reader in;
	struct file_head of;

	if (!next_record(all, &head, &in) || head.kind != RECORD_HEAD)
		return false;
	get(&in, &of, sizeof of);
	get(&in, &had, sizeof had);
	if (in.bad || memcmp(&of, &journal_own_head, sizeof of))
		return false;
	config->k = had.k;
	config->instances = had.instances;
	config->primaries = had.primaries;
	return true;
}

static void take_record(struct journal *j, const struct record_head *head, struct record_reader in)
{
	struct bytes raw = {.data = (uint8_t *)in.at, .size = head->size};

	read_record(j, head->kind, &in);
	journal_write_record(j, head->kind, &raw);
}

/*
 * Copies every complete record into this journal, so that the earlier file can go. What a unit showed of its race
 * counts only if the unit's own record follows: without it the unit is tried again, and its results would count twice.
 */
void journal_take_records(struct journal *j, struct record_reader *all)
{
	struct record_reader group = *all, in, again;
	struct record_head head;

	while (next_record(all, &head, &in)) {
		if (head.kind == RECORD_TALLY || head.kind == RECORD_FINDING || head.kind == RECORD_FAILURE ||
		    head.kind == RECORD_RUNS)
			continue;
		while (next_record(&group, &head, &again) && again.at <= in.at)
			take_record(j, &head, again);
		group = *all;
	}
}

void journal_take_failures(struct journal *j, struct failures *all)
{
	for (size_t i = 0; i < j->failures.count; i++) {
		struct failure *f = j->failures.list[i], *known = failures_find(all, f->result);
		if (known) {
			known->runs += f->runs;
			failure_free(f);
		} else {
			failures_add(all, f);
		}
	}
	free(j->failures.list);
	j->failures = (struct failures){0};
}

bool journal_take_chosen(struct journal *j, struct interleavings *all, struct execution ***list, size_t *count)
{
	/* two records: the tool may have ended between them */
	if (!j->has_interleavings || !j->chosen)
		return false;
	*all = j->interleavings;
	j->interleavings = (struct interleavings){0};
	j->has_interleavings = false;
	*list = j->chosen;
	*count = j->nchosen;
	j->chosen = NULL;
	j->nchosen = 0;
	return true;
}

void journal_recall(struct journal *j, struct race_tally *tally)
{
	struct remembered_tally *r = find_remembered(j, journal_race_key(tally->race));

	if (!r)
		return;
	struct race *race = tally->race;
	const struct board_race *seen = tally->seen;
	*tally = r->tally;
	tally->accesses = NULL; /* every replay of a primary adds to it again */
	tally->sweeps = 0;      /* the units say what was swept */
	tally->race = race;
	tally->seen = seen;
	tally->spec.noted = tally->output.noted = true;
	tally->why[sizeof tally->why - 1] = 0;
	*r = (struct remembered_tally){.race = 0};
}
