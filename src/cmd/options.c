#include "cmd/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/invariant.h"
#include "predict/tiers.h"
#include "format/file.h"
#include "format/enum_names.h"

#define JOBS_MAX    128
#define HELP_INDENT 26
#define HELP_WIDTH  80
#define TIMEOUT_MAX 1e9

static bool read_u64(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !*end && !errno;
}

static bool read_strategy(struct options *o, const char *v)
{
	o->strategy_given = true;
	if (!strategy_parse(v, &o->strategy))
		return false;
	switch (o->strategy.id) { /* the other strategies need more from the tool than a name */
	case STRATEGY_FAIR:
	case STRATEGY_RANDOM:
	case STRATEGY_PCT:
	case STRATEGY_QUEUE:
	case STRATEGY_MIXED:
		return true;
	default:
		return false;
	}
}

static bool read_ms(const char *v, uint64_t *ms)
{
	char *end;
	double seconds = strtod(v, &end);

	if (end == v || *end || !(seconds >= 0 && seconds <= TIMEOUT_MAX))
		return false;
	*ms = (uint64_t)(seconds * 1000);
	return true;
}

static bool read_timeout(struct options *o, const char *v) { return read_ms(v, &o->timeout_ms); }
static bool read_for(struct options *o, const char *v) { return read_ms(v, &o->for_ms) && o->for_ms; }

static bool read_points(struct options *o, const char *v)
{
	o->access_points = !strcmp(v, "access");
	return o->access_points || !strcmp(v, "sync");
}

static bool read_format(struct options *o, const char *v)
{
	o->json = !strcmp(v, "json");
	return o->json || !strcmp(v, "text");
}

/* The index of a name in a list. */
static bool read_name(const char *const *names, uint32_t count, const char *v, uint32_t *value)
{
	for (*value = 0; *value < count; ++*value)
		if (!strcmp(names[*value], v))
			return true;
	return false;
}

static bool read_memory_model(struct options *o, const char *v)
{
	return read_name(memory_models, MEMORY_MODELS, v, &o->memory.model);
}

static bool read_reads(struct options *o, const char *v)
{
	return read_name(reads_names, READS_COUNT, v, &o->memory.reads);
}

static bool read_std(struct options *o, const char *v)
{
	static const char *const standards[] = {"c11", "c++20"};
	return read_name(standards, 2, v, &o->memory.cxx20);
}

static bool read_tier(struct options *o, const char *v) { return read_name(tier_names, TIER_COUNT, v, &o->tier); }

static bool read_window(struct options *o, const char *v)
{
	return read_u64(v, &o->window) && o->window > 1 && o->window <= EVENTS_MOST;
}

static bool read_order(struct options *o, const char *v)
{
	static const char *const orders[] = {"any", "execution"};
	return read_name(orders, 2, v, &o->memory.ordered);
}

static bool read_volatile(struct options *o, const char *v)
{
	static const char *const volatiles[] = {"plain", "acqrel"};
	return read_name(volatiles, 2, v, &o->memory.volatiles);
}

static bool read_history(struct options *o, const char *v)
{
	uint64_t n;

	if (!read_u64(v, &n) || n < 2 || n > HISTORY_MOST)
		return false;
	o->memory.history = (uint32_t)n;
	return true;
}

