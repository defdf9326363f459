// flags: -pthread
// race A: verdict=k-witness-harmless pattern=redundant-write

/* A tracing library: every thread that registers sets the level that is already set; others read it meanwhile. */
#include <stdio.h>

#include "../races/threads.h"

struct trace {
	int level;
	int lines[2];
};

static struct trace trace = {2, {0, 0}};

static void *enter(void *unused)
{
	trace.level = 2; // race A
	return unused;
}

static void *log_lines(void *unused)
{
	for (int level = 0; level < 4; level++)
		if (level <= trace.level) // race A
			trace.lines[0]++;
	return unused;
}

int main(void)
{
	together(enter, log_lines);
	printf("level %d, %d lines\n", trace.level, trace.lines[0]);
	return 0;
}
