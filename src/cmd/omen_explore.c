/*
 * omen explore: many executions, each with a schedule of its own.
 *
 * The runs are dealt out to `jobs` workers: processes of the program that stop before main and run snapshots of
 * themselves (board.h, BOARD_SERVE). A worker with a failure or a new race waits until that is copied. Which executions
 * are kept, and the order of failures and races, depend on seeds only, never on which worker was faster.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/evidence_dir.h"
#include "run/execute.h"
#include "cmd/explain_races.h"
#include "cmd/race_evidence.h"
#include "cmd/session.h"
#include "format/enum_names.h"
#include "format/schedule.h"

#define TICK_MS       100
#define OUTPUT_LIMIT  (8u << 20)
#define GRACE_SECONDS 10.0

struct worker {
	struct process process;
	int output[2];
	uint64_t runs;      /* to do */
	uint64_t runs_seen; /* runs_done at the last look, and when it last changed */
	double progress_at;
	uint32_t races_seen, notices_seen; /* how many of those on the board were taken */
	bool running;
};

struct exploration {
	const struct options *options;
	struct manifest manifest;
	struct input input;
	struct worker *workers;
	size_t jobs;
	struct failures failures;
	struct suppressions suppressions;
	struct races races;
	struct notices notices;
	struct outputs outputs;
	uint64_t executions, forks; /* of workers that are gone */
	char fork_reason[80];
	double start;
	bool stop;        /* --first-failure: there is one */
	bool omen_failed; /* a worker died, and some of its runs are missing */
};

static volatile sig_atomic_t interrupted, stop_explaining; /* stop_explaining: after the races began to be explained */

