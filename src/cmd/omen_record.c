/* omen record: one execution, with the user's own input and output, kept in the evidence directory. */
#include "cmd/cmd.h"
#include "cmd/make_recording.h"
#include "cmd/session.h"

static int finish(struct recording *x)
{
	const struct options *o = x->options;
	const struct report *r = &x->report;
	int status = recording_status(x);
	struct error e;

	if (!recording_keep(x))
		status = EXIT_OMEN;
	/* If nothing was found, a person needs no report. A program that asked for JSON gets one always. */
	bool wanted = r->count || r->race_count || r->suppressed || o->json || o->output;
	if (wanted && !session_report(o, r, stderr, &e))
		status = complain(EXIT_OMEN, &e);
	return status;
}

int cmd_record(const struct options *o, int argc, char **argv)
{
	struct recording x;
	int status = recording_make(&x, o, argv, NULL);

	(void)argc;
	if (x.failure) {
		int finish_status = finish(&x);
		status = status ? status : finish_status;
	}
	recording_free(&x);
	return status;
}
