/*
 * tiers MODE [WINDOW]: like brute (same input, same output), but with the tiers of src/predict. MODE: hb, sp, both, max,
 * max-grow; or witness (of both), max-witness and max-grow-witness, which print the traces again with a line for each
 * witness, for brute to check. WINDOW: how many events the maximal tier considers together; with max-grow, at first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predict/linear_witness.h"
#include "predict/tier_maximal.h"
#include "predict/tiers.h"
#include "predict/std_format.h"
#include "format/file.h"

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void print_pairs(const struct trace *t, const struct pairs *p)
{
	char **lines = must_alloc((p->count + 1) * sizeof *lines);

	for (size_t i = 0; i < p->count; i++) {
		const char *x = interned(&t->locations, p->list[i].location[0]);
		const char *y = interned(&t->locations, p->list[i].location[1]);
		lines[i] = must_format("%s %s", strcmp(x, y) < 0 ? x : y, strcmp(x, y) < 0 ? y : x);
	}
	qsort(lines, p->count, sizeof *lines, by_text);
	for (size_t i = 0; i < p->count; i++) {
		puts(lines[i]);
		free(lines[i]);
	}
	free(lines);
}

static void print_witness(const struct pair *r)
{
	printf("# witness %u %u:", r->event[0] + 1, r->event[1] + 1);
	for (uint32_t k = 0; k < r->witness_start; k++)
		printf(" %u", k + 1);
	for (size_t k = 0; k < r->witness_count; k++)
		printf(" %u", r->witness[k] + 1);
	puts("");
}

/* The linear tiers have two witnesses: the latest, with all events that are possible (not always), and the smallest. */
static void print_witnesses(const struct trace *t, struct pairs *p)
{
	struct sections s;

	sections_build(&s, t);
	for (size_t i = 0; i < p->count; i++) {
		struct pair *r = &p->list[i];
		if (r->tier != TIER_MAXIMAL) {
			if (witness_longest(&s, r))
				print_witness(r);
			free(r->witness);
			r->witness = NULL;
			r->witness_count = r->witness_start = 0;
			witness_shortest(&s, r);
		}
		print_witness(r);
	}
	sections_free(&s);
}

/* It always decides such small traces, and what it finds passes its check. A window that grows leaves nothing out. */
static bool maximal(const struct trace *t, struct pairs *pairs, uint32_t window, bool grows)
{
	struct maximal_options options = {.window = window, .far = grows, .grow_seconds = grows ? 60 : 0};
	struct maximal_result r;

	predict_maximal(t, pairs, &options, &r);
	bool ok = !r.broken && !r.undecided.count && !r.far.count && !r.far_more;
	if (!ok)
		fprintf(stderr, "tiers: %zu broken (%s), %zu undecided, %zu far\n", r.broken, r.first_broken,
		        r.undecided.count, r.far.count);
	maximal_result_free(&r);
	return ok;
}

static bool run(const char *text, size_t size, const char *mode, uint32_t window)
{
	struct pairs pairs = {0};
	struct trace t;
	struct error e, warning;
	FILE *in = fmemopen((void *)(size ? text : " "), size ? size : 1, "r");

	if (!std_read(in, "trace", &t, &warning, &e)) {
		fprintf(stderr, "tiers: %s\n%.*s", e.text, (int)size, text);
		fclose(in);
		return false;
	}
	fclose(in);
	bool both = !strcmp(mode, "both") || !strcmp(mode, "witness"), ok = true;
	if (both || !strcmp(mode, "hb"))
		predict_happens_before(&t, &pairs);
	if (both || !strcmp(mode, "sp"))
		predict_sync_preserving(&t, &pairs);
	if (!strncmp(mode, "max", 3))
		ok = maximal(&t, &pairs, window, strstr(mode, "grow"));
	if (!strstr(mode, "witness")) {
		print_pairs(&t, &pairs);
	} else {
		printf("%.*s", (int)size, text);
		print_witnesses(&t, &pairs);
	}
	pairs_free(&pairs);
	trace_free(&t);
	return ok;
}

int main(int argc, char **argv)
{
	struct bytes all = {0};
	struct error e;

	if (argc < 2 || argc > 3 || !file_read("/dev/stdin", 1ul << 30, &all, &e)) {
		fputs("usage: tiers hb|sp|both|max|max-grow|witness|max-witness|max-grow-witness [WINDOW] < TRACES\n",
		      stderr);
		return 2;
	}
	for (char *at = (char *)all.data, *end; at; at = end ? end + 4 : NULL) {
		end = !strncmp(at, "---\n", 4) ? at : strstr(at, "\n---\n");
		if (end && end != at)
			end++;
		if (at != (char *)all.data)
			puts("---");
		if (!run(at, end ? (size_t)(end - at) : strlen(at), argv[1],
		         argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0))
			return 1;
	}
	bytes_free(&all);
	return 0;
}
