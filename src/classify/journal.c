#include "classify/journal_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classify/order_effects.h"
#include "classify/access_orders.h"
#include "abi/hooks.h"

#define JOURNAL_LIMIT (1ul << 30)

const struct file_head journal_own_head = {.version = OMEN_HOOKS,
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

uint64_t journal_race_key(const struct race *r)
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
	                     .race = journal_race_key(tally->race),
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

void journal_add_unit(struct journal *j, const struct unit *u)
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
	bytes_add(out, &x->every_operation, sizeof x->every_operation);
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
		add_sized(out, t->printed[i].data, t->printed[i].size);
	add_sized(out, t->outputs, t->noutputs * sizeof *t->outputs);
	add_execution(out, t->execution);
}

/* Other workers count at the same time. */
static void add_executions(struct bytes *out, const struct journal *j)
{
	uint64_t made = __atomic_load_n(&j->executions, __ATOMIC_RELAXED);

	bytes_add(out, &made, sizeof made);
}

/* The caller holds the journal's lock, or no other thread exists yet. */
void journal_write_record(struct journal *j, enum record_kind kind, const struct bytes *b)
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
	uint64_t race = journal_race_key(tally->race), is_output = f == &tally->output;

	bytes_add(&b, &race, sizeof race);
	bytes_add(&b, &is_output, sizeof is_output);
	bytes_add(&b, f, sizeof *f);
	add_trial(&b, &f->trial);
	add_trial(&b, &f->primary);
	journal_write_record(j, RECORD_FINDING, &b);
	bytes_free(&b);
}

static void write_tally(struct journal *j, const struct race_tally *tally)
{
	struct remembered_tally r = {.race = journal_race_key(tally->race), .tally = *tally};
	struct bytes b = {0};

	bytes_add(&b, &r, sizeof r);
	journal_write_record(j, RECORD_TALLY, &b);
	bytes_free(&b);
}

/* The caller holds the lock. This record comes after all others of the unit and makes them valid. */
static void write_unit(struct journal *j, const struct unit *u)
{
	struct bytes b = {0};

	bytes_add(&b, u, sizeof *u);
	add_executions(&b, j);
	journal_write_record(j, RECORD_UNIT, &b);
	bytes_free(&b);
}

void journal_note_unit(struct journal *j, const struct unit *u)
{
	pthread_mutex_lock(&j->lock);
	journal_add_unit(j, u);
	write_unit(j, u);
	pthread_mutex_unlock(&j->lock);
}

void journal_note_tally(struct journal *j, const struct unit *u, struct race_tally *tally)
{
	pthread_mutex_lock(&j->lock);
	journal_add_unit(j, u);
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
	journal_write_record(j, RECORD_CHOSEN, &b);
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

void journal_note_interleavings(struct journal *j, const struct interleavings *all)
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
	journal_write_record(j, RECORD_INTERLEAVINGS, &b);
	pthread_mutex_unlock(&j->lock);
	bytes_free(&b);
}

static void write_failure(struct journal *j, const struct failure *f)
{
	struct bytes b = {0};

	bytes_add(&b, f, sizeof *f);
	bytes_add(&b, f->result, sizeof *f->result);
	add_sized(&b, f->schedule.data, f->schedule.size);
	journal_write_record(j, RECORD_FAILURE, &b);
	bytes_free(&b);
}

static void write_runs(struct journal *j, const struct failure *f)
{
	const struct failure_runs r = {f->result->ending, f->result->signature, f->runs};
	struct bytes b = {0};

	bytes_add(&b, &r, sizeof r);
	journal_write_record(j, RECORD_RUNS, &b);
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

static void write_head(struct journal *j, const struct classify_config *config)
{
	struct bytes b = {0};

	bytes_add(&b, &journal_own_head, sizeof journal_own_head);
	bytes_add(&b, config, sizeof *config);
	journal_write_record(j, RECORD_HEAD, &b);
	bytes_free(&b);
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
	bool known = journal_read_head(&all, config);
	write_head(j, config);
	if (known)
		journal_take_records(j, &all);
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
	effects_free(j->interleavings.effects);
	interleavings_free(&j->interleavings);
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
