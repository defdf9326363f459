#include "cmd/from_snapshot.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "run/execute.h"
#include "format/enum_names.h"

#define OUTPUT_LIMIT (64u << 20)

/* Executions with the same ending and the same outputs. */
struct kind {
	uint32_t ending;
	int status;
	uint64_t signature, first_seed, count;
	struct bytes output;
	uint32_t other_outputs; /* other streams that were written, and files that were changed */
	uint64_t other_hash;    /* the hash of what they got */
	char message[200];
};

struct snapshot_replay {
	const struct options *options;
	const struct recorded *recorded;
	struct process process;
	int output[2];
	struct kind *kinds;
	size_t count;
	uint64_t invented;
	char invention[120];
};

static bool is_kind(const struct kind *k, const struct board *b, const struct bytes *output)
{
	const struct board_result *r = &b->result;

	return k->ending == r->ending && k->status == r->status && k->signature == r->signature &&
	       k->other_hash == b->outputs_hash[SAME_BYTES] && k->output.size == output->size &&
	       (!output->size || !memcmp(k->output.data, output->data, output->size));
}

/* Takes the execution on the board, which has ended. */
static void take_execution(struct snapshot_replay *x)
{
	const struct board *b = x->process.board;
	const struct board_result *r = &b->result;
	struct bytes output = capture_read(x->output[0], OUTPUT_LIMIT);
	size_t i = 0;

	if (b->invented && !x->invented++)
		snprintf(x->invention, sizeof x->invention, "%s", b->invention);
	while (i < x->count && !is_kind(&x->kinds[i], b, &output))
		i++;
	if (i < x->count) {
		x->kinds[i].count++;
		bytes_free(&output);
		return;
	}
	x->kinds = must_resize(x->kinds, (x->count + 1) * sizeof *x->kinds);
	struct kind *k = &x->kinds[x->count++];
	*k = (struct kind){.ending = r->ending,
	                   .status = r->status,
	                   .signature = r->signature,
	                   .first_seed = r->seed,
	                   .count = 1,
	                   .output = output,
	                   .other_outputs = b->noutputs + b->outputs_lost,
	                   .other_hash = b->outputs_hash[SAME_BYTES]};
	snprintf(k->message, sizeof k->message, "%s", r->message);
}

/* Waits until all executions were made. False: the process ended before. */
static bool collect(struct snapshot_replay *x, struct error *e)
{
	struct process *p = &x->process;
	char said;

	for (;;) {
		ssize_t n = read(p->control, &said, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 1 && said == 'E')
			return true;
		if (n != 1 || said != 'R')
			break;
		take_execution(x);
		if (write(p->control, "", 1) != 1)
			break;
	}
	const struct board_result *r = &p->board->result;
	struct pollfd gone = {.fd = p->pidfd, .events = POLLIN};
	poll(&gone, 1, 1000);
	if (r->ending == ENDING_NONE)
		return error_set(e, "the replay of %s ended before point %lu", x->recorded->directory,
		                 x->options->snapshot_at);
	return error_set(e, "the replay of %s ended before point %lu: %s%s%s", x->recorded->directory,
	                 x->options->snapshot_at, ending_name(r->ending), r->message[0] ? ": " : "", r->message);
}

static bool as_recorded(const struct snapshot_replay *x, const struct kind *k)
{
	const struct manifest *m = &x->recorded->manifest;

	return x->recorded->cut ? k->ending == ENDING_CUT : k->ending == m->ending && k->status == m->status;
}

static int print_kinds(const struct snapshot_replay *x)
{
	bool strategy_given = x->options->strategy_given, found = false, differs = false;

	for (size_t i = 0; i < x->count; i++) {
		const struct kind *k = &x->kinds[i];
		printf("%lu execution%s%s: %s%s%s; %zu bytes of output", k->count, k->count == 1 ? "" : "s",
		       as_recorded(x, k) ? ", as recorded" : "", ending_name(k->ending), k->message[0] ? ": " : "",
		       k->message, k->output.size);
		if (k->other_outputs)
			printf(", %u other stream%s and files (%016lx)", k->other_outputs,
			       k->other_outputs == 1 ? "" : "s", k->other_hash);
		if (strategy_given)
			printf(" (seed %lu)", k->first_seed);
		putchar('\n');
		if (x->options->outputs)
			fwrite(k->output.data, 1, k->output.size, stdout);
		found |= ending_is_failure(k->ending);
		differs |= !as_recorded(x, k);
	}
	if (x->invented)
		printf("in %lu of them the model had to invent the result of a syscall, first: %s\n", x->invented,
		       x->invention);
	if (!strategy_given && (differs || x->count > 1)) {
		struct error e;
		error_set(&e, "executions from a snapshot of %s at point %lu differ", x->recorded->directory,
		          x->options->snapshot_at);
		return complain(EXIT_OMEN, &e);
	}
	return found ? EXIT_FOUND : EXIT_NOTHING;
}

static bool run_replay(struct snapshot_replay *x, struct error *e)
{
	const struct options *o = x->options;
	struct process *p = &x->process;
	int input = recorded_input(x->recorded, e);

	if (input < 0 || !process_prepare(p, e) || !recorded_prepare(x->recorded, p, e))
		return false;
	x->output[0] = capture_open(e);
	x->output[1] = capture_open(e);
	if (x->output[0] < 0 || x->output[1] < 0)
		return false;
	struct board_config *c = &p->board->config;
	c->stop_at = o->snapshot_at;
	c->stop = STOP_SERVE;
	c->note_outputs = true;
	c->runs = o->runs;
	c->seed = o->strategy_given ? o->seed : x->recorded->manifest.seed;
	c->step = o->strategy_given;
	c->next_strategy.id = STRATEGY_REPLAY;
	if (o->strategy_given)
		c->next_strategy = o->strategy;
	c->timeout_ms = o->timeout_ms;
	c->event_budget = o->event_budget;
	struct launch l = recorded_launch(x->recorded, input, x->output[0], x->output[1]);
	l.own_group = true;
	return process_start(p, &l, e) && collect(x, e);
}

int replay_from_snapshot(const struct options *o, const struct recorded *r)
{
	struct snapshot_replay x = {.options = o, .recorded = r, .process = process_nothing, .output = {-1, -1}};
	struct error e;
	int status = EXIT_USE;

	if (!r->has_log)
		error_set(
		        &e,
		        "cannot continue from a snapshot of %s: it has no log; only a recording of omen record has one",
		        r->directory);
	else
		status = run_replay(&x, &e) ? print_kinds(&x) : EXIT_OMEN;
	if (!x.count)
		complain(status, &e);
	for (size_t i = 0; i < x.count; i++)
		bytes_free(&x.kinds[i].output);
	free(x.kinds);
	process_end(&x.process);
	for (int i = 0; i < 2; i++)
		if (x.output[i] >= 0)
			close(x.output[i]);
	return status;
}