static bool set_outputs(struct options *o, const char *v)
{
	o->outputs = true;
	o->all_outputs = v != NULL;
	return !v || !strcmp(v, "all");
}
static bool read_to(struct options *o, const char *v) { return read_u64(v, &o->stop_at) && o->stop_at; }
static bool read_from(struct options *o, const char *v) { return read_u64(v, &o->snapshot_at) && o->snapshot_at; }
static bool read_seconds(struct options *o, const char *v) { return read_u64(v, &o->budget_seconds); }
static bool read_progress(struct options *o, const char *v) { return read_u64(v, &o->progress_seconds); }
static bool read_k(struct options *o, const char *v) { return read_u64(v, &o->k) && o->k; }
static bool read_interleavings(struct options *o, const char *v) { return read_u64(v, &o->interleavings); }
static bool set_unreduced(struct options *o, const char *v) { return (void)v, o->unreduced = true; }
static bool read_primaries(struct options *o, const char *v)
{
	return read_u64(v, &o->primaries) && o->primaries <= 1000;
}
static bool read_instances(struct options *o, const char *v)
{
	return read_u64(v, &o->instances) && o->instances && o->instances <= BOARD_INSTANCES;
}
static bool read_method(struct options *o, const char *v) { return o->replay_method = true, !strcmp(v, "replay"); }
static bool set_resume(struct options *o, const char *v) { return (void)v, o->resume = true; }
static bool read_as_optimised(struct options *o, const char *v) { return o->as_optimised = v, *v; }
static bool set_merging(struct options *o, const char *v) { return (void)v, o->merging = true; }
static bool read_blind(struct options *o, const char *v) { return o->blind = true, !strcmp(v, "mutex"); }
static bool read_without(struct options *o, const char *v)
{
	const char *colon = strrchr(v, ':');
	uint64_t line;

	if (!colon || colon == v || !read_u64(colon + 1, &line) || !line || o->nwithout == 8)
		return false;
	o->without[o->nwithout++] = v;
	return true;
}
static bool read_seed(struct options *o, const char *v) { return read_u64(v, &o->seed); }
static bool read_runs(struct options *o, const char *v) { return read_u64(v, &o->runs) && o->runs; }
static bool read_jobs(struct options *o, const char *v)
{
	return read_u64(v, &o->jobs) && o->jobs && o->jobs <= JOBS_MAX;
}
static bool read_budget(struct options *o, const char *v) { return read_u64(v, &o->event_budget); }
static bool read_data(struct options *o, const char *v) { return *(o->data = v); }
static bool read_output(struct options *o, const char *v) { return *(o->output = v); }
static bool read_suppressions(struct options *o, const char *v) { return *(o->suppressions = v); }
static bool set_no_rewind(struct options *o, const char *v) { return (void)v, o->no_rewind = true; }
static bool set_count(struct options *o, const char *v) { return (void)v, o->count = true; }
static bool set_no_races(struct options *o, const char *v) { return (void)v, !(o->races = false); }
static bool set_check(struct options *o, const char *v) { return (void)v, o->check = true; }
static bool set_precise(struct options *o, const char *v) { return (void)v, o->precise = true; }
static bool set_no_predict(struct options *o, const char *v) { return (void)v, o->no_predict = true; }
static bool set_no_log(struct options *o, const char *v) { return (void)v, o->no_log = true; }
static bool set_record_files(struct options *o, const char *v) { return (void)v, o->record_files = true; }
static bool set_first(struct options *o, const char *v) { return (void)v, o->first_failure = true; }
static bool set_trace(struct options *o, const char *v) { return (void)v, o->trace = true; }
static bool set_gdb(struct options *o, const char *v) { return (void)v, o->gdb = true; }
static bool set_timeline(struct options *o, const char *v) { return (void)v, o->timeline = true; }
static bool set_help(struct options *o, const char *v) { return (void)v, o->help = true; }

/* Checks the syntax. invariant_find() checks the rest, as it needs the program. */
static bool read_invariant(struct options *o, const char *v)
{
	o->check = true;
	if (o->ninvariants == BOARD_INVARIANTS || !invariant_parse(v, &(struct invariant_text){0}))
		return false;
	o->invariants[o->ninvariants++] = v;
	return true;
}

#define RUNS_ONE (CMD_RECORD | CMD_EXPLORE | CMD_TRIAGE)
#define ALL_RUNS (RUNS_ONE | CMD_REPLAY)
#define REPORTS  (RUNS_ONE | CMD_REPORT | CMD_PREDICT)
#define ALL      (RUNS_ONE | CMD_REPLAY | CMD_REPORT | CMD_PREDICT)

enum group { GROUP_COMMAND, GROUP_EXECUTION, GROUP_MEMORY, GROUP_CHECKS, GROUP_REPORT, GROUP_TESTS };

/* The headings of --help. A group has its options one after the other in the table. */
static const char *const group_titles[] = {
        [GROUP_COMMAND] = "Options of this command", [GROUP_EXECUTION] = "How the program runs",
        [GROUP_MEMORY] = "What atomic loads see",    [GROUP_CHECKS] = "What is looked for",
        [GROUP_REPORT] = "Evidence and report",      [GROUP_TESTS] = "For tests of Omen",
};

