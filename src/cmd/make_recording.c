#include "cmd/make_recording.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "classify/classify.h"
#include "cmd/cmd.h"
#include "run/execute.h"
#include "run/progress.h"
#include "cmd/explain_races.h"
#include "cmd/load_recording.h"
#include "cmd/session.h"
#include "format/enum_names.h"
#include "report/site_counts.h"

#define WRITING_BUDGETS 1.3 /* of the budget */

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* How long evidence is written. The worst races come first, and the report has all of them. */
static double writing_until(const struct recording *x)
{
	return x->judge ? x->recorded_at + WRITING_BUDGETS * (double)x->options->budget_seconds : 0;
}

/* Writes what an execution has besides its recording: how it ended, and the report. */
static bool keep_findings(struct recording *x, const struct report *r, struct error *e)
{
	const struct failure *f = x->failure;
	struct manifest execution = session_execution(&x->manifest, f->result);
	size_t size = 0;
	char *text = r->count && r->failures[0] == f ? session_failure_text(r, 0, &size) : NULL;
	struct kept k = {.manifest = &execution,
	                 .schedule = &f->schedule,
	                 .input = &x->input,
	                 .report = text,
	                 .report_size = size,
	                 .in_place = !x->options->no_log};
	bool ok = evidence_execution(&x->evidence, "", &k, e) &&
	          race_evidence_keep(&x->evidence, &x->manifest, &x->input, r, writing_until(x), e) &&
	          race_evidence_write_json(&x->evidence, r, e);

	free(text);
	return ok;
}

/* If there is no room for the rest, the recording stays, as if it had been cut. */
static bool keep_execution(struct recording *x, const struct report *r, struct error *e)
{
	static const char *const rest[] = {"races", "failures", "report.txt", "report.json"};
	bool ok = keep_findings(x, r, e);
	struct error ignored;

	for (size_t i = 0; i < sizeof rest / sizeof rest[0] && !ok; i++)
		evidence_drop(&x->evidence, rest[i]);
	if (evidence_commit(&x->evidence, ok ? e : &ignored))
		return ok;
	evidence_leave(&x->evidence);
	return false;
}

/*
 * The time limit of a replay: it takes longer than the execution, but must end even if it waits for input that does not
 * come again.
 */
static uint64_t patience_ms(double seconds) { return 10000 + (uint64_t)(seconds * 10000); }

volatile sig_atomic_t recording_interrupted;

/* Another SIGINT so soon is the same Ctrl-C, through the terminal, a shell or timeout(1). */
#define ONE_CTRL_C_MS   300
#define GIVE_UP_SECONDS 3 /* seconds, to keep what was found */

static volatile sig_atomic_t recording_on, end_recording;
/* Until then SIGINT is the Ctrl-C that has just ended the program. */
static volatile uint64_t same_ctrl_c_until_ms;

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* The stage stays as it is: it can be resumed. */
static void give_up(int number)
{
	(void)number;
	_exit(EXIT_INTERRUPTED);
}

/* The first Ctrl-C ends the recorded part, the next one everything. */
static void on_signal(int number)
{
	static uint64_t last;
	uint64_t now = now_ms(), since = now - last;

	(void)number;
	last = now;
	if (since < ONE_CTRL_C_MS || now < same_ctrl_c_until_ms)
		return;
	if (recording_on && !end_recording) {
		end_recording = 1;
		return;
	}
	if (recording_interrupted)
		_exit(EXIT_INTERRUPTED);
	recording_interrupted = 1;
	signal(SIGALRM, give_up);
	alarm(GIVE_UP_SECONDS);
}

static void report_file_failure(struct recording *x)
{
	if (x->files.failed && !x->file_failure_reported)
		fprintf(stderr, "omen: %s; the program goes on, the recording in %s ends here\n", x->files.error.text,
		        x->options->data);
	x->file_failure_reported = x->files.failed;
}

static void on_tick(void *arg)
{
	struct recording *x = arg;

	recording_files_take(&x->files, x->process);
	report_file_failure(x);
	if (!x->replayable && recording_files_can_replay(&x->files)) {
		x->replayable = true;
		evidence_clear(&x->evidence);
	}
}

/* Without a log a replay would make the syscalls again, so the races are reported as they were seen. */
static void leave_unexplained(struct races *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct execution *x = all->list[i]->execution;
		if (!x->trouble)
			x->trouble = must_format("no log was kept (--no-log)");
		x->replayed = true;
	}
}

