#include "report/output_table.h"

#include <stdlib.h>

static struct output *find(struct outputs *all, uint64_t hash)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].hash == hash)
			return &all->list[i];
	return NULL;
}

void outputs_take(struct outputs *all, const struct board *b, struct bytes text)
{
	uint64_t hash = b->stdouts[b->nstdouts - 1].hash, seed = b->result.seed;
	struct output *known = find(all, hash);

	if (known) { /* another worker has seen it */
		known->seed = seed < known->seed ? seed : known->seed;
		bytes_free(&text);
		return;
	}
	all->list = must_resize(all->list, (all->count + 1) * sizeof *all->list);
	all->list[all->count++] = (struct output){.hash = hash, .seed = seed, .text = text};
}

void outputs_count(struct outputs *all, const struct board *b)
{
	all->lost += b->stdouts_lost;
	for (uint32_t i = 0; i < b->nstdouts; i++) {
		struct output *o = find(all, b->stdouts[i].hash);
		if (o)
			o->count += b->stdouts[i].count;
	}
}

static int by_count(const void *a, const void *b)
{
	const struct output *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->seed < y->seed ? -1 : x->seed > y->seed;
}

void outputs_sort(struct outputs *all)
{
	if (all->count)
		qsort(all->list, all->count, sizeof *all->list, by_count);
}

void outputs_free(struct outputs *all)
{
	for (size_t i = 0; i < all->count; i++)
		bytes_free(&all->list[i].text);
	free(all->list);
	*all = (struct outputs){0};
}
