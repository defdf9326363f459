// flags: -pthread

/* A comparison reads too. */
#include <string.h>

#include "threads.h"

static char digest[32];
static const char wanted[32];

static void *update(void *unused)
{
	digest[0] = 1; // race A
	return unused;
}

static void *compare(void *unused)
{
	(void)unused;
	return (void *)(long)memcmp(digest, wanted, sizeof digest); // race A
}

int main(void)
{
	together(update, compare);
	return 0;
}