/* Makes the stage a recording that is not finished. The manifest comes last, as it marks the recording as present. */
static bool begin_stage(struct recording *x, struct error *e)
{
	struct manifest unfinished = x->manifest;

	unfinished.kind = MANIFEST_EXECUTION;
	if (!evidence_begin(&x->evidence, x->options->data, e))
		return false;
	if (x->options->no_log)
		return true;
	char *input = must_format("%s/stdin", x->evidence.stage),
	     *manifest = must_format("%s/manifest.json", x->evidence.stage);
	bool ok = recording_files_begin(&x->files, x->evidence.stage, e) &&
	          (!unfinished.has_stdin || input_save(&x->input, input, e)) &&
	          manifest_write(manifest, &unfinished, e);
	x->input.log = x->files.log;
	free(manifest);
	free(input);
	return ok;
}

/* Warns of what the recording lacks: now, and not only when a replay fails. */
static void warn_of_gaps(const struct board *b)
{
	char name[32];
	bool warns = b->shares || b->log_full;

	for (size_t i = 0; i < sizeof b->unknown_calls / sizeof b->unknown_calls[0]; i++)
		warns |= b->unknown_calls[i] != 0;
	if (warns)
		line_begin(stderr);
	for (uint32_t nr = 0; nr < 64 * sizeof b->unknown_calls / sizeof b->unknown_calls[0]; nr++) {
		if (!(b->unknown_calls[nr / 64] >> nr % 64 & 1))
			continue;
		syscall_format(nr, name, sizeof name);
		fprintf(stderr, "omen: warning: what %s writes is not recorded; a replay may differ\n", name);
	}
	if (b->shares)
		fputs("omen: warning: what a child writes to shared memory is not recorded; a replay may differ\n",
		      stderr);
	if (b->log_full)
		fputs("omen: warning: the log is full; a replay ends where the log ends\n", stderr);
}

/* The time limit of the explaining replay. It may take the whole budget: without it no race can be judged. */
static uint64_t explaining_ms(const struct recording *x, double seconds)
{
	double budget_seconds = (double)x->options->budget_seconds;
	double limit = classifier_hard_limit(budget_seconds, x->races.count);
	double left = (limit < budget_seconds ? limit : budget_seconds) - (classifier_now() - x->recorded_at);
	uint64_t patience = patience_ms(seconds), budget = left < 1 ? 1000 : (uint64_t)(left * 1000);

	return x->judge && budget < patience ? budget : patience;
}

/* Takes the races of the execution on the board, and explains them. */
static void take_races(struct recording *x, const struct board *b, double seconds)
{
	struct explainer how = {.manifest = &x->manifest,
	                        .input = &x->input,
	                        .timeout_ms = explaining_ms(x, seconds),
	                        .stop = &recording_interrupted};

	races_take(&x->races, b, 0);
	notices_take(&x->notices, b, 0);
	races_count(&x->races, b);
	/* The program has ended: Ctrl-C is for the tool again. */
	signal(SIGINT, on_signal);
	progress_races(x->races.count, x->races.count);
	progress_doing("replaying the execution to explain its races");
	if (x->options->no_log)
		leave_unexplained(&x->races);
	if (x->races.count)
		explain_races(&how, &x->races);
	else if (b->npossible)
		explain_possible_races(&how, &x->races, b);
}

/* Takes the result of the execution on the board. */
static void take_execution(struct recording *x, const struct board *b, double seconds)
{
	const struct manifest *m = &x->manifest;

	x->failure = failure_take(b);
	uint32_t ending = x->failure->result->ending;
	/* If Omen failed, its runtime has said so already. */
	if (ending_is_failure(ending) && ending != ENDING_STATUS && ending != ENDING_OMEN)
		failures_add(&x->failures, x->failure);
	x->failure->runs = 1;
	x->failure->fixed = true;
	x->failure->evidence = must_format("%s", x->options->data);
	x->report = (struct report){.program = m->argv[0],
	                            .strategy = m->strategy,
	                            .memory = m->memory,
	                            .seed = m->seed,
	                            .executions = 1,
	                            .jobs = 1,
	                            .seconds = seconds,
	                            .detect = m->races,
	                            .found_by = "happens-before"};
	take_races(x, b, seconds);
	if (x->judge)
		x->judge(x);
	x->report.notices = &x->notices;
	x->report.failures = x->failures.list;
	x->report.count = x->failures.count;
	progress_doing("naming what was found");
	race_evidence_settle(&x->races, &x->suppressions, x->options->data, &x->report);
	race_evidence_name_failures(&x->report);
}

