/* omen triage: runs the program, finds its races, and classifies each of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classify/classify.h"
#include "classify/journal.h"
#include "cmd/cmd.h"
#include "cmd/compare_optimised.h"
#include "cmd/make_recording.h"
#include "cmd/session.h"
#include "report/verdict.h"
#include "run/progress.h"

static int worst_first(const void *a, const void *b)
{
	const struct race *x = *(struct race *const *)a, *y = *(struct race *const *)b;

	if (x->verdict->kind != y->verdict->kind)
		return x->verdict->kind < y->verdict->kind ? 1 : -1;
	return strcmp(x->id, y->id);
}

/* The order of failures: those of the recorded execution, those that no race has caused, those shown with races. */
static int blame_rank(const struct failure *f) { return f->fixed ? 0 : f->constant ? 1 : f->nraces ? 3 : 2; }

static int by_blame(const void *a, const void *b)
{
	const struct failure *f = *(struct failure *const *)a, *g = *(struct failure *const *)b;
	int rank[2] = {blame_rank(f), blame_rank(g)};

	if (rank[0] != rank[1])
		return rank[0] - rank[1];
	if (f->result->ending != g->result->ending)
		return f->result->ending < g->result->ending ? -1 : 1;
	return f->result->signature < g->result->signature ? -1 : f->result->signature > g->result->signature;
}

/* Classifies the races of the recording. */
static void classify_recording(struct recording *x)
{
	const struct options *o = x->options;
	struct classify_config config = {.k = o->k,
	                                 .instances = o->instances,
	                                 .primaries = o->primaries,
	                                 .jobs = o->jobs,
	                                 .timeout_ms = o->timeout_ms,
	                                 .budget_seconds = o->budget_seconds,
	                                 .since = x->recorded_at,
	                                 .interleavings = o->interleavings,
	                                 .unreduced = o->unreduced,
	                                 .no_rewind = o->no_rewind,
	                                 .predict = !o->no_predict,
	                                 .method = o->replay_method,
	                                 .blind = o->blind};
	struct journal journal = {0};
	char *path = must_format("%s/journal", x->evidence.stage);
	char *earlier = x->resumed_from ? must_format("%s/journal", x->resumed_from) : NULL;
	struct error e;
	if (!journal_open(&journal, path, earlier, &config, &e))
		fprintf(stderr, "omen: %s; this triage cannot be resumed\n", e.text);
	struct classifier c = {.config = &config,
	                       .journal = &journal,
	                       .manifest = &x->manifest,
	                       .input = &x->input,
	                       .failures = &x->failures,
	                       .failures_lock = PTHREAD_MUTEX_INITIALIZER,
	                       .stop = &recording_interrupted};

	classify(&c, &x->races, x->failure);
	x->report.executions += journal.executions;
	if (!journal_close(&journal, &e))
		fprintf(stderr, "omen: %s; this triage cannot be resumed\n", e.text);
	free(path);
	free(earlier);
	x->report.seconds += c.seconds;
	x->report.classified = true;
	x->report.interleavings = c.interleavings;
	if (x->failures.count)
		qsort(x->failures.list, x->failures.count, sizeof *x->failures.list, by_blame);
	notices_judge(&x->notices, &x->failures, x->report.executions, &x->report.interleavings);
}

static int finish(struct recording *x)
{
	struct report *r = &x->report;
	struct error e;
	int status = recording_status(x);

	if (r->race_count)
		qsort(r->races, r->race_count, sizeof *r->races, worst_first);
	races_cluster(r->races, r->race_count);
	progress_doing("writing the evidence");
	if (!recording_keep(x))
		status = EXIT_OMEN;
	progress_end();
	/* stdout has the program's own output. */
	if (!session_report(x->options, r, stderr, &e))
		status = complain(EXIT_OMEN, &e);
	return recording_interrupted ? EXIT_INTERRUPTED : status;
}

int cmd_triage(const struct options *o, int argc, char **argv)
{
	struct recording x;
	struct optimised_program other = {0};
	struct error e;

	if (o->as_optimised && !argc) {
		error_set(&e, "--as-optimised runs two programs to compare them: do not give --resume");
		return complain(EXIT_USE, &e);
	}
	if (o->as_optimised && access(o->as_optimised, X_OK)) {
		error_set(&e, "cannot run %s: %s", o->as_optimised, strerror(errno));
		return complain(EXIT_USE, &e);
	}
	optimised_note_input();
	progress_begin(o->progress_seconds);
	int status = o->resume ? recording_resume(&x, o, classify_recording)
	                       : recording_make(&x, o, argv, classify_recording);

	if (x.failure) {
		if (o->as_optimised && !recording_interrupted && !optimised_compare(&x, argv, &other, &e))
			status = complain(EXIT_OMEN, &e);
		int finish_status = finish(&x);
		status = status ? status : finish_status;
	}
	progress_end();
	recording_free(&x);
	free(other.data);
	return status;
}
