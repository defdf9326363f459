/* omen replay: runs the execution of an evidence again, along its schedule. */
#include "cmd/omen_replay.h"

#include <fcntl.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "run/execute.h"
#include "cmd/gdb.h"
#include "cmd/from_snapshot.h"
#include "cmd/options.h"
#include "cmd/load_recording.h"
#include "cmd/session.h"
#include "run/standard_streams.h"
#include "report/findings.h"
#include "report/symbol.h"
#include "format/enum_names.h"

/* Prints both sides of a difference: the choice that was recorded, and where the replay is. */
static void print_difference(const struct board *b)
{
	const struct schedule_entry *e = &b->expected;
	const struct board_result *r = &b->result;
	struct frame at;

	if (e->point && e->kind == CHOICE_RUN)
		fprintf(stderr, "    recorded: T%u %s and T%u runs, at point %lu", e->from,
		        e->blocked ? "waits" : "is preempted", e->chosen, e->point);
	else if (e->point)
		fprintf(stderr, "    recorded: T%u makes a choice at point %lu", e->from, e->point);
	if (e->point && symbol_where(r, e->where, &at) && at.file[0])
		fprintf(stderr, " at %s:%u in %s%s%s%s", at.file, at.line, at.function, at.operation ? " (" : "",
		        at.operation ? at.operation : "", at.operation ? ")" : "");
	if (e->point)
		fputs("\n    replayed:\n", stderr);
	report_stack_text(stderr, r);
}

/* Prints one line that says whether the same happened. Returns the exit status. */
static int compare(const struct recorded *v, const struct board *b)
{
	const struct board_result *r = &b->result;
	const struct manifest *m = &v->manifest;
	const char *name = ending_name(r->ending);
	bool failed = ending_is_failure(m->ending);
	struct error e;

	if (v->cut && r->ending == ENDING_CUT) {
		fprintf(stderr, "replayed: %s\n", r->message);
		return EXIT_NOTHING;
	}
	/*
	 * What comes after the end of an unfinished recording is the same, too, as long as it needs no choice and no
	 * input.
	 */
	if (m->ending == ENDING_NONE && r->ending != ENDING_DIVERGED && r->ending != ENDING_OMEN) {
		fprintf(stderr, "replayed: the recording ended before, then %s%s%s\n", name, r->message[0] ? ": " : "",
		        r->message);
		return ending_is_failure(r->ending) ? EXIT_FOUND : EXIT_NOTHING;
	}
	bool violated = r->ending == ENDING_MEMORY || r->ending == ENDING_LOCK || r->ending == ENDING_INVARIANT;
	if (m->check == CHECK_FOLLOW && violated && r->ending != m->ending) {
		fprintf(stderr, "replayed, and found: %s: %s\n", name, r->message);
		return EXIT_FOUND;
	}
	if (r->ending != m->ending || (r->ending == ENDING_STATUS && r->status != m->status)) {
		error_set(&e, "replay of %s differs: recorded %s (status %d), replayed %s (status %d)%s%s",
		          v->directory, ending_name(m->ending), m->status, name, r->status, r->message[0] ? ": " : "",
		          r->message);
		complain(EXIT_OMEN, &e);
		if (r->ending == ENDING_DIVERGED)
			print_difference(b);
		return EXIT_OMEN;
	}
	if (failed && r->signature != m->signature) {
		error_set(&e, "replay of %s differs: %s as recorded, but another one: %s; recorded: %s", v->directory,
		          name, r->message, m->message);
		return complain(EXIT_OMEN, &e);
	}
	/*
	 * The hash proves nothing without a log, as syscalls may have other results, or after a timeout, which can come
	 * anywhere.
	 */
	if (v->has_log && m->event_hash && r->event_hash != m->event_hash && r->ending != ENDING_TIMEOUT) {
		error_set(&e, "replay of %s differs: event hash %#lx, recorded %#lx (%lu points, recorded %lu)",
		          v->directory, r->event_hash, m->event_hash, r->points, m->points);
		return complain(EXIT_OMEN, &e);
	}
	fprintf(stderr, "replayed: %s, as recorded%s%s\n", name, r->message[0] ? ": " : "", r->message);
	return failed ? EXIT_FOUND : EXIT_NOTHING;
}

/* For the evidence of a race: whether the replay had it, too. Returns the exit status. */
static int compare_race(const struct recorded *v, const struct board *b)
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
		struct race shown = *again;
		snprintf(shown.id, sizeof shown.id, "%s", m->race);
		shown.evidence = NULL;
		shown.instances = again->seen.instances;
		report_race_text(stderr, &shown, session_colour(stderr));
		fprintf(stderr, "replayed: race %s, as recorded\n", m->race);
	} else {
		error_set(&e, "replay of %s differs: the race was not seen again", v->directory);
		complain(EXIT_OMEN, &e);
	}
	races_free(&all);
	return again ? EXIT_FOUND : EXIT_OMEN;
}

