/* omen record: one execution, with the user's own input and output, kept in the evidence directory. */
#include <stdlib.h>
#include <time.h>

#include "cmd/cmd.h"
#include "cmd/evidence.h"
#include "cmd/execute.h"
#include "cmd/session.h"
#include "trace/names.h"

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static bool keep(const struct options *o, const struct manifest *m, const struct input *input, const struct report *r,
                 const struct failure *f, struct error *e)
{
	struct manifest execution = session_execution(m, f->result);
	struct evidence v;
	size_t size = 0;
	char *text = r->count ? session_failure_text(r, 0, &size) : NULL;
	struct kept k = {
	        .manifest = &execution, .schedule = &f->schedule, .input = input, .report = text, .report_size = size};
	bool ok = evidence_begin(&v, o->data, e) && evidence_execution(&v, "", &k, e) && evidence_commit(&v, e);

	if (!ok)
		evidence_abort(&v);
	free(text);
	return ok;
}

/* What came of the execution on the board: evidence and report. */
static int tell(const struct options *o, const struct manifest *m, const struct input *input, const struct board *b,
                double seconds)
{
	struct failure *f = failure_take(b);
	/* an exit status may be the program's ordinary answer: it is passed on, for the caller to judge */
	bool own_status = f->result->ending == ENDING_STATUS;
	/* and where Omen failed, its runtime has said so already */
	bool failed = ending_is_failure(f->result->ending) && !own_status && f->result->ending != ENDING_OMEN;
	struct report r = {.program = m->argv[0],
	                   .strategy = m->strategy,
	                   .seed = m->seed,
	                   .executions = 1,
	                   .jobs = 1,
	                   .seconds = seconds,
	                   .failures = &f,
	                   .count = failed};
	int status = f->result->ending == ENDING_OMEN ? EXIT_OMEN
	             : failed                         ? EXIT_FOUND
	             : own_status                     ? f->result->status
	                                              : EXIT_NOTHING;
	struct error e;

	f->runs = 1;
	f->evidence = must_format("%s", o->data);
	if (!keep(o, m, input, &r, f, &e)) {
		free(f->evidence);
		f->evidence = NULL;
		fprintf(stderr, "omen: %s; the evidence is lost, free some space or give another place with --data\n",
		        e.text);
		status = EXIT_OMEN;
	}
	/* A success has nothing to tell a person; a program that asked for JSON gets it always. */
	if ((failed || o->json || o->output) && !session_report(o, &r, stderr, &e))
		status = complain(EXIT_OMEN, &e);
	failure_free(f);
	return status;
}

int cmd_record(const struct options *o, int argc, char **argv)
{
	struct manifest m;
	struct process p;
	struct input input;
	struct timespec start;
	struct error e;
	int status;

	(void)argc;
	if (!session_begin(&m, o, argv, &e))
		return complain(EXIT_USE, &e);
	m.input = stream_kind_of(0);
	input_look(&input);
	m.has_stdin = input.kind == STREAM_FILE;
	if (!process_prepare(&p, &e))
		return complain(EXIT_OMEN, &e);
	configure(p.board, &m, BOARD_RUN);
	clock_gettime(CLOCK_MONOTONIC, &start);
	struct launch l = {.path = m.path, .argv = m.argv, .env = m.env, .streams = {0, 1, 2}};
	if (execute(&p, &l, &e))
		status = tell(o, &m, &input, p.board, seconds_since(&start));
	else
		status = complain(EXIT_OMEN, &e);
	process_end(&p);
	manifest_free(&m);
	return status;
}
