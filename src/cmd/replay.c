/* omen replay: an evidence once more, along its schedule. */
#include <fcntl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/execute.h"
#include "cmd/gdb.h"
#include "cmd/options.h"
#include "cmd/program.h"
#include "cmd/session.h"
#include "cmd/world.h"
#include "report/report.h"
#include "trace/blocks.h"
#include "trace/names.h"
#include "trace/schedule.h"

struct evidence_read {
	const char *directory;
	struct manifest manifest;
	struct schedule_entry *entries;
	uint64_t count;
	struct bytes log;
	bool has_log; /* without one the world answers */
	bool log_is_whole;
};

/* Reads everything a replay needs and checks that the program is still the one that was recorded. */
static bool read_evidence(struct evidence_read *v, struct error *e)
{
	char *manifest = must_format("%s/manifest.json", v->directory),
	     *schedule = must_format("%s/schedule", v->directory), *log = must_format("%s/log", v->directory);
	struct program program = {0};
	bool ok = manifest_read(manifest, &v->manifest, e);

	if (ok && v->manifest.kind == MANIFEST_EXPLORATION)
		ok = error_set(
		        e,
		        "cannot replay %s: it holds a whole exploration; replay one of its failures or races: omen "
		        "replay %s/failures/1 or %s/races/ID",
		        v->directory, v->directory, v->directory);
	ok = ok && program_check(v->manifest.program, v->manifest.program, &program, e);
	if (ok && strcmp(program.build_id, v->manifest.build_id))
		ok = error_set(e,
		               "cannot replay %s: %s was built again since; build what was recorded, or record again",
		               v->directory, v->manifest.program);
	ok = ok && schedule_read(schedule, &v->entries, &v->count, e);
	v->has_log = !access(log, F_OK);
	ok = ok && (!v->has_log || blocks_read(log, WORLD_LIMIT, &v->log, &v->log_is_whole, e));
	if (ok && v->has_log && !v->log_is_whole)
		fprintf(stderr, "omen: warning: %s\n", e->text);
	if (ok && v->count > SCHEDULE_MAX)
		ok = error_set(e, "cannot replay %s: a schedule of %lu choices is too long", v->directory, v->count);
	program_free(&program);
	free(log);
	free(schedule);
	free(manifest);
	return ok;
}

static int open_input(const struct evidence_read *v, struct error *e)
{
	/* What was read from a pipe or a terminal is in the log; without one it must come again. */
	if (!v->manifest.has_stdin && v->manifest.input != STREAM_NULL && !v->has_log)
		return 0;
	char *path =
	        v->manifest.has_stdin && !v->has_log ? must_format("%s/stdin", v->directory) : must_format("/dev/null");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		error_set(e, "cannot read %s: %s; record again", path, strerror(errno));
	free(path);
	return fd;
}

/* One line: did the same thing happen? */
static int compare(const struct evidence_read *v, const struct board_result *r)
{
	const struct manifest *m = &v->manifest;
	const char *name = ending_name(r->ending);
	bool failed = ending_is_failure(m->ending);
	struct error e;

	if (r->ending != m->ending || (r->ending == ENDING_STATUS && r->status != m->status)) {
		error_set(&e, "replay of %s differs: recorded %s (status %d), replayed %s (status %d)%s%s",
		          v->directory, ending_name(m->ending), m->status, name, r->status, r->message[0] ? ": " : "",
		          r->message);
		return complain(EXIT_OMEN, &e);
	}
	if (failed && r->signature != m->signature) {
		error_set(&e, "replay of %s differs: %s as recorded, but another one: %s; recorded: %s", v->directory,
		          name, r->message, m->message);
		return complain(EXIT_OMEN, &e);
	}
	fprintf(stderr, "replayed: %s, as recorded%s%s\n", name, r->message[0] ? ": " : "", r->message);
	return failed ? EXIT_FOUND : EXIT_NOTHING;
}

