#include "classify/replayer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define SLICE_MS     50
#define FEWEST_MS    1000 /* least time for one execution; and its part of the budget */
#define SHARE        4
#define OUTPUT_LIMIT (16u << 20)

const struct replayer replayer_nothing = {
        .process = {.pidfd = -1, .control = -1, .program_control = -1, .board_fd = -1}, .output = {-1, -1}};

char replayer_hear(struct replayer *r)
{
	struct pollfd ready = {.fd = r->process.control, .events = POLLIN};
	char said;
	ssize_t n;

	while (poll(&ready, 1, SLICE_MS) <= 0)
		if (classifier_must_give_up(r->classifier))
			return 0;
	while ((n = read(r->process.control, &said, 1)) < 0 && errno == EINTR)
		;
	return n == 1 ? said : 0;
}

bool replayer_say(struct replayer *r, char what) { return write(r->process.control, &what, 1) == 1; }

/* One execution must not take the whole budget: if it takes longer than this, it shows nothing. */
static uint64_t execution_ms(const struct classify_config *c)
{
	uint64_t share = c->budget_seconds * 1000 / SHARE;

	if (c->timeout_ms)
		return c->timeout_ms;
	return share < FEWEST_MS ? FEWEST_MS : share;
}

bool replayer_prepare(struct replayer *r, const struct classifier *c, const struct execution *x, struct error *e)
{
	*r = replayer_nothing;
	r->classifier = c;
	if (classifier_must_give_up(c))
		return error_set(e, "the time was up (--budget)");
	if (!execution_prepare(x, &r->process, c->manifest, c->input, e))
		return false;
	struct board_config *config = &r->process.board->config;
	config->timeout_ms = execution_ms(c->config);
	config->check = classifier_check(c);
	config->note_outputs = true;
	config->only_forks = c->config->no_rewind;
	return true;
}

bool replayer_start(struct replayer *r, const struct classifier *c, struct error *e)
{
	const struct manifest *m = c->manifest;
	int input = input_open(c->input, e);

	for (int i = 0; i < 2; i++)
		r->output[i] = capture_open(e);
	struct launch l = {.path = m->path,
	                   .argv = m->argv,
	                   .env = m->env,
	                   .streams = {input, r->output[0], r->output[1]},
	                   .own_group = true};
	bool ok = input >= 0 && r->output[0] >= 0 && r->output[1] >= 0 && process_start(&r->process, &l, e);
	if (input >= 0)
		close(input);
	return ok;
}

bool replayer_wait(struct replayer *r)
{
	struct pollfd gone = {.fd = r->process.pidfd, .events = POLLIN};

	while (poll(&gone, 1, SLICE_MS) <= 0)
		if (classifier_must_give_up(r->classifier))
			return false;
	return true;
}

void replayer_depart(struct replayer *r, const struct board_watch *watch, uint64_t touch)
{
	struct board *b = r->process.board;

	b->config.stop = STOP_DEPART;
	b->watched[0] = *watch;
	b->stops[0] = (struct board_stop){.address = watch->address, .touch = touch};
	b->nwatched = b->nstops = 1;
	b->plan.order = PLAN_REPLAY;
}

void replayer_take(const struct replayer *r, struct trial *t)
{
	const struct board_result *result = &r->process.board->result;

	t->ending = result->ending;
	t->status = result->status;
	t->signature = result->signature;
	t->tolerated = r->process.board->tolerated;
	for (int i = 0; i < 2; i++)
		t->printed[i] = capture_read(r->output[i], OUTPUT_LIMIT);
	trial_take_output(t, r->process.board);
}

void replayer_end(struct replayer *r)
{
	process_end(&r->process);
	for (int i = 0; i < 2; i++)
		if (r->output[i] >= 0)
			close(r->output[i]);
	*r = replayer_nothing;
}
