// flags: -pthread
// race A B: verdict=output-differs states=unknown

/* Right after the two accesses memory is the same in both orders, but the contents of the pipe differ. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../races/threads.h"

static char mode = '0';
static int channel[2];

static void *set(void *unused)
{
	mode = '1'; // race A B
	return unused;
}

static void *tell(void *unused)
{
	if (write(channel[1], &mode, 1) != 1) // race A
		abort();
	mode = '1'; // race B
	return unused;
}

int main(void)
{
	char told;

	if (pipe(channel))
		return 1;
	together(set, tell);
	if (read(channel[0], &told, 1) != 1)
		return 1;
	printf("%c\n", told);
	return 0;
}
