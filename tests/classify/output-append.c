// flags: -pthread
// race A B C: verdict=output-differs

/* Lines go to the end of a common text, which has room for all; two at the same time overwrite each other. */
#include <stdio.h>
#include <string.h>

#include "../races/threads.h"

static char text[64];
static volatile size_t length;

static void append(const char *line)
{
	size_t at = length; // race A

	memcpy(text + at, line, strlen(line)); // race B
	length = at + strlen(line);            // race A C
}

static void *enter(void *n)
{
	append(n ? "enter b\n" : "enter a\n");
	return NULL;
}

int main(void)
{
	together(enter, enter);
	fputs(text, stdout);
	return 0;
}