/* Kills the processes that a program has started, after --for or Ctrl-C has ended it: they are our children now. */
static void end_orphans(pid_t program)
{
	char *path = must_format("/proc/self/task/%d/children", getpid());

	for (int tries = 0; tries < 100; tries++) {
		FILE *list = fopen(path, "re");
		int pid, left = 0;
		while (list && fscanf(list, "%d", &pid) == 1)
			if (pid != program && !kill(pid, SIGKILL)) {
				waitpid(pid, NULL, 0);
				left++;
			}
		if (list)
			fclose(list);
		if (!left)
			break; /* each round may bring grandchildren */
	}
	free(path);
}

/* Runs the program. False: that failed, but the program may have begun. */
static bool run_program(struct recording *x, struct process *p, double *seconds, struct error *e)
{
	const struct options *o = x->options;
	const struct manifest *m = &x->manifest;
	struct timespec start;

	x->process = p;
	configure(p->board, m, BOARD_RUN);
	if (m->races && o->precise)
		p->board->config.detect = DETECT_PRECISE;
	p->board->config.world = o->no_log ? WORLD_REAL : WORLD_RECORD;
	p->board->config.merging = !o->no_log;
	p->board->config.record_files = o->record_files;
	p->board->config.count_sites = o->count;
	p->board->config.interruptible = x->judge != NULL;
	clock_gettime(CLOCK_MONOTONIC, &start);
	if (x->judge) {
		recording_on = 1;
		signal(SIGINT, on_signal);
		/* On a terminal the program may be writing. */
		progress_doing(isatty(2) ? NULL : "recording the program (Ctrl-C or --for ends that)");
	}
	struct launch l = {.path = m->path,
	                   .argv = m->argv,
	                   .env = m->env,
	                   .streams = {0, 1, 2},
	                   .enough = x->judge ? &end_recording : NULL,
	                   .for_ms = o->for_ms,
	                   .tick = o->no_log ? NULL : on_tick,
	                   .tick_argument = x};
	bool ran = execute(p, &l, e);
	if (p->board->end_asked)
		end_orphans(p->pid);
	x->recorded_at = classifier_now();
	if (p->board->result.ending == ENDING_ENDED && !end_recording)
		same_ctrl_c_until_ms = now_ms() + ONE_CTRL_C_MS;
	recording_on = 0;
	progress_doing(NULL);
	if (!o->no_log)
		recording_files_end(&x->files, p, ran);
	report_file_failure(x);
	warn_of_gaps(p->board);
	*seconds = seconds_since(&start);
	return ran;
}

int recording_make(struct recording *x, const struct options *o, char **argv, void (*judge)(struct recording *))
{
	struct process p;
	struct error e;
	double seconds;

	*x = (struct recording){.options = o, .judge = judge, .evidence = {.lock = -1}};
	if (!session_begin(&x->manifest, o, argv, &e) || !race_evidence_suppressions(&x->suppressions, o, &e))
		return complain(EXIT_USE, &e);
	struct manifest *m = &x->manifest;
	m->input = stream_kind_of(0);
	input_inspect(&x->input);
	m->has_stdin = x->input.kind == STREAM_FILE;
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is reported like a full disk */
	if (!begin_stage(x, &e) || !process_prepare(&p, &e))
		return complain(EXIT_OMEN, &e);
	bool ran = run_program(x, &p, &seconds, &e);
	if (!ran)
		complain(EXIT_OMEN, &e);
	/* A program that was killed from outside leaves a recording, too, which ends at that moment. */
	if (ran || p.board->begun)
		take_execution(x, p.board, seconds);
	if (ran && o->count)
		site_counts_print(stderr, p.board);
	process_end(&p);
	return ran && !x->files.failed ? EXIT_NOTHING : EXIT_OMEN;
}

/* ---- resuming a recording ---- */

/*
 * Links the files of the recording into a new stage: the directory they are in may be a stage itself, and may be
 * removed.
 */
