#include "classify/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classify/order_effects.h"
#include "classify/access_orders.h"
#include "abi/hooks.h"

#define JOURNAL_LIMIT (1ul << 30)

enum record_kind {
	RECORD_HEAD = 1,
	RECORD_UNIT,
	RECORD_TALLY,
	RECORD_FINDING,
	RECORD_CHOSEN,
	RECORD_ALL,
	RECORD_FAILURE,
	RECORD_RUNS
};

/* Whether the file can be read: its records are structures as they are in memory, so their sizes must agree. */
struct file_head {
	char version[16];
	uint64_t tally, trial, result, config, all, failure;
};

struct record_head {
	uint64_t kind, size;
};

/* How often a failure was seen by now: mostly nothing else has changed. */
struct failure_runs {
	uint64_t ending, signature, runs;
};

/* The tally of one race. Its two findings have records of their own, because they change rarely. */
struct remembered_tally {
	uint64_t race;
	struct race_tally tally;
};

static const struct file_head own_head = {.version = OMEN_HOOKS,
                                          .tally = sizeof(struct race_tally),
                                          .trial = sizeof(struct trial),
                                          .result = sizeof(struct board_result),
                                          .config = sizeof(struct classify_config),
                                          .all = sizeof(struct interleavings) + sizeof(struct effect),
                                          .failure = sizeof(struct failure)};

