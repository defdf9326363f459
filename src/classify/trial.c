#include "classify/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/names.h"

#define LINE_SHOWN 200

void trial_free(struct trial *t)
{
	for (int i = 0; i < 2; i++)
		bytes_free(&t->output[i]);
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

bool trial_same_output(const struct trial *a, const struct trial *b)
{
	return a->ending == b->ending && a->status == b->status && same_bytes(&a->output[0], &b->output[0]) &&
	       same_bytes(&a->output[1], &b->output[1]);
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

bool trial_is_complete(const struct trial *t) { return t->ending == ENDING_EXIT || t->ending == ENDING_STATUS; }

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

bool trial_same_lines(const struct trial *a, const struct trial *b)
{
	bool same = a->ending == b->ending && a->status == b->status;

	for (int i = 0; i < 2 && same; i++) {
		struct bytes x = sorted(&a->output[i]), y = sorted(&b->output[i]);
		same = same_bytes(&x, &y);
		bytes_free(&x);
		bytes_free(&y);
	}
	return same;
}

void trial_difference(struct verdict *v, const struct trial *primary, const struct trial *other)
{
	for (int d = 0; d < 2; d++) {
		const struct bytes *a = &primary->output[d], *b = &other->output[d];
		size_t at = 0, line = 0;
		if (same_bytes(a, b))
			continue;
		for (; at < a->size && at < b->size && a->data[at] == b->data[at]; at++)
			if (a->data[at] == '\n')
				line = at + 1;
		v->descriptor = d + 1;
		for (int i = 0; i < 2; i++) {
			const struct bytes *from = i ? b : a;
			size_t n = from->size > line ? from->size - line : 0;
			const void *end = n ? memchr(from->data + line, '\n', n) : NULL;
			n = end ? (size_t)((const uint8_t *)end - from->data - line) : n;
			bytes_add(&v->output[i], n ? from->data + line : (const uint8_t *)"",
			          n < LINE_SHOWN ? n : LINE_SHOWN);
		}
		return;
	}
	char text[32];
	for (int i = 0; i < 2; i++) {
		snprintf(text, sizeof text, "%d", i ? other->status : primary->status);
		bytes_add(&v->output[i], text, strlen(text));
	}
}
