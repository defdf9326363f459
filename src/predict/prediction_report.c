#include "predict/prediction_report.h"

#include <string.h>

#include "predict/tiers.h"
#include "report/findings.h"
#include "report/raced_memory.h"
#include "abi/hooks.h"
#include "format/json.h"

/* How many events of each sort a trace has. */
struct counts {
	uint32_t accesses, sync, branches;
};

static struct counts count_events(const struct trace *t)
{
	struct counts c = {0};

	for (uint32_t i = 0; i < t->count; i++) {
		const struct trace_event *e = &t->events[i];
		c.branches += e->op == OP_BRANCH || e->flags & EVENT_DEPENDS;
		c.accesses += event_is_access(e);
		c.sync += !event_is_access(e) && ops[e->op].kind != OBJECT_NONE;
	}
	return c;
}

static size_t found_by(const struct prediction *p, enum tier tier)
{
	size_t n = 0;

	for (size_t i = 0; i < p->pairs.count; i++)
		n += p->pairs.list[i].tier == tier;
	return n;
}

static const char *kind_of(const struct trace_event *e)
{
	return e->op == OP_RMW ? "read-modify-write" : event_is(e, IS_WRITE) ? "write" : "read";
}

static const char *place_of(const struct trace *t, const struct trace_event *e)
{
	const char *place = interned(&t->locations, e->location);

	return *place ? place : "?";
}

/* The place of an access: in the program's own source, if that is known. */
static const char *access_place_text(const struct prediction *p, size_t i, int access)
{
	if (p->confirmations && p->confirmations[i].place[access][0])
		return p->confirmations[i].place[access];
	return place_of(p->trace, &p->trace->events[p->pairs.list[i].event[access]]);
}

static void print_access(FILE *out, const struct prediction *p, size_t i, int access)
{
	const struct trace *t = p->trace;
	uint32_t event = p->pairs.list[i].event[access];
	const struct trace_event *e = &t->events[event];

	fprintf(out, "%s (%s%s by %s, event %u)", access_place_text(p, i, access),
	        event_is(e, IS_ATOMIC) ? "atomic " : "", kind_of(e), interned(&t->names[OBJECT_THREAD], e->thread),
	        event + 1);
}

static void print_count(FILE *out, const char *before, size_t n, const char *what)
{
	fprintf(out, "%s%zu %s%s", before, n, what, n == 1 ? "" : "s");
}

static void print_confirmation(FILE *out, const struct confirmation *k)
{
	if (!k)
		return;
	if (!k->confirmed)
		fprintf(out, "; not confirmed: %s", k->why);
	else if (k->evidence)
		fprintf(out, "; confirmed: omen replay %s", k->evidence);
	else
		fputs("; confirmed", out);
}

static void print_recorded_race(FILE *out, const struct recorded_race *s)
{
	fprintf(out, "race on %s: ", s->variable);
	for (int k = 0; k < 2; k++)
		fprintf(out, "%s%s (%s%s)", k ? " ↔ " : "", s->place[k], s->atomic[k] ? "atomic " : "", s->kind[k]);
	fputs(", in the recorded execution", out);
	if (s->evidence)
		fprintf(out, "; omen replay %s", s->evidence);
	fputc('\n', out);
}

/* Prints what the windows left out. */
static void print_far(FILE *out, const struct maximal_result *m)
{
	if (!m->far.count && !m->far_more)
		return;
	fprintf(out,
	        "not looked at: %s%zu pair%s of places, where they are further apart than the window of %u events\n",
	        m->far_more ? "at least " : "", m->far.count, m->far.count == 1 ? "" : "s", m->window);
}

