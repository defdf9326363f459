/* omen predict: the races that other schedules of a trace have. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "classify/journal.h"
#include "classify/predicted_races.h"
#include "classify/primaries.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/make_recording.h"
#include "cmd/session.h"
#include "predict/seconds.h"
#include "predict/prediction_report.h"
#include "predict/std_format.h"
#include "report/race_id.h"

static bool read_trace(const char *name, struct trace *t, struct error *e)
{
	bool standard = !strcmp(name, "-");
	FILE *in = standard ? stdin : fopen(name, "r");

	if (!in)
		return error_set(e, "cannot read %s: %s", name, strerror(errno));
	struct error warning;
	bool ok = std_read(in, standard ? "standard input" : name, t, &warning, e);
	if (ok && warning.text[0])
		fprintf(stderr, "omen: warning: %s\n", warning.text);
	if (!standard)
		fclose(in);
	return ok;
}

/* The line that shows the progress of a long search, a few times a second. */
struct progress_line {
	uint32_t events;
	double at;
};

static bool show_progress(void *context, uint32_t event, size_t asked, size_t found)
{
	struct progress_line *s = context;

	if (!isatty(2) || seconds_now() - s->at < 0.2)
		return !recording_interrupted;
	s->at = seconds_now();
	fprintf(stderr, "\r\033[K%u/%u events · %zu pairs asked · %zu race%s", event, s->events, asked, found,
	        found == 1 ? "" : "s");
	return !recording_interrupted;
}

static struct maximal_options options_of(const struct options *o, struct progress_line *show)
{
	return (struct maximal_options){.window = (uint32_t)o->window,
	                                .seconds = (double)o->budget_seconds,
	                                .far = true,
	                                .grow_seconds = o->window ? 0 : (double)o->budget_seconds,
	                                .progress = show_progress,
	                                .context = show};
}

static void clear_progress(const struct progress_line *show)
{
	if (show->at > 0)
		fputs("\r\033[K", stderr);
}

static bool print_prediction(const struct options *o, const struct prediction *p, struct error *e)
{
	FILE *out = session_open(o, stdout, e);

	if (!out)
		return false;
	if (o->json)
		prediction_json(out, p);
	else
		prediction_text(out, p);
	return session_close(o, out, e);
}

static int status_of(const struct prediction *p)
{
	struct error e;

	if (!p->maximal.broken)
		return p->pairs.count || p->recorded_race_count ? EXIT_FOUND : EXIT_NOTHING;
	error_set(&e,
	          "%zu answers of the solver broke the rules of the trace, and are not reported: this is a fault of "
	          "omen (%.400s)",
	          p->maximal.broken, p->maximal.first_broken);
	return complain(EXIT_OMEN, &e);
}

/* ---- a trace ---- */

static int predict_trace(const struct options *o, const char *name)
{
	struct prediction p = {.name = name};
	struct trace t;
	struct error e;
	double start = seconds_now();

	if (!read_trace(name, &t, &e))
		return complain(EXIT_USE, &e);
	p.trace = &t;
	p.read_seconds = seconds_now() - start;
	struct progress_line show = {.events = t.count};
	struct maximal_options options = options_of(o, &show);
	prediction_run(&p, o->tier, &options);
	clear_progress(&show);
	int status = print_prediction(o, &p, &e) ? status_of(&p) : complain(EXIT_OMEN, &e);
	prediction_free(&p);
	trace_free(&t);
	return status;
}

/* ---- an execution ---- */

static struct {
	struct predicted predicted;
	bool ok;
	struct error why; /* why not */
	struct recorded_race *recorded_races;
} outcome;

