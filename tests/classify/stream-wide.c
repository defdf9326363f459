// flags: -pthread
// varies: the order of the lines
// race A: verdict=k-witness-harmless pattern=both-values-valid

/* Lines and characters of a wide stream. */
#include <stdio.h>
#include <wchar.h>

#include "../races/threads.h"

static volatile long last;

static void *work(void *which)
{
	last = (long)which; // race A
	if ((long)which)
		wprintf(L"worker %ld is there\n", (long)which);
	else
		putwchar(L'0');
	return NULL;
}

int main(void)
{
	together(work, work, work);
	return 0;
}