void prediction_text(FILE *out, const struct prediction *p)
{
	const struct trace *t = p->trace;

	for (size_t i = 0; i < p->pairs.count; i++) {
		const struct pair *r = &p->pairs.list[i];
		fprintf(out, "race on %s: ", interned(&t->names[OBJECT_VARIABLE], t->events[r->event[0]].object));
		print_access(out, p, i, 0);
		fputs(" ↔ ", out);
		print_access(out, p, i, 1);
		fprintf(out, ", %s", tier_names[r->tier]);
		print_confirmation(out, p->confirmations ? &p->confirmations[i] : NULL);
		fputc('\n', out);
	}
	for (size_t i = 0; i < p->recorded_race_count; i++)
		print_recorded_race(out, &p->recorded_races[i]);
	for (size_t i = 0; i < p->maximal.undecided.count; i++) {
		const struct pair *u = &p->maximal.undecided.list[i];
		fprintf(out, "not decided in the time there was: %s ↔ %s\n", place_of(t, &t->events[u->event[0]]),
		        place_of(t, &t->events[u->event[1]]));
	}
	print_far(out, &p->maximal);
	print_count(out, "", p->pairs.count + p->recorded_race_count, "race");
	for (enum tier k = 0; k <= p->tier; k++)
		fprintf(out, "%s%zu %s", k ? ", " : ": ", found_by(p, k), tier_names[k]);
	if (p->recorded_race_count)
		fprintf(out, ", %zu more in the recorded execution", p->recorded_race_count);
	struct counts c = count_events(t);
	print_count(out, " · ", t->count, "event");
	print_count(out, ", ", t->objects[OBJECT_THREAD], "thread");
	print_count(out, ", ", t->objects[OBJECT_VARIABLE], "variable");
	print_count(out, ", ", t->objects[OBJECT_LOCK], "lock");
	fprintf(out, ", %u sync, %s\n", c.sync, t->branches ? "branches known" : "branches not known");
	if (p->lost_events)
		fprintf(out,
		        "the rest of the execution is too long: %lu more events were not "
		        "looked at\n",
		        p->lost_events);
	if (p->lost_words)
		fputs("the threads share more memory than could be looked at\n", out);
}

/* ---- JSON ---- */

static uint64_t mix(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	return (h ^ '|') * 0x100000001b3;
}

/* The id comes from the places and kinds of both accesses, whichever came first. */
static void make_id(const struct trace *t, const struct pair *r, char id[17])
{
	uint64_t half[2];

	for (int i = 0; i < 2; i++) {
		const struct trace_event *e = &t->events[r->event[i]];
		half[i] = mix(mix(0xcbf29ce484222325, place_of(t, e)), kind_of(e));
	}
	uint64_t low = half[0] < half[1] ? half[0] : half[1], high = half[0] ^ half[1] ^ low;
	snprintf(id, 17, "%016lx", (low * 0x9e3779b97f4a7c15) ^ high);
}

static void access_json(struct json_writer *w, const struct prediction *p, size_t i, int access)
{
	const struct trace *t = p->trace;
	uint32_t event = p->pairs.list[i].event[access];
	const struct trace_event *e = &t->events[event];

	const struct confirmation *k = p->confirmations ? &p->confirmations[i] : NULL;

	json_open(w, NULL, '{');
	if (k && k->race) {
		report_access_json(w, k->race, k->first ^ access);
	} else {
		if (k)
			json_number(w, "thread", k->thread[access]);
		else
			json_string(w, "thread", interned(&t->names[OBJECT_THREAD], e->thread));
		json_string(w, "kind", kind_of(e));
		json_bool(w, "atomic", event_is(e, IS_ATOMIC));
		if (k)
			report_place_json(w, &k->frame[access]);
	}
	json_string(w, "location", access_place_text(p, i, access));
	json_number(w, "event", event + 1ul);
	json_close(w, '}');
}