/* Takes an execution that has a predicted race: it is reported and kept like those of the recorded execution. */
static void take_execution(struct classifier *c, struct recording *x, size_t i)
{
	struct execution *made = outcome.predicted.executions[i];
	struct primary primary = {.execution = made};
	struct error e;
	size_t known = x->races.count;

	if (!made)
		return;
	outcome.predicted.executions[i] = NULL;
	made->races++;
	if (!primary_explain(c, &x->races, &primary, &e)) {
		outcome.predicted.confirmations[i].confirmed = false;
		snprintf(outcome.predicted.confirmations[i].why, sizeof outcome.predicted.confirmations[i].why,
		         "its replay differs: %.200s", e.text);
	}
	for (; known < x->races.count; known++)
		x->races.list[known]->found_by = "predicted";
	free(primary.races);
	if (!--made->races)
		execution_free(made);
}

/* Predicts races from the recording. */
static void predict_recording(struct recording *x)
{
	const struct options *o = x->options;
	struct classify_config config = {
	        .timeout_ms = o->timeout_ms, .jobs = 1, .budget_seconds = UINT32_MAX, .unchecked = true};
	struct journal journal = {0};
	struct classifier c = {.config = &config,
	                       .journal = &journal,
	                       .manifest = &x->manifest,
	                       .input = &x->input,
	                       .stop = &recording_interrupted,
	                       .recorded = x->failure->result,
	                       .start = classifier_now()};
	struct execution recorded = {.result = x->failure->result,
	                             .schedule = x->failure->schedule,
	                             .lost_entries = x->failure->lost_entries};
	struct progress_line show = {0};
	struct maximal_options options = options_of(o, &show);

	if (!x->input.log || recorded.lost_entries) {
		error_set(&outcome.why, "the execution cannot be replayed");
		return;
	}
	primaries_measure(&c, &recorded);
	outcome.ok = predicted_find(&c, &recorded, o->tier, &options, &outcome.predicted, &outcome.why);
	if (outcome.ok)
		predicted_confirm(&c, &recorded, &x->races, &outcome.predicted);
	clear_progress(&show);
	for (size_t i = 0; outcome.ok && i < outcome.predicted.prediction.pairs.count; i++)
		take_execution(&c, x, i);
}

static void name_place(const struct race *r, int access, char *text, size_t size)
{
	struct frame f;

	if (race_place(r, access, &f) && f.file[0])
		snprintf(text, size, "%s:%u:%u", f.file, f.line, f.column);
}

/* Copies from the report of a race to its pair: the place in the program's own source, and the evidence. */
static void match_report(const struct race *r)
{
	struct predicted *p = &outcome.predicted;

	for (size_t i = 0; i < p->prediction.pairs.count; i++) {
		int first = p->confirmations[i].confirmed ? predicted_is(p, i, &r->seen) : -1;
		if (first < 0)
			continue;
		p->confirmations[i].race = r;
		p->confirmations[i].first = first;
		snprintf(p->confirmations[i].id, sizeof p->confirmations[i].id, "%s", r->id);
		p->confirmations[i].evidence = r->evidence;
		for (int k = 0; k < 2; k++)
			name_place(r, first ^ k, p->confirmations[i].place[k], sizeof p->confirmations[i].place[k]);
	}
}

static bool is_predicted(const struct race *r)
{
	for (size_t i = 0; i < outcome.predicted.prediction.pairs.count; i++)
		if (outcome.predicted.confirmations[i].race == r)
			return true;
	return r->found_by;
}

static void add_recorded_race(const struct race *r)
{
	struct prediction *p = &outcome.predicted.prediction;
	struct recorded_race *s;

	outcome.recorded_races =
	        must_resize(outcome.recorded_races, (p->recorded_race_count + 1) * sizeof *outcome.recorded_races);
	p->recorded_races = outcome.recorded_races;
	s = &outcome.recorded_races[p->recorded_race_count++];
	*s = (struct recorded_race){.race = r, .evidence = r->evidence};
	if (!symbol_data(r->execution->result, r->seen.address, s->variable, sizeof s->variable))
		snprintf(s->variable, sizeof s->variable, "%#lx", r->seen.address);
	for (int k = 0; k < 2; k++) {
		s->kind[k] = access_kind(r->seen.access[k].flags);
		s->atomic[k] = r->seen.access[k].flags & ACCESS_ATOMIC;
		snprintf(s->place[k], sizeof s->place[k], "?");
		name_place(r, k, s->place[k], sizeof s->place[k]);
	}
}