static const struct row {
	const char *name, *value; /* value: what the option takes; NULL: nothing; in brackets: not necessarily */
	enum group group;
	unsigned commands;
	bool (*read)(struct options *o, const char *value);
	const char *help; /* in parentheses: the default */
} rows[] = {
        {"--runs", "N", GROUP_COMMAND, CMD_EXPLORE | CMD_REPLAY, read_runs,
         "number of executions (explore: 1000; replay --from-snapshot: 1)"},
        {"--first-failure", NULL, GROUP_COMMAND, CMD_EXPLORE, set_first, "stop at the first failure"},
        {"--outputs", "[=all]", GROUP_COMMAND, CMD_EXPLORE | CMD_REPLAY, set_outputs,
         "list what was written to standard output and how often: the 40 most frequent outputs, or all (replay: with "
         "--from-snapshot)"},
        {"--for", "SECONDS", GROUP_COMMAND, CMD_TRIAGE | CMD_RECORD, read_for,
         "record only this long, for a program that does not end by itself; in triage Ctrl-C does the same"},
        {"--record-files", NULL, GROUP_COMMAND, CMD_RECORD | CMD_TRIAGE, set_record_files,
         "record the contents of files that are only read, too: then a replay needs none of them"},
        {"--no-log", NULL, GROUP_COMMAND, CMD_RECORD, set_no_log,
         "do not record the results of syscalls: a replay makes them again, and races are reported without stacks"},
        {"--resume", NULL, GROUP_COMMAND, CMD_TRIAGE, set_resume,
         "continue with the recording in --data: of a triage that was interrupted, or of omen record; give no program"},
        {"--budget", "SECONDS", GROUP_COMMAND, CMD_TRIAGE, read_seconds,
         "start nothing new this long after the end of the recorded part; the report comes within half as much again "
         "(60)"},
        {"--k", "N", GROUP_COMMAND, CMD_TRIAGE, read_k,
         "executions of a race with its accesses in the other order, over all instances and primaries (100)"},
        {"--instances", "N", GROUP_COMMAND, CMD_TRIAGE, read_instances,
         "instances of a race to try: the first, the last, and some between; at most 8 (3)"},
        {"--primaries", "N", GROUP_COMMAND, CMD_TRIAGE, read_primaries,
         "executions with other schedules in which races are looked for and tried, besides the recorded one (28)"},
        {"--interleavings", "N", GROUP_COMMAND, CMD_TRIAGE, read_interleavings,
         "if there are at most this many interleavings, execute all, and the report says so; 0: never (2000)"},
        {"--no-predict", NULL, GROUP_COMMAND, CMD_TRIAGE, set_no_predict,
         "do not look for races that only other schedules of the execution have"},
        {"--as-optimised", "PROG2", GROUP_COMMAND, CMD_TRIAGE, read_as_optimised,
         "also triage PROG2, the same program built with omen cc --as-optimised, and say what each race is there"},
        {"--method", "replay", GROUP_COMMAND, CMD_TRIAGE, read_method,
         "also give the verdict of the replay method: are the states after both orders equal?"},
        {"--progress", "SECONDS", GROUP_COMMAND, CMD_TRIAGE, read_progress,
         "time between two lines of progress if stderr is no terminal; 0: no such lines (60)"},
        {"--tier", "T", GROUP_COMMAND, CMD_PREDICT, read_tier,
         "the last tier to run: happens-before, sync-preserving or maximal (maximal)"},
        {"--window", "N", GROUP_COMMAND, CMD_PREDICT, read_window,
         "how many events the maximal tier compares at once; windows overlap by half (10000, then larger while there "
         "is time)"},
        {"--budget", "SECONDS", GROUP_COMMAND, CMD_PREDICT, read_seconds,
         "time limit for each pair of places in a window, then the pair stays undecided; and for larger windows (60)"},
        {"--to", "POINT", GROUP_COMMAND, CMD_REPLAY, read_to,
         "stop at this scheduling point and show where every thread is"},
        {"--from-snapshot", "POINT", GROUP_COMMAND, CMD_REPLAY, read_from,
         "replay to this point once, and continue from there --runs times: as recorded, or by --strategy"},
        {"--trace", NULL, GROUP_COMMAND, CMD_REPLAY, set_trace, "list every choice of the schedule on stderr"},
        {"--gdb", NULL, GROUP_COMMAND, CMD_REPLAY, set_gdb,
         "replay under gdb, with commands for threads and points (help omen); arguments for gdb follow --"},
        {"--timeline", NULL, GROUP_COMMAND, CMD_REPORT, set_timeline,
         "replay the evidence and write what its threads did as a trace for Perfetto (JSON)"},
        {"--count", NULL, GROUP_COMMAND, CMD_RECORD, set_count,
         "say how often each read and write of the source was executed"},
        {"--help", NULL, GROUP_COMMAND, ALL, set_help, "print this text"},

        {"--strategy", "S", GROUP_EXECUTION, ALL_RUNS | CMD_PREDICT, read_strategy,
         "mixed, random, pct:DEPTH, fair or queue (explore: mixed; replay: as recorded; others: fair)"},
        {"--seed", "N", GROUP_EXECUTION, ALL_RUNS | CMD_PREDICT, read_seed, "seed of the first execution (1)"},
        {"--points", "sync|access", GROUP_EXECUTION, RUNS_ONE, read_points,
         "where threads may switch: only where they synchronise, or at every access (access with mixed, random and "
         "pct)"},
        {"-j", "N", GROUP_EXECUTION, CMD_EXPLORE | CMD_TRIAGE, read_jobs,
         "executions at the same time, at most 128 (the number of processors)"},
        {"--timeout", "SECONDS", GROUP_EXECUTION, ALL_RUNS | CMD_PREDICT, read_timeout,
         "wall time of one execution, 0: no limit (explore: 60; others: 0)"},
        {"--budget-events", "N", GROUP_EXECUTION, ALL_RUNS, read_budget,
         "end an execution after this many scheduling points, 0: no limit (explore: 20000000; others: 0)"},

        {"--memory-model", "sc|c11", GROUP_MEMORY, RUNS_ONE, read_memory_model,
         "an atomic load sees the newest store, or any store that C11 allows (sc)"},
        {"--std", "c11|c++20", GROUP_MEMORY, RUNS_ONE, read_std,
         "the standard whose release sequences and sequential consistency count (c11)"},
        {"--reads", "HOW", GROUP_MEMORY, RUNS_ONE, read_reads,
         "which of these stores loads prefer: uniform, oldest or newest (uniform)"},
        {"--modification-order", "any|execution", GROUP_MEMORY, RUNS_ONE, read_order,
         "stores to one location take effect in any possible order, or in the order of execution (any)"},
        {"--history", "N", GROUP_MEMORY, RUNS_ONE, read_history,
         "number of stores to remember for each atomic location, 2 to 250 (128)"},
        {"--volatile", "plain|acqrel", GROUP_MEMORY, RUNS_ONE, read_volatile,
         "volatile accesses are plain accesses, or synchronise as atomic ones do (plain)"},

        {"--no-races", NULL, GROUP_CHECKS, RUNS_ONE, set_no_races, "do not look for data races"},
        {"--check", NULL, GROUP_CHECKS, ALL_RUNS, set_check,
         "end an execution that uses memory wrongly (freed, or beyond a block or variable), or misuses a lock"},
        {"--invariant", "TEXT", GROUP_CHECKS, RUNS_ONE, read_invariant,
         "a condition that always holds, like 'stock.c:stock >= 0': FILE:VARIABLE, operator, number; up to 8; implies "
         "--check"},
        {"--without-sync", "FILE:LINE", GROUP_CHECKS, CMD_TRIAGE | CMD_RECORD | CMD_EXPLORE | CMD_PREDICT, read_without,
         "what if the lock, unlock, barrier or wait in this line did nothing? up to 8"},
        {"--precise", NULL, GROUP_CHECKS, CMD_RECORD | CMD_TRIAGE, set_precise,
         "keep the place of every access: slower; for programs that cannot be replayed"},
        {"--suppressions", "FILE", GROUP_CHECKS, RUNS_ONE | CMD_PREDICT, read_suppressions,
         "races to leave out, in the syntax of ThreadSanitizer (also: TSAN_OPTIONS=suppressions=FILE)"},

        {"--data", "DIR", GROUP_REPORT, RUNS_ONE | CMD_PREDICT, read_data, "directory of the evidence (omen.data)"},
        {"--format", "text|json", GROUP_REPORT, REPORTS, read_format, "format of the report (text)"},
        {"-o", "FILE", GROUP_REPORT, REPORTS, read_output,
         "file for the report (record and triage: stderr; others: stdout)"},

        {"--blind", "mutex", GROUP_TESTS, CMD_TRIAGE | CMD_RECORD, read_blind,
         "the detector ignores mutexes, so that it reports false races"},
        {"--merging", NULL, GROUP_TESTS, CMD_EXPLORE, set_merging,
         "with --points sync: leave out races that are only possible, as no replay decides them"},
        {"--no-rewind", NULL, GROUP_TESTS, CMD_EXPLORE | CMD_TRIAGE, set_no_rewind,
         "make each execution as a fork; otherwise a process is rewound where that is possible"},
        {"--unreduced", NULL, GROUP_TESTS, CMD_TRIAGE, set_unreduced,
         "execute all interleavings, also those that cannot differ from others"},
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const struct row *find_row(enum command_bit command, const char *name, size_t length)
{
	for (const struct row *r = rows; r < rows + COUNT(rows); r++)
		if (r->commands & command && strlen(r->name) == length && !strncmp(r->name, name, length))
			return r;
	return NULL;
}

static void set_defaults(enum command_bit command, struct options *o)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	*o = (struct options){.seed = 1, .runs = 1000, .access_points = -1, .races = true, .data = "omen.data"};
	o->jobs = cores < 1 ? 1 : cores > JOBS_MAX ? JOBS_MAX : (uint64_t)cores;
	o->strategy.id = STRATEGY_FAIR;
	o->memory.history = 128;
	if (command == CMD_REPLAY)
		o->runs = 1;
	o->k = 100;
	o->instances = 3;
	o->budget_seconds = 60;
	o->progress_seconds = 60;
	o->primaries = 28;
	o->interleavings = 2000;
	o->tier = TIER_MAXIMAL;
	if (command != CMD_EXPLORE)
		return;
	o->strategy.id = STRATEGY_MIXED;
	o->timeout_ms = 60000;
	o->event_budget = 20000000;
}

