// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=use-after-free

/* An entry is evicted from the cache while another thread reads it. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

struct entry {
	int value;
};

static struct entry *volatile entry;
static int answers;

static void *look_up(void *unused)
{
	struct entry *e = entry; // race A

	if (e)
		answers += e->value == 5; // race B violation A B
	return unused;
}

static void *evict(void *unused)
{
	struct entry *e = entry;

	entry = NULL; // race A
	free(e);      // race B
	return unused;
}

int main(void)
{
	entry = malloc(sizeof *entry);
	entry->value = 5;
	together(look_up, evict);
	puts("done");
	return 0;
}