static uint64_t mix(uint64_t h, uint64_t value)
{
	h = (h ^ value) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

static uint64_t race_key(const struct race *r)
{
	uint64_t of[2];

	for (int i = 0; i < 2; i++)
		of[i] = mix(mix(1, access_place(&r->seen.access[i])), r->seen.access[i].flags & ACCESS_KIND);
	return of[0] + of[1];
}

uint64_t journal_key(const struct execution *x)
{
	uint64_t h = mix(1, x->departs_at);

	for (size_t i = 0; i < x->schedule.size; i++)
		h = mix(h, x->schedule.data[i]);
	return h;
}

struct unit journal_unit(uint64_t primary, const struct race_tally *tally, const struct board_instance *at,
                         enum unit_kind kind)
{
	return (struct unit){.primary = primary,
	                     .race = race_key(tally->race),
	                     .address = at->address,
	                     .touch = {at->touch[0], at->touch[1]},
	                     .kind = kind};
}

static size_t bucket_of(const struct unit *u)
{
	return mix(mix(mix(mix(u->primary, u->race), u->address), u->touch[0]), u->touch[1]) % UNIT_BUCKETS;
}

bool journal_has(struct journal *j, const struct unit *u)
{
	bool has = false;

	pthread_mutex_lock(&j->lock);
	for (size_t i = j->buckets[bucket_of(u)]; i && !has; i = j->next[i - 1])
		has = !memcmp(&j->units[i - 1], u, sizeof *u);
	pthread_mutex_unlock(&j->lock);
	return has;
}

static void add_unit(struct journal *j, const struct unit *u)
{
	size_t *bucket = &j->buckets[bucket_of(u)], n = j->nunits++;

	if (!(n & (n - 1))) {
		j->units = must_resize(j->units, (n ? 2 * n : 1) * sizeof *j->units);
		j->next = must_resize(j->next, (n ? 2 * n : 1) * sizeof *j->next);
	}
	j->units[n] = *u;
	j->next[n] = *bucket;
	*bucket = n + 1;
}

static void add_sized(struct bytes *out, const void *data, uint64_t size)
{
	bytes_add(out, &size, sizeof size);
	if (size)
		bytes_add(out, data, size);
}

static void add_execution(struct bytes *out, const struct execution *x)
{
	uint64_t has = x != NULL;

	bytes_add(out, &has, sizeof has);
	if (!x)
		return;
	bytes_add(out, &x->departs_at, sizeof x->departs_at);
	bytes_add(out, &x->every, sizeof x->every);
	bytes_add(out, &x->fails_at, sizeof x->fails_at);
	bytes_add(out, &x->event_budget, sizeof x->event_budget);
	bytes_add(out, &x->lost_entries, sizeof x->lost_entries);
	bytes_add(out, x->result, sizeof *x->result);
	add_sized(out, x->schedule.data, x->schedule.size);
	add_sized(out, x->watched, x->nwatched * sizeof *x->watched);
}

static void add_trial(struct bytes *out, const struct trial *t)
{
	for (int i = 0; i < 2; i++)
		add_sized(out, t->output[i].data, t->output[i].size);
	add_sized(out, t->given, t->ngiven * sizeof *t->given);
	add_execution(out, t->execution);
}

/* Other workers count at the same time. */
static void add_executions(struct bytes *out, const struct journal *j)
{
	uint64_t made = __atomic_load_n(&j->executions, __ATOMIC_RELAXED);

	bytes_add(out, &made, sizeof made);
}

/* The caller holds the journal's lock, or no other thread exists yet. */
static void write_record(struct journal *j, enum record_kind kind, const struct bytes *b)
{
	struct record_head head = {kind, b->size};
	struct error e;

	if (!j->open)
		return;
	if (!blocks_append(&j->writer, &head, sizeof head, &e) || !blocks_append(&j->writer, b->data, b->size, &e) ||
	    !blocks_flush(&j->writer, &e)) {
		j->error = e;
		j->open = false;
	}
}

static void write_finding(struct journal *j, const struct race_tally *tally, const struct finding *f)
{
	struct bytes b = {0};
	uint64_t race = race_key(tally->race), is_output = f == &tally->output;

	bytes_add(&b, &race, sizeof race);
	bytes_add(&b, &is_output, sizeof is_output);
	bytes_add(&b, f, sizeof *f);
	add_trial(&b, &f->trial);
	add_trial(&b, &f->primary);
	write_record(j, RECORD_FINDING, &b);
	bytes_free(&b);
}

static void write_tally(struct journal *j, const struct race_tally *tally)
{
	struct remembered_tally r = {.race = race_key(tally->race), .tally = *tally};
	struct bytes b = {0};

	bytes_add(&b, &r, sizeof r);
	write_record(j, RECORD_TALLY, &b);
	bytes_free(&b);
}

/* The caller holds the lock. This record comes after all others of the unit and makes them valid. */
static void write_unit(struct journal *j, const struct unit *u)
{
	struct bytes b = {0};

	bytes_add(&b, u, sizeof *u);
	add_executions(&b, j);
	write_record(j, RECORD_UNIT, &b);
	bytes_free(&b);
}

void journal_note_unit(struct journal *j, const struct unit *u)
{
	pthread_mutex_lock(&j->lock);
	add_unit(j, u);
	write_unit(j, u);
	pthread_mutex_unlock(&j->lock);
}

void journal_note_tally(struct journal *j, const struct unit *u, struct race_tally *tally)
{
	pthread_mutex_lock(&j->lock);
	add_unit(j, u);
	for (int i = 0; i < 2; i++) {
		struct finding *f = i ? &tally->output : &tally->spec;
		if (f->found && !f->noted)
			write_finding(j, tally, f);
		f->noted = f->found;
	}
	write_tally(j, tally);
	write_unit(j, u);
	pthread_mutex_unlock(&j->lock);
}

void journal_note_chosen(struct journal *j, struct execution *const *list, size_t count)
{
	struct bytes b = {0};

	add_executions(&b, j);
	for (size_t i = 0; i < count; i++)
		add_execution(&b, list[i]);
	pthread_mutex_lock(&j->lock);
	write_record(j, RECORD_CHOSEN, &b);
	pthread_mutex_unlock(&j->lock);
	bytes_free(&b);
}

static void add_effects(struct bytes *out, const struct effects *all)
{
	uint64_t count = all ? all->count : 0;

	bytes_add(out, &count, sizeof count);
	for (size_t i = 0; i < count; i++) {
		const struct effect *e = &all->list[i];
		bytes_add(out, e, sizeof *e);
		add_sized(out, e->violations, e->nviolations * sizeof *e->violations);
		for (int k = 0; k < 2 && e->shown[0].execution && e->shown[1].execution; k++)
			add_trial(out, &e->shown[k]);
	}
}

void journal_note_all(struct journal *j, const struct interleavings *all)
{
	struct bytes b = {0};

	bytes_add(&b, all, sizeof *all);
	for (size_t i = 0; i < all->noutcomes; i++) {
		const struct outcome *o = &all->outcomes[i];
		bytes_add(&b, o, sizeof *o);
		for (int k = 0; k < 2; k++)
			add_sized(&b, o->output[k].data, o->output[k].size);
	}
	add_sized(&b, all->orders.list, all->orders.room * sizeof *all->orders.list);
	add_effects(&b, all->effects);
	pthread_mutex_lock(&j->lock);
	write_record(j, RECORD_ALL, &b);
	pthread_mutex_unlock(&j->lock);
	bytes_free(&b);
}

static void write_failure(struct journal *j, const struct failure *f)
{
	struct bytes b = {0};

	bytes_add(&b, f, sizeof *f);
	bytes_add(&b, f->result, sizeof *f->result);
	add_sized(&b, f->schedule.data, f->schedule.size);
	write_record(j, RECORD_FAILURE, &b);
	bytes_free(&b);
}

static void write_runs(struct journal *j, const struct failure *f)
{
	const struct failure_runs r = {f->result->ending, f->result->signature, f->runs};
	struct bytes b = {0};

	bytes_add(&b, &r, sizeof r);
	write_record(j, RECORD_RUNS, &b);
	bytes_free(&b);
}

void journal_note_failures(struct journal *j, const struct failures *all)
{
	pthread_mutex_lock(&j->lock);
	for (size_t i = 0; i < all->count; i++) {
		struct failure *f = all->list[i];
		if (f->fixed) /* a replay of the recording shows it again */
			continue;
		if (f->changed)
			write_failure(j, f);
		else if (f->runs != f->noted)
			write_runs(j, f);
		f->changed = false;
		f->noted = f->runs;
	}
	pthread_mutex_unlock(&j->lock);
}

struct record_reader {
	const uint8_t *at, *end;
	bool bad;
};

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
	get(r, &x->every, sizeof x->every);
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
		t->output[i] = get_sized(r);
	struct bytes given = get_sized(r);
	t->given = (struct board_given *)given.data;
	t->ngiven = (uint32_t)(given.size / sizeof *t->given);
	for (uint32_t i = 0; i < t->ngiven; i++)
		t->given[i].name[GIVEN_NAME - 1] = 0;
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

static void read_all(struct journal *j, struct record_reader *in)
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
	effects_free(j->all.effects);
	interleavings_free(&j->all);
	j->all = all;
	j->has_all = !in->bad;
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
		add_unit(j, &u);
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
	case RECORD_ALL:
		read_all(j, in);
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
static bool read_head(struct record_reader *all, struct classify_config *config)
{
	struct classify_config had;
	struct record_head head;
	struct record_reader in;
	struct file_head of;

	if (!next_record(all, &head, &in) || head.kind != RECORD_HEAD)
		return false;
	get(&in, &of, sizeof of);
	get(&in, &had, sizeof had);
	if (in.bad || memcmp(&of, &own_head, sizeof of))
		return false;
	config->k = had.k;
	config->instances = had.instances;
	config->primaries = had.primaries;
	return true;
}

static void write_head(struct journal *j, const struct classify_config *config)
{
	struct bytes b = {0};

	bytes_add(&b, &own_head, sizeof own_head);
	bytes_add(&b, config, sizeof *config);
	write_record(j, RECORD_HEAD, &b);
	bytes_free(&b);
}

static void take_record(struct journal *j, const struct record_head *head, struct record_reader in)
{
	struct bytes raw = {.data = (uint8_t *)in.at, .size = head->size};

	read_record(j, head->kind, &in);
	write_record(j, head->kind, &raw);
}

/*
 * Copies every complete record into this journal, so that the earlier file can go. What a unit showed of its race
 * counts only if the unit's own record follows: without it the unit is tried again, and its results would count twice.
 */
static void take_over(struct journal *j, struct record_reader *all)
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

bool journal_open(struct journal *j, const char *path, const char *earlier, struct classify_config *config,
                  struct error *e)
{
	struct bytes file = {0};
	struct error ignored;
	bool whole;

	*j = (struct journal){.open = false};
	pthread_mutex_init(&j->lock, NULL);
	if (!blocks_create(&j->writer, path, e))
		return false;
	j->open = true;
	if (earlier && !access(earlier, F_OK))
		blocks_read(earlier, JOURNAL_LIMIT, &file, &whole, &ignored);
	struct record_reader all = {.at = file.data, .end = file.data + file.size};
	bool known = read_head(&all, config);
	write_head(j, config);
	if (known)
		take_over(j, &all);
	bytes_free(&file);
	return true;
}

bool journal_close(struct journal *j, struct error *e)
{
	bool ok = !j->error.text[0];

	*e = j->error;
	for (size_t i = 0; i < j->ntallies; i++) {
		finding_free(&j->tallies[i].tally.spec);
		finding_free(&j->tallies[i].tally.output);
	}
	for (size_t i = 0; i < j->nchosen; i++)
		if (!--j->chosen[i]->races)
			execution_free(j->chosen[i]);
	free(j->chosen);
	effects_free(j->all.effects);
	interleavings_free(&j->all);
	failures_free(&j->failures);
	free(j->tallies);
	free(j->units);
	free(j->next);
	if (j->open)
		ok = blocks_finish(&j->writer, e);
	else
		blocks_abandon(&j->writer);
	pthread_mutex_destroy(&j->lock);
	*j = (struct journal){.open = false};
	return ok;
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
	if (!j->has_all || !j->chosen)
		return false;
	*all = j->all;
	j->all = (struct interleavings){0};
	j->has_all = false;
	*list = j->chosen;
	*count = j->nchosen;
	j->chosen = NULL;
	j->nchosen = 0;
	return true;
}

void journal_recall(struct journal *j, struct race_tally *tally)
{
	struct remembered_tally *r = find_remembered(j, race_key(tally->race));

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
