/*
 * Detection keeps neither stack nor value of an access: that would cost too much. But an execution can be repeated
 * exactly. So its racy bytes are watched in a second run, and that one records everything.
 */
#include "cmd/explain_races.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/execute.h"
#include "cmd/session.h"
#include "run/recording_files.h"
#include "format/enum_names.h"
#include "format/schedule.h"

#define INTERRUPTED "interrupted before the execution was replayed"

/* Copies the schedule, and the bytes to watch, from the kept execution to the board. */
static bool prepare(struct process *p, const struct manifest *m, const struct execution *x, struct error *e)
{
	struct schedule s;

	if (x->lost_entries)
		return error_set(e, "its schedule was too long to keep");
	bool ok = schedule_decode("its schedule", &x->schedule, &s, e) && s.count <= SCHEDULE_MAX &&
	          process_prepare(p, e);
	if (ok) {
		configure(p->board, m, BOARD_RUN);
		p->board->config.strategy.id = STRATEGY_REPLAY;
		p->board->config.detect = DETECT_EXPLAIN;
		if (s.count)
			memcpy(p->board->schedule, s.entries, s.count * sizeof *s.entries);
		p->board->replay_entries = s.count;
		if (x->nwatched)
			memcpy(p->board->watched, x->watched, x->nwatched * sizeof *x->watched);
		p->board->nwatched = x->nwatched;
	}
	schedule_free(&s);
	return ok;
}

static bool run(struct process *p, const struct explainer *how, const struct manifest *m, struct error *e)
{
	int input = input_open(how->input, e), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct launch l = {.path = m->path,
	                   .argv = m->argv,
	                   .env = m->env,
	                   .streams = {input, nowhere, nowhere},
	                   .own_group = true,
	                   .stop = how->stop};
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

/* Whether the replay ended like the execution. */
static bool is_same(const struct board_result *was, const struct board_result *is, struct error *e)
{
	char message[sizeof is->message];

	memcpy(message, is->message, sizeof message);
	message[sizeof message - 1] = 0;
	if (is->ending == ENDING_DIVERGED)
		return error_set(e, "the execution could not be replayed: %s", message[0] ? message : "it diverged");
	if (is->ending != was->ending)
		return error_set(e, "the execution could not be replayed: it ended with %s instead of %s%s%s",
		                 ending_name(is->ending), ending_name(was->ending), message[0] ? ": " : "", message);
	return true;
}

/* Whether the input is lost: from a pipe or a terminal it went to the program alone. */
static bool input_is_gone(const struct manifest *m)
{
	return !m->has_stdin && (m->input == STREAM_PIPE || m->input == STREAM_TERMINAL);
}

static void explain_one(const struct explainer *how, struct races *all, struct execution *x)
{
	struct manifest m = session_execution(how->manifest, x->result);
	struct process p = process_nothing;
	struct error e = {{0}};

	/* An execution that took too long will do so again: more time would not show more. */
	if (x->result->ending != ENDING_TIMEOUT)
		m.timeout_ms = how->timeout_ms;
	bool ran = prepare(&p, &m, x, &e) && (!how->input->log || recording_give_log_file(&p, how->input->log, &e)) &&
	           run(&p, how, &m, &e);
	bool same = ran && is_same(x->result, &p.board->result, &e);
	if (*how->stop)
		same = error_set(&e, INTERRUPTED);
	x->replayed = true;
	if (!same)
		x->trouble = must_format("%s%s", e.text,
		                         input_is_gone(&m) ? "; its input is not kept, give it as a file" : "");
	if (ran)
		races_explain(all, x, p.board, same);
	process_end(&p);
}

/* The next execution to replay, in the order of seeds: races that it explains need no other. */
static struct execution *next(const struct races *all)
{
	struct execution *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		struct execution *x = all->list[i]->execution;
		if (!x->replayed && (!best || x->result->seed < best->result->seed))
			best = x;
	}
	return best;
}

void explain_races(const struct explainer *how, struct races *all)
{
	struct execution *x;

	while (!*how->stop && (x = next(all))) {
		if (how->progress) {
			line_begin(stderr);
			fprintf(stderr, "\r\033[Kreplaying seed %lu to explain its races", x->result->seed);
		}
		explain_one(how, all, x);
	}
	if (how->progress)
		fputs("\r\033[K", stderr);
	for (size_t i = 0; i < all->count; i++) {
		x = all->list[i]->execution;
		if (!x->replayed && !x->trouble)
			x->trouble = must_format(INTERRUPTED);
	}
}

void explain_possible_races(const struct explainer *how, struct races *all, const struct board *b)
{
	struct execution *x = execution_take(b);

	x->races++; /* keeps it until its trouble is printed */
	explain_one(how, all, x);
	if (x->trouble)
		line_begin(stderr);
	if (x->trouble)
		fprintf(stderr, "omen: %u places may have races, and the replay that would decide failed: %s\n",
		        b->npossible, x->trouble);
	if (!--x->races)
		execution_free(x);
}