static bool load_for_resume(struct recording *x, struct recorded *r, struct error *e)
{
	if (!recorded_read(r, x->options->data, e))
		return false;
	if (!r->has_log)
		return error_set(e, "cannot resume %s: it has no log of the results of syscalls; run it again",
		                 x->options->data);
	if (r->cut)
		return error_set(e, "cannot resume %s: the program had not ended; run it again", x->options->data);
	x->manifest = r->manifest;
	r->manifest = (struct manifest){0};
	x->manifest.kind = MANIFEST_EXECUTION;
	x->resumed_from = must_format("%s", r->directory);
	if (!evidence_begin(&x->evidence, x->options->data, e) || !evidence_take(&x->evidence, x->resumed_from, e))
		return false;
	char *manifest = must_format("%s/manifest.json", x->evidence.stage);
	bool ok = manifest_write(manifest, &x->manifest, e);
	free(manifest);
	x->log = must_format("%s/log", x->evidence.stage);
	x->input = (struct input){.kind = STREAM_NULL, .fd = -1, .log = x->log};
	return ok;
}

/* Replays the recording to find its races. */
static bool run_again(struct recording *x, const struct recorded *r, struct process *p, double *seconds,
                      struct error *e)
{
	struct recorded again = *r;
	struct timespec start;
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	again.manifest = x->manifest;
	clock_gettime(CLOCK_MONOTONIC, &start);
	struct launch l = recorded_launch(&again, nowhere, nowhere, nowhere);
	bool ok = process_prepare(p, e) && recorded_prepare(&again, p, e);
	if (ok) {
		x->process = p;
		p->board->config.detect = x->manifest.races ? DETECT_RACES : DETECT_OFF;
		p->board->config.merging = true;
		p->board->config.timeout_ms = x->options->budget_seconds * 1000;
		l.own_group = true;
		l.stop = &recording_interrupted;
		ok = execute(p, &l, e);
	}
	if (ok && p->board->result.ending == ENDING_TIMEOUT && x->manifest.ending != ENDING_TIMEOUT)
		ok = error_set(e, "cannot resume %s: its replay takes longer than the budget (--budget)",
		               x->options->data);
	if (ok && p->board->result.ending == ENDING_DIVERGED)
		ok = error_set(e, "cannot resume %s: %s", x->options->data, p->board->result.message);
	close(nowhere);
	*seconds = seconds_since(&start);
	return ok;
}

int recording_resume(struct recording *x, const struct options *o, void (*judge)(struct recording *))
{
	struct process p = process_nothing;
	struct recorded r;
	struct error e;
	double seconds;

	*x = (struct recording){
	        .options = o, .judge = judge, .evidence = {.lock = -1}, .recorded_at = classifier_now()};
	signal(SIGXFSZ, SIG_IGN);
	if (!race_evidence_suppressions(&x->suppressions, o, &e))
		return complain(EXIT_USE, &e);
	signal(SIGINT, on_signal);
	bool ok = load_for_resume(x, &r, &e) && run_again(x, &r, &p, &seconds, &e);
	if (ok)
		take_execution(x, p.board, seconds);
	process_end(&p);
	recorded_free(&r);
	return ok ? EXIT_NOTHING : complain(EXIT_OMEN, &e);
}

int recording_status(const struct recording *x)
{
	const struct board_result *r = x->failure->result;

	if (r->ending == ENDING_OMEN)
		return EXIT_OMEN;
	if (x->report.count || x->report.race_count || x->notices.count)
		return EXIT_FOUND;
	/* An exit status may be an ordinary answer of the program: pass it on. */
	return r->ending == ENDING_STATUS ? r->status : EXIT_NOTHING;
}

bool recording_keep(struct recording *x)
{
	struct error e;

	if (keep_execution(x, &x->report, &e))
		return true;
	race_evidence_forget(&x->report);
	fprintf(stderr,
	        "omen: %s; only the recording is kept, free some space or give another place with "
	        "--data\n",
	        e.text);
	return false;
}

void recording_free(struct recording *x)
{
	evidence_abort(&x->evidence);
	recording_files_free(&x->files);
	free(x->resumed_from);
	free(x->log);
	if (x->failure && !failures_has(&x->failures, x->failure))
		failure_free(x->failure);
	failures_free(&x->failures);
	races_free(&x->races);
	notices_free(&x->notices);
	suppressions_free(&x->suppressions);
	manifest_free(&x->manifest);
}
