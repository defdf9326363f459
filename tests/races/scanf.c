// A thread reads what scanf stores before it knows that it is there.
#include <stdio.h>

#include "threads.h"

static int width;
static char name[8];

static void *scan(void *text)
{
	(void)text;
	return sscanf("7 x", "%d %7s", &width, name) == 2 ? &width : NULL; // race A B
}

static void *look(void *arg)
{
	int seen = width; // race A

	seen += name[0]; // race B
	return seen ? arg : NULL;
}

int main(void) { together(scan, look); }
