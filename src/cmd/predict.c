/* omen predict: the races that other schedules of a trace have. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "predict/std.h"
#include "predict/tell.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* By tier; NULL: there is none yet. */
static void (*const tiers[TIER_COUNT])(const struct trace *t, struct pairs *pairs) = {
        [TIER_HAPPENS_BEFORE] = predict_happens_before,
        [TIER_SYNC_PRESERVING] = predict_sync_preserving,
};

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

static void run_tiers(struct prediction *p, enum tier last)
{
	for (enum tier k = 0; k <= last && tiers[k]; k++) {
		double start = now();
		tiers[k](p->trace, &p->pairs);
		p->seconds[k] = now() - start;
		p->tier = k;
	}
}

static bool tell(const struct options *o, const struct prediction *p, struct error *e)
{
	FILE *out = o->output ? fopen(o->output, "w") : stdout;

	if (!out)
		return error_set(e, "cannot write %s: %s", o->output, strerror(errno));
	if (o->json)
		tell_json(out, p);
	else
		tell_text(out, p);
	bool ok = !fflush(out) && !ferror(out);
	int error = errno;
	if (o->output)
		ok = !fclose(out) && ok;
	else
		clearerr(out); /* told here, not again at exit */
	return ok || error_set(e, "cannot write the report to %s: %s", o->output ? o->output : "standard output",
	                       strerror(error));
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
	run_tiers(&p, o->tier);
	int status = p.pairs.count ? EXIT_FOUND : EXIT_NOTHING;
	if (!tell(o, &p, &e))
		status = complain(EXIT_OMEN, &e);
	pairs_free(&p.pairs);
	trace_free(&t);
	return status;
}
