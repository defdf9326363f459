#include "classify/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/enum_names.h"

struct trial trial_of_result(const struct board_result *r)
{
	return (struct trial){.ending = r->ending, .status = r->status, .signature = r->signature};
}

void trial_free_plain(struct trial *t)
{
	if (t->plain)
		trial_free(t->plain);
	free(t->plain);
	t->plain = NULL;
}

void trial_free(struct trial *t)
{
	trial_free_plain(t);
	for (int i = 0; i < 2; i++)
		bytes_free(&t->printed[i]);
	for (uint32_t i = 0; t->kept && i < t->noutputs; i++)
		bytes_free(&t->kept[i]);
	free(t->kept);
	free(t->outputs);
	if (t->execution)
		execution_free(t->execution);
	*t = (struct trial){0};
}

void trials_free(struct trials *all)
{
	for (size_t i = 0; i < all->count; i++)
		trial_free(&all->list[i]);
	free(all->list);
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->size == b->size && (!a->size || !memcmp(a->data, b->data, a->size));
}

static void take_kept(struct trial *t, const struct board *b)
{
	t->kept = must_alloc((t->noutputs + 1) * sizeof *t->kept);
	for (uint32_t i = 0; i < t->noutputs; i++) {
		const struct board_output *g = &t->outputs[i];
		bool there = g->kept <= sizeof b->capture.bytes && g->kept_at <= sizeof b->capture.bytes - g->kept;
		t->kept[i] = (struct bytes){0};
		if (there)
			bytes_add(&t->kept[i], b->capture.bytes + g->kept_at, g->kept);
		else
			t->outputs[i].kept = OUTPUT_UNKEPT;
	}
}

void trial_take_output(struct trial *t, const struct board *b)
{
	t->noutputs = b->noutputs < BOARD_OUTPUTS ? b->noutputs : BOARD_OUTPUTS;
	t->outputs_lost = b->outputs_lost;
	t->outputs = must_alloc((t->noutputs + 1) * sizeof *t->outputs);
	memcpy(t->outputs, b->outputs, t->noutputs * sizeof *t->outputs);
	for (uint32_t i = 0; i < t->noutputs; i++)
		t->outputs[i].name[OUTPUT_NAME - 1] = 0;
	if (b->plan.keep_outputs)
		take_kept(t, b);
	memcpy(t->outputs_hash, b->outputs_hash, sizeof t->outputs_hash);
	memcpy(t->printed_size, b->printed_size, sizeof t->printed_size);
	memcpy(t->printed_hash, b->printed_hash, sizeof t->printed_hash);
}

void trial_copy_output(struct trial *to, const struct trial *from)
{
	*to = *from;
	to->execution = NULL;
	to->plain = NULL;
	to->kept = NULL;
	to->outputs = must_alloc((from->noutputs + 1) * sizeof *to->outputs);
	if (from->noutputs)
		memcpy(to->outputs, from->outputs, from->noutputs * sizeof *to->outputs);
	for (int i = 0; i < 2; i++) {
		to->printed[i] = (struct bytes){0};
		bytes_add(&to->printed[i], from->printed[i].data, from->printed[i].size);
	}
}

bool trial_is_violation(const struct trial *t)
{
	return ending_is_failure(t->ending) && t->ending != ENDING_STATUS && t->ending != ENDING_BUDGET &&
	       t->ending != ENDING_TIMEOUT && t->ending != ENDING_DIVERGED && t->ending != ENDING_OMEN;
}

bool trial_same_violation(const struct trial *a, const struct trial *b)
{
	bool stuck = a->ending == ENDING_DEADLOCK || a->ending == ENDING_LOOP;

	return trial_is_violation(a) && a->ending == b->ending && (stuck || a->signature == b->signature);
}

bool trial_is_complete(const struct trial *t) { return ending_is_complete(t->ending, t->status); }

static bool is_beginning(const struct bytes *a, const struct bytes *b)
{
	size_t size = a->size < b->size ? a->size : b->size;

	return !size || !memcmp(a->data, b->data, size);
}

bool trial_agrees(const struct trial *a, const struct trial *b)
{
	return (a->ending == ENDING_ENDED || b->ending == ENDING_ENDED) &&
	       is_beginning(&a->printed[0], &b->printed[0]) && is_beginning(&a->printed[1], &b->printed[1]) &&
	       a->outputs_hash[SAME_BYTES] == b->outputs_hash[SAME_BYTES];
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The lines of an output, sorted. */
static struct bytes sorted(const struct bytes *b)
{
	char *text = must_format("%.*s", (int)b->size, b->size ? (const char *)b->data : ""), **lines = NULL, *save;
	size_t n = 0;
	struct bytes out = {0};

	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		lines = must_resize(lines, (n + 1) * sizeof *lines);
		lines[n++] = l;
	}
	if (n)
		qsort(lines, n, sizeof *lines, by_text);
	for (size_t i = 0; i < n; i++) {
		bytes_add(&out, lines[i], strlen(lines[i]));
		bytes_add(&out, "\n", 1);
	}
	free(lines);
	free(text);
	return out;
}

bool trial_same_part(const struct trial *a, const struct trial *b, enum part part, enum sameness how)
{
	if (a->plain && b->plain)
		return trial_same_part(a->plain, b->plain, part, how);
	if (part == PART_OTHER)
		return a->outputs_hash[how] == b->outputs_hash[how];
	if (how == SAME_BYTES)
		return same_bytes(&a->printed[part], &b->printed[part]) &&
		       a->printed_size[part] == b->printed_size[part] && a->printed_hash[part] == b->printed_hash[part];
	struct bytes x = sorted(&a->printed[part]), y = sorted(&b->printed[part]);
	bool same = same_bytes(&x, &y);
	bytes_free(&x);
	bytes_free(&y);
	return same;
}

bool trial_same_end(const struct trial *a, const struct trial *b)
{
	return a->ending == b->ending && a->status == b->status;
}

static bool same_parts(const struct trial *a, const struct trial *b, enum sameness how)
{
	bool same = trial_same_end(a, b);

	for (enum part part = 0; part < PARTS && same; part++)
		same = trial_same_part(a, b, part, how);
	return same;
}

bool trial_same_output(const struct trial *a, const struct trial *b) { return same_parts(a, b, SAME_BYTES); }
bool trial_same_lines(const struct trial *a, const struct trial *b) { return same_parts(a, b, SAME_LINES); }
