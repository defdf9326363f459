// flags: -pthread
// race A B: verdict=spec-violated consequence=memory-error violation=stack-overflow

/* The length of a message fits when it is tested, but not when the message is copied. */
#include <stdio.h>
#include <string.h>

#include "../races/threads.h"

static const char message[64] = "twelve bytes and some more";
static volatile size_t length = 6;

static void *copy(void *unused)
{
	char line[8] = "";

	if (length <= sizeof line)             // race A
		memcpy(line, message, length); // race B violation A B
	return line[0] ? unused : NULL;
}

static void *rewrite(void *unused)
{
	length = 12; // race A B
	return unused;
}

int main(void)
{
	together(copy, rewrite);
	puts("copied");
	return 0;
}
