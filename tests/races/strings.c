// flags: -pthread

/* One thread copies a name into a shared buffer while others measure it and compare it. */
#include <string.h>

#include "threads.h"

static char name[32];
static const char *volatile fresh = "nobody";

static void *rename_it(void *unused)
{
	strcpy(name, fresh); // race A B
	return unused;
}

static void *measure(void *unused)
{
	(void)unused;
	return (void *)strlen(name); // race A
}

static void *compare(void *unused)
{
	(void)unused;
	return (void *)(long)strcmp(name, "root"); // race B
}

int main(void)
{
	together(rename_it, measure, compare);
	return 0;
}
