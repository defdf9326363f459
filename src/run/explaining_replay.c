#include "run/explaining_replay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "run/execute.h"

static bool run(const struct explaining_replay *how, struct process *p, struct error *e)
{
	const struct manifest *m = how->manifest;
	int input = input_open(how->input, e), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct launch l = {.path = m->path,
	                   .argv = m->argv,
	                   .env = m->env,
	                   .streams = {input, nowhere, nowhere},
	                   .own_group = true,
	                   .stop = how->stop,
	                   .tick = how->tick,
	                   .tick_argument = how->tick_argument};
	bool ok = input >= 0;

	if (nowhere < 0)
		ok = error_set(e, "cannot open /dev/null: %s", strerror(errno));
	ok = ok && execute(p, &l, e);
	if (input >= 0)
		close(input);
	if (nowhere >= 0)
		close(nowhere);
	return ok;
}

enum replayed explaining_replay(const struct explaining_replay *how, const struct execution *x, struct process *p,
                                struct error *e)
{
	if (x->lost_entries)
		error_set(e, "its schedule was too long to keep");
	if (x->lost_entries || !execution_prepare(x, p, how->manifest, how->input, e))
		return REPLAYED_NOT;
	p->board->config.detect = DETECT_EXPLAIN;
	p->board->config.note_outputs = x->departs_at != 0;
	p->board->config.timeout_ms = how->timeout_ms;
	if (!run(how, p, e))
		return REPLAYED_NOT;
	return p->board->result.ending == x->result->ending ? REPLAYED : REPLAYED_DIFFERS;
}
