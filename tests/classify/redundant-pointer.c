// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=redundant-write

/* The driver for a name is looked up once or twice in a constant table; both look-ups find the same entry. */
#include <stdio.h>
#include <string.h>

#include "../races/threads.h"

struct driver {
	const char *name;
	int blocks;
};

static const struct driver drivers[] = {{"tape", 10}, {"disk", 512}};
static const struct driver *cached;
static int blocks[2];

static const struct driver *find(const char *name)
{
	const struct driver *d = cached; // race A

	for (size_t i = 0; !d && i < sizeof drivers / sizeof *drivers; i++)
		if (!strcmp(drivers[i].name, name))
			d = cached = &drivers[i]; // race A B
	return d;
}

static void *use(void *n)
{
	blocks[(long)n] = find("disk")->blocks;
	return NULL;
}

int main(void)
{
	together(use, use);
	printf("%d %d\n", blocks[0], blocks[1]);
	return 0;
}
