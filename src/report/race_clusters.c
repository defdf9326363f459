/*
 * Groups races that a reader takes for one: they are on the same variable or heap block, and the functions on the two
 * stacks are the same.
 */
#include "report/race_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/module.h"
#include "report/raced_memory.h"

/* Cuts "[3]" from a name: all elements of an array are one location. */
static void drop_indices(char *name)
{
	char *to = name;

	for (int depth = 0; *name; name++) {
		depth += *name == '[';
		if (!depth)
			*to++ = *name;
		depth -= *name == ']';
	}
	*to = 0;
}

/*
 * The variable; of a heap block, the place of its allocation and the offset in it.  A race on anything else gets a
 * location of its own.
 */
static char *location_of(const struct race *r)
{
	struct raced_memory m;
	struct frame frames[STACK_FRAMES];
	const struct board_race *b = &r->seen;
	const struct frame *own = NULL;

	raced_memory_of(r, &m);
	drop_indices(m.global);
	if (m.global[0])
		return must_format("variable %s", m.global);
	if (b->block && b->allocation.depth)
		own = symbol_own_frame(frames,
		                       symbol_stack(r->execution->result, &b->allocation, frames, STACK_FRAMES));
	if (own)
		return must_format("block %s:%u %s +%lu", base_name(own->file), own->line, own->function,
		                   b->address - b->block);
	return must_format("race %s", r->id);
}

/* The functions on the stack of an access, callers last, without their lines. */
static char *functions_of(const struct race *r, int access)
{
	struct frame frames[STACK_FRAMES];
	size_t n = race_stack(r, access, frames, STACK_FRAMES);
	char *all = must_format(" ");

	for (size_t i = 0; i < n; i++) {
		char *longer = must_format("%s<%s", all, frames[i].function);
		free(all);
		all = longer;
	}
	return all;
}

/* Equal for the races of one cluster, whichever access came first. */
static char *key_of(const struct race *r)
{
	char *location = location_of(r), *a = functions_of(r, 0), *b = functions_of(r, 1);
	bool swap = strcmp(a, b) > 0;
	char *key = must_format("%s%s%s", location, swap ? b : a, swap ? a : b);

	free(location);
	free(a);
	free(b);
	return key;
}

void races_cluster(struct race **races, size_t count)
{
	char **keys = must_alloc((count + 1) * sizeof *keys);

	for (size_t i = 0; i < count; i++) {
		keys[i] = key_of(races[i]);
		races[i]->cluster = races[i];
		for (size_t k = 0; k < i; k++)
			if (races[k]->cluster == races[k] && !strcmp(keys[k], keys[i])) {
				races[i]->cluster = races[k];
				break;
			}
	}
	for (size_t i = 0; i < count; i++)
		free(keys[i]);
	free(keys);
}
