#include "cmd/race_evidence.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/session.h"
#include "predict/seconds.h"
#include "report/race_id.h"
#include "report/verdict.h"

/* The value of `suppressions` in a list like "halt_on_error=1:suppressions='my file'"; NULL if there is none. */
static char *tsan_suppressions(const char *options)
{
	static const char name[] = "suppressions=";
	static const char separators[] = " ,:\n\t\r";
	char *found = NULL;

	while (options && *(options += strspn(options, separators))) {
		size_t key = strcspn(options, "= ,:\n\t\r") + 1;
		bool wanted = key == strlen(name) && !strncmp(options, name, key);
		if (options[key - 1] != '=') {
			options += key - 1;
			continue;
		}
		options += key;
		char quote = *options == '\'' || *options == '"' ? *options : 0;
		options += quote != 0;
		size_t length = quote ? strcspn(options, (char[]){quote, 0}) : strcspn(options, separators);
		if (wanted) {
			free(found);
			found = must_format("%.*s", (int)length, options);
		}
		options += length + (quote && options[length]);
	}
	return found;
}

bool race_evidence_suppressions(struct suppressions *s, const struct options *o, struct error *e)
{
	char *tsan = tsan_suppressions(getenv("TSAN_OPTIONS"));
	bool ok = !o->suppressions || suppressions_load(s, o->suppressions, e);

	if (ok && tsan && *tsan && !suppressions_load(s, tsan, e)) {
		ok = false;
		strncat(e->text, " (named by TSAN_OPTIONS)", sizeof e->text - strlen(e->text) - 1);
	}
	free(tsan);
	return ok;
}

/* Moves the suppressed races to the end. Returns how many are to be reported. */
static size_t set_aside(struct races *all, const struct suppressions *s)
{
	struct race **suppressed = must_alloc(all->count * sizeof *suppressed);
	size_t reported = 0, aside = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct race *r = all->list[i];
		if (race_is_suppressed(s, r))
			suppressed[aside++] = r;
		else
			all->list[reported++] = r;
	}
	if (aside)
		memcpy(all->list + reported, suppressed, aside * sizeof *suppressed);
	free(suppressed);
	return reported;
}

void race_evidence_settle(struct races *all, const struct suppressions *s, const char *data, struct report *r)
{
	races_identify(all);
	r->races = all->list;
	r->race_count = set_aside(all, s);
	r->suppressed = all->count - r->race_count;
	r->races_lost = all->lost;
	r->data = data;
	for (size_t i = 0; i < r->race_count; i++)
		r->races[i]->evidence = must_format("%s/races/%s", data, r->races[i]->id);
}

/* Notes what a replay looks for: the first of the common bytes, and those after it in the same 8 bytes. */
static void name_race(struct manifest *m, const struct race *r)
{
	uint64_t first = r->seen.address % 8, count = race_common_bytes(r);

	count = !count ? 1 : count < 8 - first ? count : 8 - first;
	m->race = (char *)r->id;
	m->watch = (struct board_watch){r->seen.address - first, ((1u << count) - 1) << first};
	for (int i = 0; i < 2; i++) {
		m->race_site[i] = access_place(&r->seen.access[i]);
		m->race_flags[i] = r->seen.access[i].flags;
	}
}

static bool keep_race(const struct evidence *v, const struct manifest *session, const struct input *input,
                      const struct race *r, struct error *e)
{
	struct execution *x = r->execution;
	struct manifest m = session_execution(session, x->result);
	char under[48], same[48], *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_race_text(out, r, false);
	fclose(out);
	name_race(&m, r);
	m.departs_at = x->departs_at;
	m.every_operation = x->every_operation;
	if (x->event_budget)
		m.event_budget = x->event_budget;
	if (x->departs_at) {
		m.event_hash = 0;
		m.check = x->unchecked ? CHECK_OFF : CHECK_FOLLOW;
	}
	snprintf(under, sizeof under, "races/%s", r->id);
	if (x->first_kept)
		snprintf(same, sizeof same, "races/%s", x->first_kept);
	struct kept k = {.manifest = &m,
	                 .schedule = &x->schedule,
	                 .input = input,
	                 .report = text,
	                 .report_size = size,
	                 /* For a recording, everything it needs is at the top of the stage. */
	                 .log_of = input->log ? "" : NULL,
	                 .same_as = x->first_kept   ? same
	                            : x->departs_at ? NULL
	                            : input->log    ? ""
	                                            : NULL};
	bool ok = evidence_execution(v, under, &k, e);
	if (!x->first_kept)
		x->first_kept = r->id;
	free(text);
	return ok;
}