static void recorded_race_json(struct json_writer *w, const struct recorded_race *s)
{
	json_open(w, NULL, '{');
	json_string(w, "id", s->race->id);
	json_string(w, "found_by", "happens-before");
	json_string(w, "variable", s->variable);
	json_open(w, "accesses", '[');
	for (int k = 0; k < 2; k++) {
		json_open(w, NULL, '{');
		report_access_json(w, s->race, k);
		json_string(w, "location", s->place[k]);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_bool(w, "confirmed", true);
	if (s->evidence)
		json_string(w, "evidence", s->evidence);
	json_close(w, '}');
}

/* The name of the variable: the one that the race's report has, if there is one. */
static const char *variable_of(const struct prediction *p, size_t i, struct raced_memory *s)
{
	const struct trace *t = p->trace;

	if (p->confirmations && p->confirmations[i].race) {
		raced_memory_of(p->confirmations[i].race, s);
		if (s->name[0])
			return s->name;
	}
	return interned(&t->names[OBJECT_VARIABLE], t->events[p->pairs.list[i].event[0]].object);
}

static void race_json(struct json_writer *w, const struct prediction *p, size_t i)
{
	const struct trace *t = p->trace;
	const struct pair *r = &p->pairs.list[i];
	const struct confirmation *k = p->confirmations ? &p->confirmations[i] : NULL;
	struct raced_memory subject;
	char id[17];

	make_id(t, r, id);
	json_open(w, NULL, '{');
	json_string(w, "id", k ? k->id : id);
	json_string(w, "found_by", "predicted");
	json_string(w, "tier", tier_names[r->tier]);
	json_string(w, "variable", variable_of(p, i, &subject));
	json_open(w, "accesses", '[');
	access_json(w, p, i, 0);
	access_json(w, p, i, 1);
	json_close(w, ']');
	if (k)
		json_bool(w, "confirmed", k->confirmed);
	if (k && !k->confirmed)
		json_string(w, "why", k->why);
	if (k && k->evidence)
		json_string(w, "evidence", k->evidence);
	json_close(w, '}');
}

/* What the maximal tier had to do, and what it did not decide. */
static void maximal_json(struct json_writer *w, const struct prediction *p)
{
	const struct maximal_result *m = &p->maximal;

	json_open(w, "maximal", '{');
	json_number(w, "window", m->window);
	json_number(w, "windows", m->windows);
	json_number(w, "candidates", m->passed.count);
	json_number(w, "asked", m->asked);
	json_number(w, "broken", m->broken);
	json_number(w, "far", m->far.count);
	if (m->far_more)
		json_bool(w, "far_more", true);
	json_open(w, "undecided", '[');
	for (size_t i = 0; i < m->undecided.count; i++) {
		json_open(w, NULL, '[');
		for (int k = 0; k < 2; k++)
			json_string(w, NULL, place_of(p->trace, &p->trace->events[m->undecided.list[i].event[k]]));
		json_close(w, ']');
	}
	json_close(w, ']');
	json_close(w, '}');
}

static size_t confirmed(const struct prediction *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->pairs.count; i++)
		n += p->confirmations[i].confirmed;
	return n;
}

static void stats_json(struct json_writer *w, const struct prediction *p)
{
	const struct trace *t = p->trace;
	struct counts c = count_events(t);

	json_open(w, "stats", '{');
	json_number(w, "events", t->count);
	json_number(w, "accesses", c.accesses);
	json_number(w, "sync", c.sync);
	json_number(w, "branches", c.branches);
	json_bool(w, "branches_known", t->branches);
	json_number(w, "threads", t->objects[OBJECT_THREAD]);
	json_number(w, "variables", t->objects[OBJECT_VARIABLE]);
	json_number(w, "locks", t->objects[OBJECT_LOCK]);
	if (p->lost_events)
		json_number(w, "lost_events", p->lost_events);
	if (p->lost_words)
		json_bool(w, "lost_words", true);
	json_number(w, "predicted", p->pairs.count);
	if (p->confirmations)
		json_number(w, "confirmed", confirmed(p));
	json_open(w, "tiers", '[');
	for (enum tier k = 0; k <= p->tier; k++) {
		json_open(w, NULL, '{');
		json_string(w, "tier", tier_names[k]);
		json_number(w, "races", found_by(p, k));
		json_real(w, "seconds", p->seconds[k]);
		json_close(w, '}');
	}
	json_close(w, ']');
	if (p->tier == TIER_MAXIMAL)
		maximal_json(w, p);
	json_real(w, "read_seconds", p->read_seconds);
	json_close(w, '}');
}

void prediction_json(FILE *out, const struct prediction *p)
{
	struct json_writer w = {.out = out};

	json_open(&w, NULL, '{');
	json_string(&w, "omen", OMEN_VERSION);
	json_string(&w, "program", p->name);
	json_string(&w, "memory_model", "sc");
	json_open(&w, "races", '[');
	for (size_t i = 0; i < p->pairs.count; i++)
		race_json(&w, p, i);
	for (size_t i = 0; i < p->recorded_race_count; i++)
		recorded_race_json(&w, &p->recorded_races[i]);
	json_close(&w, ']');
	stats_json(&w, p);
	json_close(&w, '}');
}