/* Splits "--name=value" or "-jN" into its row and its value. */
static const struct row *split(enum command_bit command, const char *argument, const char **value)
{
	size_t length = argument[1] == '-' ? strcspn(argument, "=") : 2;

	*value = NULL;
	if (argument[length])
		*value = argument + length + (argument[length] == '=');
	return find_row(command, argument, length);
}

bool options_parse(enum command_bit command, int *argc, char **argv, struct options *o, struct error *e)
{
	int operands = 0, i = 0;

	set_defaults(command, o);
	for (; i < *argc; i++) {
		const char *argument = argv[i], *value;
		o->ncommand_words = (size_t)i;
		if (!strcmp(argument, "--")) {
			i++;
			o->program_given = true;
			break;
		}
		if (argument[0] != '-' || !argument[1]) {
			if (!(command & (CMD_REPLAY | CMD_REPORT | CMD_PREDICT)))
				break;
			argv[operands++] = argv[i];
			continue;
		}
		const struct row *row = split(command, argument, &value);
		if (!row)
			return error_set(e, "unknown option %s", argument);
		if (!row->value && value)
			return error_set(e, "option %s takes no value", row->name);
		bool optional = row->value && row->value[0] == '[';
		if (row->value && !optional && !value && !(value = argv[++i]))
			return error_set(e, "option %s needs a value (%s)", row->name, row->value);
		if (!row->read(o, value))
			return error_set(e, "option %s cannot be %s: %s", row->name, value && *value ? value : "empty",
			                 row->help);
		if (o->help)
			break;
	}
	o->command_words = must_alloc((o->ncommand_words + 1) * sizeof *o->command_words);
	memcpy(o->command_words, argv,
	       o->ncommand_words * sizeof *o->command_words); /* operands overwrite them in argv */
	while (i < *argc)
		argv[operands++] = argv[i++];
	argv[operands] = NULL;
	*argc = operands;
	if (o->access_points < 0)
		o->access_points = o->strategy.id == STRATEGY_MIXED || o->strategy.id == STRATEGY_RANDOM ||
		                   o->strategy.id == STRATEGY_PCT;
	return true;
}

/* Prints a text in lines of HELP_WIDTH bytes, each after HELP_INDENT spaces; `column` is where the first one begins. */
static void print_wrapped(FILE *out, const char *text, int column)
{
	while (*text) {
		size_t size = strlen(text), line = size;
		while (line > HELP_WIDTH) {
			line--;
			while (line && text[line] != ' ')
				line--;
		}
		fprintf(out, "%*s%.*s\n", column < HELP_INDENT ? HELP_INDENT - column : 0, "", (int)line, text);
		text += line + (line < size);
		column = 0;
	}
}

void options_help(enum command_bit command, FILE *out)
{
	const struct row *last = NULL;

	for (const struct row *r = rows; r < rows + COUNT(rows); r++) {
		if (!(r->commands & command))
			continue;
		if (!last || last->group != r->group)
			fprintf(out, "%s%s:\n", last ? "\n" : "", group_titles[r->group]);
		last = r;
		int column = fprintf(out, "  %s%s%s", r->name, r->value && r->value[0] != '[' ? " " : "",
		                     r->value ? r->value : "");
		if (column >= HELP_INDENT) {
			fputc('\n', out);
			column = 0;
		}
		print_wrapped(out, r->help, column);
	}
}
