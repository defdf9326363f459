// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=redundant-write

/* The hash of a string is computed at first use, by one or several threads, and is the same for all. */
#include <stdio.h>

#include "../races/threads.h"

struct name {
	const char *text;
	unsigned hash;
};

static struct name name = {"omen", 0};
static unsigned seen[3];

static unsigned hash_of(struct name *n)
{
	unsigned h = n->hash; // race A

	if (h)
		return h;
	for (const char *c = n->text; *c; c++)
		h = h * 31 + (unsigned char)*c;
	n->hash = h; // race A B
	return h;
}

static void *look(void *n)
{
	seen[(long)n] = hash_of(&name);
	return NULL;
}

int main(void)
{
	together(look, look, look);
	printf("%u %d\n", seen[0], seen[0] == seen[1] && seen[1] == seen[2]);
	return 0;
}
