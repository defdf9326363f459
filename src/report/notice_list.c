#include "report/notice_list.h"

#include <stdlib.h>
#include <string.h>

#include "report/print.h"
#include "report/findings.h"
#include "report/symbol.h"
#include "format/file.h"

static const char *const names[] = {
#define X(id, name) [NOTICE_##id] = name,
        NOTICE_KINDS(X)
#undef X
};

const char *notice_name(const struct notice *n) { return n->seen.kind < NOTICES ? names[n->seen.kind] : ""; }

/* Removes the same notice if its execution has a larger seed.  False: the list has the notice with a smaller one. */
static bool make_way(struct notices *all, const struct board_notice *seen)
{
	for (size_t i = 0; i < all->count; i++) {
		struct notice *n = all->list[i];
		if (n->seen.kind != seen->kind || n->seen.key != seen->key)
			continue;
		if (n->seen.seed <= seen->seed)
			return false;
		free(n->result);
		free(n);
		memmove(&all->list[i], &all->list[i + 1], (--all->count - i) * sizeof(struct notice *));
		return true;
	}
	return true;
}

/* Keeps the list ordered by seed, so that it does not depend on which worker is faster. */
static void insert(struct notices *all, struct notice *new)
{
	size_t at = all->count;

	all->list = must_resize(all->list, (all->count + 1) * sizeof(struct notice *));
	for (; at && all->list[at - 1]->seen.seed > new->seen.seed; at--)
		all->list[at] = all->list[at - 1];
	all->list[at] = new;
	all->count++;
}

uint32_t notices_take(struct notices *all, const struct board *b, uint32_t from)
{
	uint32_t n = b->nnotices < BOARD_NOTICES ? b->nnotices : BOARD_NOTICES;

	for (uint32_t i = from; i < n; i++) {
		if (!make_way(all, &b->notices[i]))
			continue;
		struct notice *new = must_alloc(sizeof *new);
		new->seen = b->notices[i];
		new->seen.message[sizeof new->seen.message - 1] = 0;
		new->result = must_alloc(sizeof *new->result);
		*new->result = b->result;
		insert(all, new);
	}
	return n;
}

void notices_free(struct notices *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->list[i]->result);
		free(all->list[i]);
	}
	free(all->list);
	*all = (struct notices){0};
}

/* Whether a call is on the stack.  The innermost address is that of the call, the others are return addresses. */
static bool has_pc(const struct board_stack *s, uint64_t pc)
{
	for (uint32_t i = 0; i < s->depth; i++)
		if (s->pc[i] == pc || s->pc[i] == pc + 1)
			return true;
	return false;
}

/* Whether a thread of the wait-for cycle waits in the innermost call of `s`. */
static bool waits_at(const struct board_result *r, const struct board_stack *s)
{
	for (uint32_t i = 0; i < r->nstacks; i++)
		if (r->stacks[i].in_cycle && s->depth && has_pc(&r->stacks[i], s->pc[0]))
			return true;
	return false;
}

/* Whether the deadlock has a waiting thread in every call of the notice. */
static bool is_confirmed_by(const struct notice *n, const struct board_result *r)
{
	if (r->ending != ENDING_DEADLOCK)
		return false;
	for (uint32_t i = 0; i < n->seen.nstacks; i++)
		if (!waits_at(r, &n->seen.stack[i]))
			return false;
	return true;
}

static void judge(struct notice *n, const struct failures *failures, uint64_t executions,
                  const struct interleavings *every)
{
	for (size_t i = 0; i < failures->count; i++)
		if (is_confirmed_by(n, failures->list[i]->result)) {
			snprintf(n->judged, sizeof n->judged, "an execution deadlocks there: failure #%zu", i + 1);
			n->failure = i + 1;
			return;
		}
	if (every->complete)
		snprintf(n->judged, sizeof n->judged, "none of all %lu interleavings of this input deadlocks there",
		         every->count);
	else
		snprintf(n->judged, sizeof n->judged, "none of %lu executions has deadlocked there", executions);
}

void notices_judge(struct notices *all, const struct failures *failures, uint64_t executions,
                   const struct interleavings *every)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i]->seen.kind == NOTICE_LOCK_ORDER)
			judge(all->list[i], failures, executions, every);
}

static void message_of(const struct notice *n, char *out, size_t size)
{
	symbol_annotate(n->result, n->seen.message, out, size);
}

static uint32_t stacks_of(const struct notice *n)
{
	return n->seen.nstacks < NOTICE_STACKS ? n->seen.nstacks : NOTICE_STACKS;
}

static void print_notice(FILE *out, const struct notice *n)
{
	struct frame frames[STACK_FRAMES];
	char message[1024];

	message_of(n, message, sizeof message);
	fprintf(out, "%s: %s\n", notice_name(n), message);
	if (n->judged[0])
		fprintf(out, "    %s\n", n->judged);
	for (uint32_t i = 0; i < stacks_of(n); i++) {
		const struct board_stack *s = &n->seen.stack[i];
		fprintf(out, "    T%u%s:\n", s->fiber, n->seen.kind == NOTICE_THREAD_LEAK ? " created it" : "");
		print_frames(out, frames, symbol_stack(n->result, s, frames, STACK_FRAMES));
	}
	fputc('\n', out);
}

void notices_text(FILE *out, const struct notices *all)
{
	for (size_t i = 0; i < all->count; i++)
		print_notice(out, all->list[i]);
}

static void write_stacks(struct json_writer *w, const struct notice *n)
{
	struct frame frames[STACK_FRAMES];

	json_open(w, "stacks", '[');
	for (uint32_t i = 0; i < stacks_of(n); i++) {
		const struct board_stack *s = &n->seen.stack[i];
		size_t count = symbol_stack(n->result, s, frames, STACK_FRAMES);
		const struct frame *own = symbol_own_frame(frames, count);
		json_open(w, NULL, '{');
		json_number(w, "thread", s->fiber);
		if (own)
			report_place_json(w, own);
		report_frames_json(w, frames, count);
		json_close(w, '}');
	}
	json_close(w, ']');
}

void notices_json(struct json_writer *w, const struct notices *all)
{
	char message[1024];

	json_open(w, "notices", '[');
	for (size_t i = 0; i < all->count; i++) {
		const struct notice *n = all->list[i];
		message_of(n, message, sizeof message);
		json_open(w, NULL, '{');
		json_string(w, "kind", notice_name(n));
		json_string(w, "message", message);
		if (n->judged[0])
			json_string(w, "judged", n->judged);
		if (n->failure)
			json_number(w, "failure", n->failure);
		json_number(w, "seed", n->seen.seed);
		write_stacks(w, n);
		json_close(w, '}');
	}
	json_close(w, ']');
}
