/* omen record: one execution, with the user's own input and output, kept in the evidence directory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/evidence.h"
#include "cmd/execute.h"
#include "cmd/explain.h"
#include "cmd/found.h"
#include "cmd/session.h"
#include "cmd/world.h"
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
	bool ok = evidence_begin(&v, o->data, e) && evidence_execution(&v, "", &k, e) &&
	          found_keep(&v, m, input, r, e) && found_summary(&v, r, e) && evidence_commit(&v, e);

	if (!ok)
		evidence_abort(&v);
	free(text);
	return ok;
}

/* A replay takes longer, and one that waits for an input that does not come again must end too. */
static uint64_t patience_ms(double seconds) { return 10000 + (uint64_t)(seconds * 10000); }

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

struct recording {
	const struct options *options;
	struct manifest manifest;
	struct input input;
	struct suppressions suppressions;
	struct races races;
	struct world_file log;
	bool made_directory;
	struct process *process;
};

static void on_tick(void *arg)
{
	struct recording *x = arg;
	world_file_take(&x->log, x->process);
}

/* In the directory that the evidence will be in, under a name that is not evidence. */
static bool begin_log(struct recording *x, struct error *e)
{
	const char *directory = x->options->data;

	x->made_directory = !mkdir(directory, 0777);
	if (!x->made_directory && errno != EEXIST)
		return error_set(e, "cannot make the directory %s: %s", directory, strerror(errno));
	char *path = must_format("%s/.new-%d.log", directory, getpid());
	bool ok = world_file_begin(&x->log, path, e);
	free(path);
	return ok;
}

static void end_log(struct recording *x)
{
	world_file_remove(&x->log);
	if (x->made_directory)
		rmdir(x->options->data); /* if nothing came of it */
}

static int status_of(const struct failure *f, bool found)
{
	if (f->result->ending == ENDING_OMEN)
		return EXIT_OMEN;
	if (found)
		return EXIT_FOUND;
	/* an exit status may be the program's ordinary answer: it is passed on, for the caller to judge */
	return f->result->ending == ENDING_STATUS ? f->result->status : EXIT_NOTHING;
}

/* What came of the execution on the board: evidence and report. */
static int tell(struct recording *x, const struct board *b, double seconds)
{
	const struct options *o = x->options;
	const struct manifest *m = &x->manifest;
	struct failure *f = failure_take(b);
	uint32_t ending = f->result->ending;
	struct report r = {.program = m->argv[0],
	                   .strategy = m->strategy,
	                   .memory = m->memory,
	                   .seed = m->seed,
	                   .executions = 1,
	                   .jobs = 1,
	                   .seconds = seconds,
	                   .detect = m->races,
	                   .found_by = "happens-before",
	                   .failures = &f,
	                   /* where Omen failed, its runtime has said so already */
	                   .count = ending_is_failure(ending) && ending != ENDING_STATUS && ending != ENDING_OMEN};
	struct explainer how = {
	        .manifest = m, .input = &x->input, .timeout_ms = patience_ms(seconds), .stop = &interrupted};
	struct error e;

	races_take(&x->races, b, 0);
	races_count(&x->races, b);
	/* The program is gone: Ctrl-C is for the tool again. */
	signal(SIGINT, on_signal);
	explain(&how, &x->races);
	found_settle(&x->races, &x->suppressions, o->data, &r);
	int status = status_of(f, r.count || r.race_count);
	f->runs = 1;
	f->evidence = must_format("%s", o->data);
	if (!keep(o, m, &x->input, &r, f, &e)) {
		free(f->evidence);
		f->evidence = NULL;
		found_forget_evidence(&r);
		fprintf(stderr, "omen: %s; the evidence is lost, free some space or give another place with --data\n",
		        e.text);
		status = EXIT_OMEN;
	}
	/* A success has nothing to tell a person; a program that asked for JSON gets it always. */
	bool told = r.count || r.race_count || r.suppressed || o->json || o->output;
	if (told && !session_report(o, &r, stderr, &e))
		status = complain(EXIT_OMEN, &e);
	failure_free(f);
	return status;
}

/* What the recording lacks: told now, not when a replay fails. */
static void warn_of_gaps(const struct board *b)
{
	for (uint32_t nr = 0; nr < 64 * sizeof b->unknown_calls / sizeof b->unknown_calls[0]; nr++)
		if (b->unknown_calls[nr / 64] >> nr % 64 & 1)
			fprintf(stderr, "omen: warning: what syscall %u writes is not recorded; a replay may differ\n",
			        nr);
	if (b->log_full)
		fputs("omen: warning: the log was full; a replay ends where it does\n", stderr);
}

int cmd_record(const struct options *o, int argc, char **argv)
{
	struct recording x = {.options = o};
	struct process p;
	struct timespec start;
	struct error e, lost;
	int status;

	(void)argc;
	if (!session_begin(&x.manifest, o, argv, &e) || !found_suppressions(&x.suppressions, o, &e))
		return complain(EXIT_USE, &e);
	struct manifest *m = &x.manifest;
	m->input = stream_kind_of(0);
	input_look(&x.input);
	m->has_stdin = x.input.kind == STREAM_FILE;
	if (!begin_log(&x, &e) || !process_prepare(&p, &e)) {
		end_log(&x);
		return complain(EXIT_OMEN, &e);
	}
	x.process = &p;
	configure(p.board, m, BOARD_RUN);
	if (m->races && o->precise)
		p.board->config.detect = DETECT_PRECISE;
	p.board->config.world = WORLD_RECORD;
	clock_gettime(CLOCK_MONOTONIC, &start);
	struct launch l = {.path = m->path,
	                   .argv = m->argv,
	                   .env = m->env,
	                   .streams = {0, 1, 2},
	                   .tick = on_tick,
	                   .tick_argument = &x};
	bool ran = execute(&p, &l, &e);
	if (!world_file_end(&x.log, &p, &lost))
		fprintf(stderr, "omen: warning: %s; the execution cannot be replayed\n", lost.text);
	else
		x.input.log = x.log.path;
	warn_of_gaps(p.board);
	if (ran)
		status = tell(&x, p.board, seconds_since(&start));
	else
		status = complain(EXIT_OMEN, &e);
	process_end(&p);
	end_log(&x);
	races_free(&x.races);
	suppressions_free(&x.suppressions);
	manifest_free(m);
	return status;
}
