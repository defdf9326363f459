// flags: -pthread
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* The level of a log goes from 1 to 2 while messages of level 3 are dropped and those of level 0 are kept. */
#include <stdio.h>

#include "../races/threads.h"

static int verbosity = 1;
static char log_text[128];
static int length;

static void note(int level, const char *text)
{
	if (level <= verbosity) // race A
		length += snprintf(log_text + length, sizeof log_text - (size_t)length, "%s\n", text);
}

static void *serve(void *unused)
{
	note(0, "started");
	note(3, "request");
	note(0, "stopped");
	return unused;
}

static void *configure(void *unused)
{
	verbosity = 2; // race A
	return unused;
}

int main(void)
{
	together(serve, configure);
	fputs(log_text, stdout);
	return 0;
}