static void on_signal(int number)
{
	(void)number;
	interrupted = stop_explaining = 1;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool start_worker(struct exploration *x, size_t index, struct error *e)
{
	struct worker *w = &x->workers[index];
	int input = input_open(&x->input, e);

	w->output[0] = capture_open(e);
	w->output[1] = capture_open(e);
	if (input < 0 || w->output[0] < 0 || w->output[1] < 0 || !process_prepare(&w->process, e))
		return false;
	struct board_config *c = &w->process.board->config;
	configure(w->process.board, &x->manifest, BOARD_SERVE);
	w->process.board->config.merging = x->options->merging;
	c->count_stdouts = x->options->outputs;
	c->only_forks = x->options->no_rewind;
	c->first = index;
	c->step = x->jobs;
	c->runs = w->runs = (x->options->runs - index + x->jobs - 1) / x->jobs;
	struct launch l = {.path = x->manifest.path,
	                   .argv = x->manifest.argv,
	                   .env = x->manifest.env,
	                   .streams = {input, w->output[0], w->output[1]},
	                   .own_group = true};
	bool ok = process_start(&w->process, &l, e);
	close(input);
	w->running = ok;
	w->progress_at = now();
	return ok;
}

static void copy_output(struct failure *f, const struct worker *w)
{
	for (int i = 0; i < 2; i++) {
		bytes_free(&f->output[i]);
		f->output[i] = capture_read(w->output[i], OUTPUT_LIMIT);
	}
}

/* Takes the execution on the worker's board, which has failed. */
static void take_failure(struct exploration *x, const struct worker *w, bool before_main)
{
	const struct board *b = w->process.board;
	bool kept;
	struct failure *f = failures_note(&x->failures, b, &kept);

	if (kept) {
		f->before_main = before_main;
		copy_output(f, w);
	}
	x->omen_failed |= b->result.ending == ENDING_OMEN;
	x->stop |= x->options->first_failure;
}

static void end_worker(struct exploration *x, struct worker *w)
{
	if (w->running) {
		x->executions += w->process.board->runs_done;
		x->forks += w->process.board->nforks;
		if (!*x->fork_reason)
			memcpy(x->fork_reason, w->process.board->fork_reason, sizeof(x->fork_reason) - 1);
		races_count(&x->races, w->process.board);
		outputs_count(&x->outputs, w->process.board);
	}
	w->running = false;
	process_end(&w->process);
	close(w->output[0]);
	close(w->output[1]);
}

/*
 * The last line that the program wrote before it died. Often it has the reason ("error while loading shared libraries:
 * …").
 */
static void last_line(const struct worker *w, char *out, size_t size)
{
	struct bytes b = capture_read(w->output[1], 4096);
	const char *text = (const char *)b.data;
	size_t end = b.size;

	while (end && text[end - 1] == '\n')
		end--;
	size_t start = end;
	while (start && text[start - 1] != '\n')
		start--;
	snprintf(out, size, "%s%.*s", end ? ": " : "", (int)(end - start), end ? text + start : "");
	bytes_free(&b);
}

/* A worker died, or is useless, without having said that it is done. */
static void lose_worker(struct exploration *x, struct worker *w, const char *why)
{
	const struct board *b = w->process.board;
	const char *program = x->manifest.argv[0];
	char words[512];
	struct error e;

	if (!b->runs_done && ending_is_failure(b->result.ending) && b->result.ending != ENDING_OMEN) {
		/* Every worker runs the same constructor: one failure is enough. */
		take_failure(x, w, true);
		x->stop = true;
		end_worker(x, w);
		return;
	}
	last_line(w, words, sizeof words);
	if (b->result.ending == ENDING_OMEN)
		snprintf(words, sizeof words, ": %.400s", b->result.message);
	if (!b->runs_done)
		error_set(&e, "cannot explore %s: it failed before main (%s)%s", program, why, words);
	else
		error_set(&e, "cannot finish exploring %s: worker %zu was lost after %lu of %lu executions (%s)%s",
		          program, (size_t)(w - x->workers) + 1, b->runs_done, w->runs, why, words);
	/* All workers fail in the same way before main: say it once. */
	if (!x->omen_failed || b->runs_done)
		complain(EXIT_OMEN, &e);
	x->omen_failed = true;
	x->stop |= !b->runs_done;
	end_worker(x, w);
}

static void lose_dead_worker(struct exploration *x, struct worker *w)
{
	siginfo_t info = {0};
	char why[96];

	waitid(P_PID, (id_t)w->process.pid, &info, WEXITED | WNOWAIT);
	wait_status_format(info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status, why, sizeof why);
	lose_worker(x, w, why);
}

/*
 * Takes what a worker says: 'F' a failure is on the board, 'R' only new races or a new output are, 'E' all runs are
 * done.
 */
static void answer_worker(struct exploration *x, struct worker *w)
{
	char said;
	ssize_t n = read(w->process.control, &said, 1);

	if (n < 0 && errno == EINTR)
		return;
	if (n == 1 && (said == 'F' || said == 'R')) {
		if (said == 'F')
			take_failure(x, w, false);
		w->races_seen = races_take(&x->races, w->process.board, w->races_seen);
		w->notices_seen = notices_take(&x->notices, w->process.board, w->notices_seen);
		if (w->process.board->new_stdout)
			outputs_take(&x->outputs, w->process.board, capture_read(w->output[0], OUTPUT_LIMIT));
		if (!x->stop && write(w->process.control, "", 1) != 1)
			lose_dead_worker(x, w);
	} else if (n == 1 && said == 'E') {
		end_worker(x, w);
	} else if (n == 1) {
		lose_worker(x, w, "it said something unknown");
	} else {
		lose_dead_worker(x, w);
	}
}

/* The server ends executions that take too long. This is for a server that hangs, or never reaches main. */
static void check_alive(struct exploration *x, struct worker *w)
{
	double patience = 2 * (double)x->manifest.timeout_ms / 1000 + GRACE_SECONDS;
	uint64_t done = w->process.board->runs_done;

	if (done != w->runs_seen) {
		w->runs_seen = done;
		w->progress_at = now();
	}
	if (x->manifest.timeout_ms && now() - w->progress_at > patience)
		lose_worker(x, w, "no progress; a longer --timeout gives it more time");
}

static uint64_t executions(const struct exploration *x)
{
	uint64_t sum = x->executions;

	for (size_t i = 0; i < x->jobs; i++)
		if (x->workers[i].running)
			sum += x->workers[i].process.board->runs_done;
	return sum;
}

static void show_progress(const struct exploration *x)
{
	uint64_t done = executions(x);

	fprintf(stderr, "\r\033[K%lu/%lu executions · ", done, x->options->runs);
	if (x->manifest.races)
		fprintf(stderr, "%zu race%s · ", x->races.count, x->races.count == 1 ? "" : "s");
	fprintf(stderr, "%zu distinct failure%s · %.0f/s", x->failures.count, x->failures.count == 1 ? "" : "s",
	        (double)done / (now() - x->start + 1e-9));
}

static size_t running(const struct exploration *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->jobs; i++)
		n += x->workers[i].running;
	return n;
}

