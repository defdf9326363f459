/* omen replay: an evidence once more, along its schedule. */
#include <fcntl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/evidence.h"
#include "cmd/execute.h"
#include "cmd/gdb.h"
#include "cmd/options.h"
#include "cmd/program.h"
#include "cmd/replay.h"
#include "cmd/session.h"
#include "cmd/world.h"
#include "report/report.h"
#include "trace/blocks.h"
#include "trace/names.h"
#include "trace/schedule.h"

struct evidence_read {
	char *directory;
	struct manifest manifest;
	struct schedule schedule;
	struct bytes log;
	bool has_log;       /* without one the world answers */
	bool cut;           /* the recording has no end ... */
	uint64_t cut_point; /* ... and is all there before this point only */
	uint64_t events; /* to write down, and nothing of it is to be seen or heard; 0: a replay for its own sake */
	const struct board_watch *watches; /* besides the manifest's */
	uint32_t nwatches;
};

/* Reads schedule and log. What is cut or damaged is usable up to there, which is told in one line. */
static bool read_recording(struct evidence_read *v, struct error *e)
{
	char *schedule = must_format("%s/schedule", v->directory), *log = must_format("%s/log", v->directory);
	bool unfinished = v->manifest.ending == ENDING_NONE, log_is_whole = true;
	bool ok =
	        schedule_read(schedule, &v->schedule, e) || (v->schedule.usable && (v->schedule.nmarks || unfinished));

	v->has_log = !access(log, F_OK);
	if (ok && !v->schedule.whole && !unfinished)
		fprintf(stderr, "omen: warning: %s\n", e->text);
	ok = ok && (!v->has_log || blocks_read(log, WORLD_LIMIT, &v->log, &log_is_whole, e));
	if (ok && !log_is_whole && v->schedule.whole)
		fprintf(stderr, "omen: warning: %s\n", e->text);
	v->cut = !v->schedule.whole || !log_is_whole;
	v->cut_point = schedule_mark_within(&v->schedule, v->log.size).point;
	if (ok && v->schedule.count > SCHEDULE_MAX)
		ok = error_set(e, "cannot replay %s: a schedule of %lu choices is too long", v->directory,
		               v->schedule.count);
	free(log);
	free(schedule);
	return ok;
}

/* Reads everything a replay needs and checks that the program is still the one that was recorded. */
static bool read_evidence(struct evidence_read *v, struct error *e)
{
	char *manifest = must_format("%s/manifest.json", v->directory);
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
	ok = ok && read_recording(v, e);
	program_free(&program);
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

	if (v->cut && r->ending == ENDING_CUT) {
		fprintf(stderr, "replayed: %s\n", r->message);
		return EXIT_NOTHING;
	}
	/* What needs neither choice nor input is the same again, also where nobody has seen it. */
	if (m->ending == ENDING_NONE && r->ending != ENDING_DIVERGED && r->ending != ENDING_OMEN) {
		fprintf(stderr, "replayed: the recording ended before, then %s%s%s\n", name, r->message[0] ? ": " : "",
		        r->message);
		return ending_is_failure(r->ending) ? EXIT_FOUND : EXIT_NOTHING;
	}
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
	/* Without a log the world answers, perhaps with something else; and time ends an execution anywhere. */
	if (v->has_log && m->event_hash && r->event_hash != m->event_hash && r->ending != ENDING_TIMEOUT) {
		error_set(&e, "replay of %s differs: event hash %#lx, recorded %#lx (%lu points, recorded %lu)",
		          v->directory, r->event_hash, m->event_hash, r->points, m->points);
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
	p->board->config.detect = v->manifest.race || v->events ? DETECT_EXPLAIN : DETECT_OFF;
	p->board->config.events = v->events;
	p->board->watched[0] = v->manifest.watch;
	p->board->nwatched = v->manifest.race != NULL;
	for (uint32_t i = 0; i < v->nwatches && p->board->nwatched < BOARD_WATCHES; i++)
		p->board->watched[p->board->nwatched++] = v->watches[i];
	/* Wall time means something only where it ended the recorded execution. */
	if (v->manifest.ending != ENDING_TIMEOUT || arguments)
		p->board->config.timeout_ms = 0;
	if (v->schedule.count)
		memcpy(p->board->schedule, v->schedule.entries, v->schedule.count * sizeof v->schedule.entries[0]);
	p->board->replay_entries = v->schedule.count;
	p->board->cut = v->cut;
	p->board->cut_point = v->cut_point;
	if (v->has_log && !world_give(p, &v->log, e))
		return false;
	int out = v->events ? open("/dev/null", O_WRONLY | O_CLOEXEC) : 1;
	struct launch l = {.path = v->manifest.path,
	                   /* with a log the world is not asked, nor where it is asked from */
	                   .cwd = v->has_log && access(v->manifest.cwd, X_OK) ? NULL : v->manifest.cwd,
	                   .argv = v->manifest.argv,
	                   .env = v->manifest.env,
	                   .streams = {input, out, v->events ? out : 2}};
	return arguments ? gdb_run(p, &l, v->directory, arguments, status, e) : execute(p, &l, e);
}

bool replay_events(const char *directory, const struct event_request *r, struct process *p, struct manifest *m,
                   int *status, struct error *e)
{
	struct evidence_read v = {
	        .directory = evidence_find(directory), .events = r->most, .watches = r->watches, .nwatches = r->nwatches};
	bool ok = read_evidence(&v, e);

	*status = ok ? EXIT_OMEN : EXIT_USE;
	ok = ok && process_prepare(p, e) && run(&v, p, NULL, status, e);
	if (ok && p->board->result.ending != v.manifest.ending && p->board->result.ending != ENDING_CUT)
		ok = error_set(e, "replay of %s differs: recorded %s, replayed %s: %s", directory,
		               ending_name(v.manifest.ending), ending_name(p->board->result.ending),
		               p->board->result.message);
	*m = v.manifest;
	schedule_free(&v.schedule);
	bytes_free(&v.log);
	free(v.directory);
	return ok;
}

int cmd_replay(const struct options *o, int argc, char **argv)
{
	struct evidence_read v = {0};
	struct process p;
	struct error e;
	int status;

	if (argc > 1 && !o->gdb) {
		error_set(&e, "cannot replay %s: one evidence at a time", argv[1]);
		return complain(EXIT_USE, &e);
	}
	v.directory = evidence_find(argv[0]);
	if (!read_evidence(&v, &e))
		return complain(EXIT_USE, &e);
	if (!process_prepare(&p, &e))
		return complain(EXIT_OMEN, &e);
	if (run(&v, &p, o->gdb ? argv + 1 : NULL, &status, &e)) {
		if (o->trace)
			report_schedule(stderr, &p.board->result, v.schedule.entries, v.schedule.count);
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
	schedule_free(&v.schedule);
	bytes_free(&v.log);
	free(v.directory);
	return status;
}
