#include "cmd/load_recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/evidence_dir.h"
#include "run/execute.h"
#include "cmd/program.h"
#include "run/recording_files.h"
#include "format/blocks.h"

static bool read_recording(struct recorded *r, struct error *e)
{
	char *schedule = must_format("%s/schedule", r->directory), *log = must_format("%s/log", r->directory);
	bool unfinished = r->manifest.ending == ENDING_NONE, log_is_whole = true;
	bool ok =
	        schedule_read(schedule, &r->schedule, e) || (r->schedule.usable && (r->schedule.nmarks || unfinished));

	r->has_log = !access(log, F_OK);
	if (ok && !r->schedule.whole && !unfinished)
		fprintf(stderr, "omen: warning: %s\n", e->text);
	ok = ok && (!r->has_log || blocks_read(log, RECORDING_LOG_LIMIT, &r->log, &log_is_whole, e));
	if (ok && !log_is_whole && r->schedule.whole)
		fprintf(stderr, "omen: warning: %s\n", e->text);
	r->cut = !r->schedule.whole || !log_is_whole;
	r->cut_point = schedule_mark_within(&r->schedule, r->log.size).point;
	if (ok && r->schedule.count > SCHEDULE_MAX)
		ok = error_set(e, "cannot replay %s: a schedule of %lu choices is too long", r->directory,
		               r->schedule.count);
	free(log);
	free(schedule);
	return ok;
}

bool recorded_read(struct recorded *r, const char *directory, struct error *e)
{
	struct program program = {0};

	*r = (struct recorded){.directory = evidence_find(directory)};
	char *manifest = must_format("%s/manifest.json", r->directory);
	bool ok = manifest_read(manifest, &r->manifest, e);
	if (ok && r->manifest.kind == MANIFEST_EXPLORATION)
		ok = error_set(
		        e,
		        "cannot replay %s: it holds a whole exploration; replay one of its failures or races: omen "
		        "replay %s/failures/1 or %s/races/ID",
		        r->directory, r->directory, r->directory);
	ok = ok && program_check(r->manifest.program, r->manifest.program, &program, e);
	if (ok && strcmp(program.build_id, r->manifest.build_id))
		ok = error_set(e,
		               "cannot replay %s: %s was built again since; build what was recorded, or record again",
		               r->directory, r->manifest.program);
	ok = ok && read_recording(r, e);
	program_free(&program);
	free(manifest);
	return ok;
}

void recorded_free(struct recorded *r)
{
	manifest_free(&r->manifest);
	schedule_free(&r->schedule);
	bytes_free(&r->log);
	free(r->directory);
}

bool recorded_prepare(const struct recorded *r, struct process *p, struct error *e)
{
	struct board *b = p->board;

	configure(b, &r->manifest, BOARD_RUN);
	b->config.strategy.id = STRATEGY_REPLAY;
	b->config.detect = r->manifest.race ? DETECT_EXPLAIN : DETECT_OFF;
	b->watched[0] = r->manifest.watch;
	b->nwatched = r->manifest.race != NULL;
	if (r->manifest.departs_at) {
		b->config.departs = true;
		b->config.stop_at = r->manifest.departs_at;
		b->config.every_operation = r->manifest.every_operation;
	}
	if (r->manifest.touch) {
		b->config.detect = DETECT_RACES; /* it counts the accesses */
		b->config.stop = STOP_DEPART;
		b->nwatched = b->nstops = 1;
		b->stops[0] = (struct board_stop){.address = r->manifest.watch.address, .touch = r->manifest.touch};
		b->plan.order = PLAN_REPLAY;
	}
	/* A limit of wall time matters only if it ended the recorded execution. */
	if (r->manifest.ending != ENDING_TIMEOUT)
		b->config.timeout_ms = 0;
	if (r->schedule.count)
		memcpy(b->schedule, r->schedule.entries, r->schedule.count * sizeof r->schedule.entries[0]);
	b->replay_entries = r->schedule.count;
	b->cut = r->cut;
	b->cut_point = r->cut_point;
	return !r->has_log || recording_give_log(p, &r->log, e);
}

int recorded_input(const struct recorded *r, struct error *e)
{
	/* The log has what was read from a pipe or a terminal. Without a log it must be typed or piped again. */
	if (!r->manifest.has_stdin && r->manifest.input != STREAM_NULL && !r->has_log)
		return 0;
	char *path =
	        r->manifest.has_stdin && !r->has_log ? must_format("%s/stdin", r->directory) : must_format("/dev/null");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		error_set(e, "cannot read %s: %s; record again", path, strerror(errno));
	free(path);
	return fd;
}

struct launch recorded_launch(const struct recorded *r, int in, int out, int err)
{
	return (struct launch){.path = r->manifest.path,
	                       /* With a log no syscall depends on the directory. */
	                       .cwd = r->has_log && access(r->manifest.cwd, X_OK) ? NULL : r->manifest.cwd,
	                       .argv = r->manifest.argv,
	                       .env = r->manifest.env,
	                       .streams = {in, out, err}};
}