/* The evidence of a race: was it there again? */
static int compare_race(const struct evidence_read *v, const struct board *b)
{
	const struct manifest *m = &v->manifest;
	struct races all = {0};
	const struct race *again = NULL;
	struct error e;

	races_take(&all, b, 0);
	if (all.count)
		races_explain(&all, all.list[0]->execution, b, true);
	for (size_t i = 0; i < all.count; i++)
		if (race_is(&all.list[i]->seen, m->race_site, m->race_flags))
			again = all.list[i];
	if (again) {
		struct race told = *again;
		snprintf(told.id, sizeof told.id, "%s", m->race);
		told.evidence = NULL;
		told.instances = again->seen.instances;
		report_race_text(stderr, &told, session_colour(stderr));
		fprintf(stderr, "replayed: race %s, as recorded\n", m->race);
	} else {
		error_set(&e, "replay of %s differs: the race was not seen again", v->directory);
		complain(EXIT_OMEN, &e);
	}
	races_free(&all);
	return again ? EXIT_FOUND : EXIT_OMEN;
}

/* With gdb: `arguments` are for it. `status` is the exit status where that fails. */
static bool run(const struct evidence_read *v, struct process *p, char *const *arguments, int *status, struct error *e)
{
	int input = open_input(v, e);

	*status = EXIT_OMEN;
	if (input < 0)
		return false;
	if (!input && arguments)
		return error_set(e, "cannot replay %s under gdb: it reads standard input, which gdb needs",
		                 v->directory);
	configure(p->board, &v->manifest, BOARD_RUN);
	p->board->config.strategy.id = STRATEGY_REPLAY;
	p->board->config.detect = v->manifest.race ? DETECT_EXPLAIN : DETECT_OFF;
	p->board->watched[0] = v->manifest.watch;
	p->board->nwatched = v->manifest.race != NULL;
	/* Wall time means something only where it ended the recorded execution. */
	if (v->manifest.ending != ENDING_TIMEOUT || arguments)
		p->board->config.timeout_ms = 0;
	if (v->count)
		memcpy(p->board->schedule, v->entries, v->count * sizeof v->entries[0]);
	p->board->replay_entries = v->count;
	if (v->has_log && !world_give(p, &v->log, v->log_is_whole, e))
		return false;
	struct launch l = {.path = v->manifest.path,
	                   /* with a log the world is not asked, nor where it is asked from */
	                   .cwd = v->has_log && access(v->manifest.cwd, X_OK) ? NULL : v->manifest.cwd,
	                   .argv = v->manifest.argv,
	                   .env = v->manifest.env,
	                   .streams = {input, 1, 2}};
	return arguments ? gdb_run(p, &l, v->directory, arguments, status, e) : execute(p, &l, e);
}

int cmd_replay(const struct options *o, int argc, char **argv)
{
	struct evidence_read v = {.directory = argv[0]};
	struct process p;
	struct error e;
	int status;

	if (argc > 1 && !o->gdb) {
		error_set(&e, "cannot replay %s: one evidence at a time", argv[1]);
		return complain(EXIT_USE, &e);
	}
	if (!read_evidence(&v, &e))
		return complain(EXIT_USE, &e);
	if (!process_prepare(&p, &e))
		return complain(EXIT_OMEN, &e);
	if (run(&v, &p, o->gdb ? argv + 1 : NULL, &status, &e)) {
		if (o->trace)
			report_schedule(stderr, &p.board->result, v.entries, v.count);
		/* who leaves gdb before the end has seen enough */
		bool ended = !o->gdb || p.board->result.ending != ENDING_NONE;
		status = ended ? compare(&v, &p.board->result) : EXIT_NOTHING;
		if (ended && v.manifest.race && status != EXIT_OMEN)
			status = compare_race(&v, p.board);
	} else {
		complain(status, &e);
	}
	process_end(&p);
	manifest_free(&v.manifest);
	free(v.entries);
	bytes_free(&v.log);
	return status;
}
