// flags: -pthread
// race A: verdict=output-differs

/* Each check writes its result to the exit status, so the last one decides; the output is always empty. */
#include "../races/threads.h"

static int status;

static void *check(void *n)
{
	status = n ? 0 : 3; // race A
	return NULL;
}

int main(void)
{
	together(check, check);
	return status;
}