/* Whether a pair or a race has this id. */
static bool is_taken(const struct recording *x, const char *id)
{
	for (size_t i = 0; i < x->races.count; i++)
		if (!strcmp(x->races.list[i]->id, id))
			return true;
	for (size_t i = 0; i < outcome.predicted.prediction.pairs.count; i++)
		if (!strcmp(outcome.predicted.confirmations[i].id, id))
			return true;
	return false;
}

/* Names a pair that no execution has shown, as a report would name it. */
static void name_pair(const struct recording *x, size_t i)
{
	const struct predicted *p = &outcome.predicted;
	struct confirmation *k = &p->confirmations[i];
	uint64_t identity[2];

	for (int access = 0; access < 2; access++) {
		k->thread[access] = predicted_thread(p, i, access);
		predicted_place(p, i, access, &k->frame[access]);
		identity[access] = access_identity(p->result, predicted_flags(p, i, access), &k->frame[access], NULL);
	}
	char id[sizeof k->id];
	unsigned twin = 1;
	do
		race_name(race_identity(identity[0], identity[1]), twin++, id, sizeof id);
	while (is_taken(x, id));
	memcpy(k->id, id, sizeof id);
}

static void compare_with_report(const struct recording *x)
{
	for (size_t i = 0; i < x->races.count; i++)
		match_report(x->races.list[i]);
	for (size_t i = 0; i < x->report.race_count; i++)
		if (!is_predicted(x->report.races[i]))
			add_recorded_race(x->report.races[i]);
	for (size_t i = 0; i < outcome.predicted.prediction.pairs.count; i++)
		if (!outcome.predicted.confirmations[i].race)
			name_pair(x, i);
}

static int predict_execution(const struct options *o, char **argv)
{
	struct recording x;
	struct options options = *o;
	struct error e;

	if (!o->program_given)
		options.data = argv[0];
	int status = o->program_given ? recording_make(&x, o, argv, predict_recording)
	                              : recording_resume(&x, &options, predict_recording);
	if (!x.failure && !o->program_given) /* the operand is no recording, or an unusable one */
		status = EXIT_USE;
	if (x.failure && !outcome.ok) {
		error_set(&e, "nothing can be predicted from %s: %s", x.options->data, outcome.why.text);
		status = complain(EXIT_OMEN, &e);
	}
	if (x.failure && !recording_keep(&x))
		status = EXIT_OMEN;
	if (x.failure && outcome.ok) {
		compare_with_report(&x);
		outcome.predicted.prediction.name = x.manifest.argv[0];
		int print_status = print_prediction(o, &outcome.predicted.prediction, &e)
		                           ? status_of(&outcome.predicted.prediction)
		                           : complain(EXIT_OMEN, &e);
		status = status ? status : print_status;
	}
	free(outcome.recorded_races);
	predicted_free(&outcome.predicted);
	recording_free(&x);
	return recording_interrupted ? EXIT_INTERRUPTED : status;
}

int cmd_predict(const struct options *o, int argc, char **argv)
{
	struct error e;
	struct stat is;

	if (o->program_given)
		return predict_execution(o, argv);
	if (argc > 1) {
		error_set(&e, "cannot predict from %s: one trace or recording at a time; a program stands behind --",
		          argv[1]);
		return complain(EXIT_USE, &e);
	}
	if (strcmp(argv[0], "-") && !stat(argv[0], &is) && S_ISDIR(is.st_mode))
		return predict_execution(o, argv);
	return predict_trace(o, argv[0]);
}
