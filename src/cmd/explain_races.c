/*
 * Detection keeps neither stack nor value of an access: that would cost too much. But an execution can be repeated
 * exactly. So its racy bytes are watched in a second run, and that one records everything.
 */
#include "cmd/explain_races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/explaining_replay.h"
#include "format/enum_names.h"

#define INTERRUPTED "interrupted before the execution was replayed"

/* Says how the replay ended otherwise than the execution. */
static void set_difference(const struct board_result *was, const struct board_result *is, struct error *e)
{
	char message[sizeof is->message];

	memcpy(message, is->message, sizeof message);
	message[sizeof message - 1] = 0;
	if (is->ending == ENDING_DIVERGED)
		error_set(e, "the execution could not be replayed: %s", message[0] ? message : "it diverged");
	else
		error_set(e, "the execution could not be replayed: it ended with %s instead of %s%s%s",
		          ending_name(is->ending), ending_name(was->ending), message[0] ? ": " : "", message);
}

/* Whether the input is lost: from a pipe or a terminal it went to the program alone. */
static bool input_is_gone(const struct manifest *m)
{
	return !m->has_stdin && (m->input == STREAM_PIPE || m->input == STREAM_TERMINAL);
}

static void explain_one(const struct explainer *how, struct races *all, struct execution *x)
{
	/* An execution that took too long will do so again: more time would not show more. */
	bool too_long = x->result->ending == ENDING_TIMEOUT;
	const struct explaining_replay replay = {.manifest = how->manifest,
	                                         .input = how->input,
	                                         .timeout_ms = too_long ? how->manifest->timeout_ms : how->timeout_ms,
	                                         .stop = how->stop};
	struct process p = process_nothing;
	struct error e = {{0}};
	enum replayed replayed = explaining_replay(&replay, x, &p, &e);

	if (replayed == REPLAYED_DIFFERS)
		set_difference(x->result, &p.board->result, &e);
	if (*how->stop)
		error_set(&e, INTERRUPTED);
	bool same = replayed == REPLAYED && !*how->stop;
	x->replayed = true;
	if (!same)
		x->trouble =
		        must_format("%s%s", e.text,
		                    input_is_gone(how->manifest) ? "; its input is not kept, give it as a file" : "");
	if (replayed != REPLAYED_NOT)
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
