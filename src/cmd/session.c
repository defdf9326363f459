#include "cmd/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/evidence_dir.h"
#include "cmd/invariant.h"
#include "run/launch.h"
#include "run/standard_streams.h"
#include "cmd/program.h"
#include "report/line_code.h"

static char **copy_list(char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	char **copy = must_alloc((n + 1) * sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = must_format("%s", list[i]);
	return copy;
}

/* Finds the code of the lines of --without-sync. */
static bool find_without(struct manifest *m, const struct options *o, struct error *e)
{
	for (uint32_t i = 0; i < o->nwithout; i++) {
		const char *colon = strrchr(o->without[i], ':');
		char *file = must_format("%.*s", (int)(colon - o->without[i]), o->without[i]);
		size_t n = line_code(m->program, file, (unsigned)strtoul(colon + 1, NULL, 10), m->without + m->nwithout,
		                     BOARD_WITHOUT - m->nwithout);
		free(file);
		if (!n)
			return error_set(e, "%s has no code for %s; is it compiled with -g?", m->program,
			                 o->without[i]);
		m->nwithout += (uint32_t)n;
	}
	return true;
}

bool session_begin(struct manifest *m, const struct options *o, char **argv, struct error *e)
{
	struct program program;

	*m = (struct manifest){0};
	if (!program_find(argv[0], &program, e) || !evidence_check(o->data, e))
		return false;
	*m = (struct manifest){
	        .program = program.absolute,
	        .path = program.path,
	        .build_id = program.build_id,
	        .cwd = getcwd(NULL, 0),
	        .argv = copy_list(argv),
	        .env = launch_environment(environ),
	        .strategy = o->strategy,
	        .memory = o->memory,
	        .seed = o->seed,
	        .access_points = o->access_points,
	        .races = o->races,
	        .check = o->check ? CHECK_FULL : CHECK_OFF,
	        .event_budget = o->event_budget,
	        .timeout_ms = o->timeout_ms,
	};
	for (uint32_t i = 0; i < o->ninvariants; i++)
		if (!invariant_find(o->invariants[i], m->program, &m->invariants[m->ninvariants++], e))
			return false;
	m->blind = o->blind;
	if (!find_without(m, o, e))
		return false;
	if (m->cwd)
		return true;
	return error_set(e, "cannot find the current directory: %s; change to one that exists", strerror(errno));
}

struct manifest session_execution(const struct manifest *m, const struct board_result *r)
{
	struct manifest execution = *m;

	execution.kind = MANIFEST_EXECUTION;
	execution.seed = r->seed;
	execution.ending = r->ending;
	execution.status = r->status;
	execution.signature = r->signature;
	execution.points = r->points;
	execution.event_hash = r->event_hash;
	execution.message = (char *)r->message;
	return execution;
}

bool session_colour(FILE *out)
{
	const char *no_colour = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no_colour && *no_colour);
}

FILE *session_open(const struct options *o, FILE *otherwise, struct error *e)
{
	FILE *out = o->output ? fopen(o->output, "w") : otherwise;

	if (!out)
		error_set(e, "cannot write %s: %s", o->output, strerror(errno));
	return out;
}

bool session_close(const struct options *o, FILE *out, struct error *e)
{
	const char *name = o->output ? o->output : out == stdout ? "standard output" : "standard error";
	bool ok = !fflush(out) && !ferror(out);
	int error = errno;

	if (o->output)
		ok = !fclose(out) && ok;
	else
		clearerr(out); /* reported here, not again at exit */
	return ok || error_set(e, "cannot write the report to %s: %s", name, strerror(error));
}

bool session_report(const struct options *o, const struct report *r, FILE *otherwise, struct error *e)
{
	FILE *out = session_open(o, otherwise, e);

	if (!out)
		return false;
	line_begin(out);
	if (o->json)
		report_json(out, r);
	else
		report_text(out, r, session_colour(out));
	return session_close(o, out, e);
}

char *session_failure_text(const struct report *r, size_t index, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	report_failure_text(out, r, index, false);
	fclose(out);
	return text;
}