/* Writes the alternate: the execution that shows what a race does, beside the one that shows the race. */
static bool keep_alternate(const struct evidence *v, const struct manifest *session, const struct input *input,
                           const struct race *r, const char *data, struct error *e)
{
	struct verdict *d = r->verdict;
	char under[64];

	if (!d || !d->alternate || d->alternate->lost_entries)
		return true;
	struct manifest m = session_execution(session, d->alternate->result);
	m.event_hash = 0;
	for (uint32_t i = 0; i < m.ntolerated; i++)
		if (m.tolerated[i] == d->alternate->fails_at)
			m.tolerated[i] = 0;
	m.check = CHECK_FOLLOW;
	m.departs_at = d->alternate->departs_at;
	m.every_operation = d->alternate->every_operation;
	m.watch = d->watch;
	m.touch = d->touch;
	snprintf(under, sizeof under, "races/%s/alternate", r->id);
	struct kept k = {.manifest = &m, .schedule = &d->alternate->schedule, .input = input, .log_of = ""};
	if (!evidence_execution(v, under, &k, e))
		return false;
	d->evidence = must_format("%s/%s", data, under);
	return true;
}

static void name_departure(struct manifest *m, const struct departure *d)
{
	m->seed = d->seed;
	m->check = d->check;
	m->ntolerated = d->ntolerated;
	m->departs_at = d->at;
	m->every_operation = d->every_operation;
	if (d->event_budget)
		m->event_budget = d->event_budget;
	if (d->at || d->touch)
		m->event_hash = 0;
	m->watch = d->watch;
	m->touch = d->touch;
}

static bool keep_failure(const struct evidence *v, const struct manifest *session, const struct input *input,
                         const struct report *r, size_t index, struct error *e)
{
	const struct failure *f = r->failures[index];
	struct manifest m = session_execution(session, f->result);
	size_t size = 0;
	char under[48], *text = session_failure_text(r, index, &size);
	struct kept k = {.manifest = &m,
	                 .schedule = &f->schedule,
	                 .input = input,
	                 .output = f->departure.from_recording ? NULL : f->output,
	                 .report = text,
	                 .report_size = size,
	                 .log_of = input->log ? "" : NULL};

	if (f->departure.from_recording)
		name_departure(&m, &f->departure);
	snprintf(under, sizeof under, "failures/%zu", index + 1);
	bool ok = evidence_execution(v, under, &k, e);
	free(text);
	return ok;
}

void race_evidence_name_failures(struct report *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (!r->failures[i]->fixed && !r->failures[i]->lost)
			r->failures[i]->evidence = must_format("%s/failures/%zu", r->data, i + 1);
}

bool race_evidence_keep(const struct evidence *v, const struct manifest *m, const struct input *input,
                        const struct report *r, double until, struct error *e)
{
	bool ok = true;

	for (size_t i = 0; i < r->count && ok; i++)
		ok = !r->failures[i]->evidence || r->failures[i]->fixed || keep_failure(v, m, input, r, i, e);
	for (size_t i = 0; i < r->race_count && ok; i++) {
		struct race *race = r->races[i];
		if (until > 0 && seconds_now() > until) {
			free(race->evidence);
			race->evidence = NULL;
			continue;
		}
		ok = keep_alternate(v, m, input, race, r->data, e) && keep_race(v, m, input, race, e);
	}
	return ok;
}

void race_evidence_forget(struct report *r)
{
	r->data = NULL;
	for (size_t i = 0; i < r->race_count; i++) {
		free(r->races[i]->evidence);
		r->races[i]->evidence = NULL;
	}
	/* A failure that was not kept cannot be replayed, but it is reported. */
	for (size_t i = 0; i < r->count; i++) {
		if (r->failures[i]->fixed)
			continue;
		free(r->failures[i]->evidence);
		r->failures[i]->evidence = NULL;
	}
}

bool race_evidence_write_json(const struct evidence *v, const struct report *r, struct error *e)
{
	char *path = must_format("%s/report.json", v->stage), *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	report_json(out, r);
	fclose(out);
	bool ok = file_write(path, text, size, e);
	free(text);
	free(path);
	return ok;
}