static void run_workers(struct exploration *x)
{
	bool progress = isatty(2);
	struct pollfd *fds = must_alloc(2 * x->jobs * sizeof *fds);

	while (running(x) && !interrupted && !x->stop) {
		for (size_t i = 0; i < x->jobs; i++) {
			const struct worker *w = &x->workers[i];
			fds[2 * i] = (struct pollfd){.fd = w->running ? w->process.control : -1, .events = POLLIN};
			fds[2 * i + 1] = (struct pollfd){.fd = w->running ? w->process.pidfd : -1, .events = POLLIN};
		}
		poll(fds, 2 * x->jobs, TICK_MS);
		for (size_t i = 0; i < x->jobs && !x->stop; i++) {
			struct worker *w = &x->workers[i];
			if (!w->running)
				continue;
			/* First what it said: it may have died right after that. */
			if (fds[2 * i].revents)
				answer_worker(x, w);
			else if (fds[2 * i + 1].revents)
				lose_dead_worker(x, w);
			else
				check_alive(x, w);
		}
		if (progress)
			show_progress(x);
	}
	if (progress)
		fputs("\r\033[K", stderr);
	free(fds);
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

static int by_first_seed(const void *a, const void *b)
{
	const struct failure *f = *(struct failure *const *)a, *g = *(struct failure *const *)b;

	if (f->first_seed != g->first_seed)
		return f->first_seed < g->first_seed ? -1 : 1;
	return f->result->signature < g->result->signature ? -1 : f->result->signature > g->result->signature;
}

static bool write_summary(const struct exploration *x, const struct evidence *v, const struct report *r,
                          struct error *e)
{
	char *manifest = must_format("%s/manifest.json", v->stage);
	bool ok = manifest_write(manifest, &x->manifest, e) && race_evidence_write_json(v, r, e);

	free(manifest);
	return ok;
}

static bool write_evidence(const struct exploration *x, const struct report *r, struct error *e)
{
	struct evidence v;
	bool ok = evidence_begin(&v, x->options->data, e) && write_summary(x, &v, r, e);

	ok = ok && race_evidence_keep(&v, &x->manifest, &x->input, r, 0, e);
	ok = ok && evidence_commit(&v, e);
	if (!ok)
		evidence_abort(&v);
	return ok;
}

static int status_of(const struct exploration *x, const struct report *r)
{
	return interrupted                                      ? EXIT_INTERRUPTED
	       : x->omen_failed                                 ? EXIT_OMEN
	       : r->count || r->race_count || r->notices->count ? EXIT_FOUND
	                                                        : EXIT_NOTHING;
}

static void explain_kept_races(struct exploration *x)
{
	/* An explaining replay checks every access: it may take several times as long. */
	struct explainer how = {.manifest = &x->manifest,
	                        .input = &x->input,
	                        .timeout_ms = 5 * x->manifest.timeout_ms,
	                        .stop = &stop_explaining,
	                        .progress = isatty(2)};

	stop_explaining = 0;
	explain_races(&how, &x->races);
}

static int finish(struct exploration *x, double seconds)
{
	struct error e;
	struct report r = {.program = x->manifest.argv[0],
	                   .strategy = x->manifest.strategy,
	                   .memory = x->manifest.memory,
	                   .outputs = x->options->outputs ? &x->outputs : NULL,
	                   .all_outputs = x->options->all_outputs,
	                   .seed = x->options->seed,
	                   .executions = x->executions,
	                   .forks = x->forks,
	                   .fork_reason = x->fork_reason,
	                   .jobs = x->jobs,
	                   .seconds = seconds,
	                   .interrupted = interrupted,
	                   .detect = x->manifest.races,
	                   .found_by = "explored",
	                   .failures = x->failures.list,
	                   .count = x->failures.count};
	/* The reason was printed when the workers died. Older evidence stays. */
	if (!x->executions && !r.count)
		return status_of(x, &r);
	explain_kept_races(x);
	outputs_sort(&x->outputs);
	race_evidence_settle(&x->races, &x->suppressions, x->options->data, &r);
	r.notices = &x->notices;
	int status = status_of(x, &r);
	if (r.count)
		qsort(r.failures, r.count, sizeof *r.failures, by_first_seed);
	race_evidence_name_failures(&r);
	bool kept = write_evidence(x, &r, &e);
	if (!kept) {
		fprintf(stderr, "omen: %s; the evidence is lost, free some space or give another place with --data\n",
		        e.text);
		status = EXIT_OMEN;
		race_evidence_forget(&r);
	}
	if (!session_report(x->options, &r, stdout, &e))
		status = complain(EXIT_OMEN, &e);
	return status;
}

int cmd_explore(const struct options *o, int argc, char **argv)
{
	struct exploration x = {.options = o, .jobs = o->jobs < o->runs ? o->jobs : o->runs, .start = now()};
	struct error e;
	bool started = true;

	(void)argc;
	if (!session_begin(&x.manifest, o, argv, &e) || !race_evidence_suppressions(&x.suppressions, o, &e))
		return complain(EXIT_USE, &e);
	if (!input_take(&x.input, &e))
		return complain(EXIT_OMEN, &e);
	x.manifest.kind = MANIFEST_EXPLORATION;
	x.manifest.has_stdin = x.input.kind == STREAM_FILE;
	x.manifest.input = x.input.kind;
	x.workers = must_alloc(x.jobs * sizeof *x.workers);
	catch_signals();
	for (size_t i = 0; i < x.jobs && started; i++)
		started = start_worker(&x, i, &e);
	if (!started)
		x.stop = x.omen_failed = true;
	run_workers(&x);
	for (size_t i = 0; i < x.jobs; i++)
		if (x.workers[i].running)
			end_worker(&x, &x.workers[i]);
	int status = started ? finish(&x, now() - x.start) : complain(EXIT_OMEN, &e);
	failures_free(&x.failures);
	races_free(&x.races);
	notices_free(&x.notices);
	outputs_free(&x.outputs);
	suppressions_free(&x.suppressions);
	free(x.workers);
	manifest_free(&x.manifest);
	return status;
}
