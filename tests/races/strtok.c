// strtok() keeps its position in a static variable: two threads cannot take two strings apart at the same time.
#include <string.h>

#include "threads.h"

static char text[2][8] = {"a b", "c d"};

static void *take(void *number)
{
	return strtok(text[(long)number], " "); // race A
}

int main(void) { together(take, take); }
