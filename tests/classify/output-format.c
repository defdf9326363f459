// flags: -pthread
// race A B: verdict=output-differs

/* Numbers are formatted in a static buffer, which the other thread may have reused before it is copied. */
#include <stdio.h>

#include "../races/threads.h"

static char *text_of(int n)
{
	static char text[2];

	text[0] = (char)('0' + n); // race A B
	return text;
}

static char shown[2];

static void *show(void *n)
{
	shown[(long)n] = *(volatile char *)text_of(4 + (int)(long)n); // race B
	return NULL;
}

int main(void)
{
	together(show, show);
	printf("%.2s\n", shown);
	return 0;
}