/* Prints where --to has stopped the execution. */
static int print_stop(const struct board_result *r)
{
	report_stop_text(stderr, r, session_colour(stderr));
	return EXIT_NOTHING;
}

static void add_watches(struct board *b, const struct event_request *r)
{
	for (uint32_t i = 0; i < r->nwatches && b->nwatched < BOARD_WATCHES; i++)
		b->watched[b->nwatched++] = r->watches[i];
}

/* Like compare(), but prints nothing: whether the replay followed the recording, as far as that goes. */
static bool is_same_end(const struct recorded *v, const struct board_result *r)
{
	if (v->manifest.ending == ENDING_NONE || r->ending == ENDING_CUT)
		return r->ending != ENDING_DIVERGED && r->ending != ENDING_OMEN;
	if (v->has_log && v->manifest.event_hash && r->ending != ENDING_TIMEOUT &&
	    r->event_hash != v->manifest.event_hash)
		return false;
	return r->ending == v->manifest.ending;
}

bool replay_events(const char *directory, const struct event_request *r, struct process *p, struct manifest *m,
                   int *status, struct error *e)
{
	struct recorded v;
	bool ok = recorded_read(&v, directory, e);
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	*status = ok ? EXIT_OMEN : EXIT_USE;
	ok = ok && process_prepare(p, e) && recorded_prepare(&v, p, e);
	if (ok) {
		struct launch l = recorded_launch(&v, recorded_input(&v, e), nowhere, nowhere);
		p->board->config.detect = DETECT_EXPLAIN;
		p->board->config.events = r->most;
		add_watches(p->board, r);
		ok = l.streams[0] >= 0 && execute(p, &l, e);
	}
	if (ok && !is_same_end(&v, &p->board->result))
		ok = error_set(e, "replay of %s differs: recorded %s, replayed %s: %s", directory,
		               ending_name(v.manifest.ending), ending_name(p->board->result.ending),
		               p->board->result.message);
	*m = v.manifest;
	v.manifest = (struct manifest){0};
	close(nowhere);
	recorded_free(&v);
	return ok;
}

/* Runs the replay; under gdb if `arguments` for it are given. `status` is the exit status if that fails. */
static bool run_replay(const struct options *o, const struct recorded *v, struct process *p, char *const *arguments,
                       int *status, struct error *e)
{
	int input = recorded_input(v, e);

	*status = EXIT_OMEN;
	if (input < 0)
		return false;
	if (!input && arguments)
		return error_set(e, "cannot replay %s under gdb: it reads standard input, which gdb needs",
		                 v->directory);
	if (!recorded_prepare(v, p, e))
		return false;
	if (arguments)
		p->board->config.timeout_ms = 0;
	if (o->stop_at)
		p->board->config.stop_at = o->stop_at;
	struct launch l = recorded_launch(v, input, 1, 2);
	return arguments ? gdb_run(p, &l, v->directory, arguments, status, e) : execute(p, &l, e);
}

static int replay(const struct options *o, const struct recorded *v, char **arguments)
{
	struct process p;
	struct error e;
	int status;

	if (!process_prepare(&p, &e))
		return complain(EXIT_OMEN, &e);
	if (run_replay(o, v, &p, o->gdb ? arguments : NULL, &status, &e)) {
		const struct board_result *r = &p.board->result;
		line_begin(stderr);
		if (o->trace)
			report_schedule(stderr, r, v->schedule.entries, v->schedule.count);
		/* A user who leaves gdb before the end has seen enough. */
		bool ended = !o->gdb || r->ending != ENDING_NONE;
		if (r->ending == ENDING_STOPPED)
			status = print_stop(r);
		else
			status = ended ? compare(v, p.board) : EXIT_NOTHING;
		if (ended && v->manifest.race && status != EXIT_OMEN && r->ending != ENDING_STOPPED)
			status = compare_race(v, p.board);
	} else {
		complain(status, &e);
	}
	process_end(&p);
	return status;
}

int cmd_replay(const struct options *o, int argc, char **argv)
{
	struct recorded v;
	struct error e;

	if (argc > 1 && !o->gdb) {
		error_set(&e, "cannot replay %s: one evidence at a time", argv[1]);
		return complain(EXIT_USE, &e);
	}
	if (!recorded_read(&v, argv[0], &e))
		return complain(EXIT_USE, &e);
	if (o->check && v.manifest.check == CHECK_OFF)
		v.manifest.check = CHECK_FOLLOW;
	int status = o->snapshot_at ? replay_from_snapshot(o, &v) : replay(o, &v, argv + 1);
	recorded_free(&v);
	return status;
}
