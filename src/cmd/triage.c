/* omen triage: run the program, find its races, and tell what each of them does. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/classify.h"
#include "cmd/cmd.h"
#include "cmd/recording.h"
#include "cmd/session.h"
#include "report/verdict.h"

static int worst_first(const void *a, const void *b)
{
	const struct race *x = *(struct race *const *)a, *y = *(struct race *const *)b;

	if (x->verdict->kind != y->verdict->kind)
		return x->verdict->kind < y->verdict->kind ? 1 : -1;
	return strcmp(x->id, y->id);
}

/* The execution that shows what a race does, beside the one that shows the race. */
static bool keep_alternate(struct recording *x, struct race *r, struct error *e)
{
	struct verdict *v = r->verdict;
	char *under = must_format("races/%s/alternate", r->id);

	if (!v->alternate || v->alternate->lost_entries) {
		free(under);
		return true;
	}
	struct manifest m = session_execution(&x->manifest, v->alternate->result);
	m.event_hash = 0;
	m.departs = true;
	m.watch = v->watch;
	m.touch = v->touch;
	struct kept k = {.manifest = &m,
	                 .schedule = &v->alternate->schedule,
	                 .input = &x->input,
	                 .log_of = ""};
	bool ok = evidence_execution(&x->evidence, under, &k, e);
	if (ok)
		v->evidence = must_format("%s/%s", x->options->data, under);
	free(under);
	return ok;
}

static int tell(struct recording *x)
{
	struct report *r = &x->report;
	struct classifier c = {.options = x->options,
	                       .manifest = &x->manifest,
	                       .input = &x->input,
	                       .stop = &recording_interrupted,
	                       .progress = isatty(2)};
	struct error e;
	int status = recording_status(x);

	classify(&c, r->races, r->race_count);
	r->executions += c.executions;
	r->classified = true;
	if (r->race_count)
		qsort(r->races, r->race_count, sizeof *r->races, worst_first);
	for (size_t i = 0; i < r->race_count; i++)
		if (!keep_alternate(x, r->races[i], &e))
			status = complain(EXIT_OMEN, &e);
	if (!recording_keep(x))
		status = EXIT_OMEN;
	if (!session_report(x->options, r, stdout, &e))
		status = complain(EXIT_OMEN, &e);
	return recording_interrupted ? EXIT_INTERRUPTED : status;
}

int cmd_triage(const struct options *o, int argc, char **argv)
{
	struct recording x;
	int status = recording_make(&x, o, argv);

	(void)argc;
	if (x.failure) {
		int told = tell(&x);
		status = status ? status : told;
	}
	recording_free(&x);
	return status;
}
