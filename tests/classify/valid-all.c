// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=both-values-valid

/* Writers choose different colours; the reader only needs one of them. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

enum colour { RED = 1, GREEN, BLUE };

static enum colour colour = RED;
static bool valid;

static void *paint(void *n)
{
	colour = GREEN + (enum colour)(long)n; // race A B
	return NULL;
}

static void *look(void *unused)
{
	enum colour c = colour; // race A

	valid = c >= RED && c <= BLUE;
	return unused;
}

int main(void)
{
	together(paint, paint, look);
	printf("valid %d, painted %d\n", valid, colour != RED);
	return 0;
}
