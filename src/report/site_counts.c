#include "report/site_counts.h"

#include <stdlib.h>
#include <string.h>

#include "report/print.h"
#include "report/symbol.h"

static int by_count(const void *a, const void *b)
{
	const struct board_count *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return x->site < y->site ? -1 : x->site > y->site;
}

void site_counts_print(FILE *out, const struct board *b)
{
	static struct board_count sorted[BOARD_COUNTS];

	memcpy(sorted, b->counts, sizeof sorted);
	qsort(sorted, BOARD_COUNTS, sizeof *sorted, by_count);
	fprintf(out, "omen: how often each site was executed:\n");
	for (size_t i = 0; i < BOARD_COUNTS && sorted[i].count; i++) {
		struct frame f = {0};
		symbol_site(&b->result, sorted[i].site, &f);
		fprintf(out, "%12lu  %-14s ", sorted[i].count, f.operation ? f.operation : "?");
		print_place(out, &f);
		fputc('\n', out);
	}
	if (b->counts_lost)
		fprintf(out, "and %lu executions of sites for which there was no room\n", b->counts_lost);
}
