/* omen predict: the races that other schedules of a trace have. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/session.h"
#include "predict/std.h"
#include "predict/tell.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool read_trace(const char *name, struct trace *t, struct error *e)
{
	bool standard = !strcmp(name, "-");
	FILE *in = standard ? stdin : fopen(name, "r");

	if (!in)
		return error_set(e, "cannot read %s: %s", name, strerror(errno));
	bool ok = std_read(in, standard ? "standard input" : name, t, e);
	if (!standard)
		fclose(in);
	return ok;
}

/* What is seen of a long search, a few times a second. */
struct show {
	uint32_t events;
	double at;
};

static void show_progress(void *context, uint32_t event, size_t asked, size_t found)
{
	struct show *s = context;

	if (now() - s->at < 0.2)
		return;
	s->at = now();
	fprintf(stderr, "\r\033[K%u/%u events · %zu pairs asked · %zu race%s", event, s->events, asked, found,
	        found == 1 ? "" : "s");
}

static void run_maximal(struct prediction *p, const struct options *o)
{
	struct show show = {.events = p->trace->count};
	struct maximal_options options = {.window = (uint32_t)o->window,
	                                  .seconds = (double)o->budget_seconds,
	                                  .progress = isatty(2) ? show_progress : NULL,
	                                  .context = &show};

	predict_maximal(p->trace, &p->pairs, &options, &p->maximal);
	if (show.at > 0)
		fputs("\r\033[K", stderr);
}

static void run_tiers(struct prediction *p, const struct options *o)
{
	for (enum tier k = 0; k <= o->tier; k++) {
		double start = now();
		switch (k) {
		case TIER_HAPPENS_BEFORE:
			predict_happens_before(p->trace, &p->pairs);
			break;
		case TIER_SYNC_PRESERVING:
			predict_sync_preserving(p->trace, &p->pairs);
			break;
		case TIER_MAXIMAL:
			run_maximal(p, o);
			break;
		case TIER_COUNT:
			break;
		}
		p->seconds[k] = now() - start;
		p->tier = k;
	}
}

static bool tell(const struct options *o, const struct prediction *p, struct error *e)
{
	FILE *out = session_open(o, stdout, e);

	if (!out)
		return false;
	if (o->json)
		tell_json(out, p);
	else
		tell_text(out, p);
	return session_close(o, out, e);
}

int cmd_predict(const struct options *o, int argc, char **argv)
{
	struct prediction p = {.name = argv[0]};
	struct trace t;
	struct error e;
	double start = now();

	if (argc > 1) {
		error_set(&e, "cannot predict from %s: one trace at a time", argv[1]);
		return complain(EXIT_USE, &e);
	}
	if (!read_trace(argv[0], &t, &e))
		return complain(EXIT_USE, &e);
	p.trace = &t;
	p.read_seconds = now() - start;
	run_tiers(&p, o);
	int status = p.pairs.count ? EXIT_FOUND : EXIT_NOTHING;
	if (!tell(o, &p, &e))
		status = complain(EXIT_OMEN, &e);
	if (p.maximal.broken) {
		error_set(&e,
		          "%zu answers of the solver broke the rules of the trace, and are not told: a fault of omen's "
		          "(%.400s)",
		          p.maximal.broken, p.maximal.first_broken);
		status = complain(EXIT_OMEN, &e);
	}
	maximal_result_free(&p.maximal);
	pairs_free(&p.pairs);
	trace_free(&t);
	return status;
}
