// flags: -pthread

/* fread into a buffer that another thread reads. */
#include <stdio.h>

#include "threads.h"

static FILE *zeros;
static char buffer[32];

static void *fill(void *unused)
{
	return fread(buffer, 1, 16, zeros) == 16 ? unused : NULL; // race A
}

static void *look(void *unused)
{
	(void)unused;
	return (void *)(long)buffer[15]; // race A
}

static void *look_behind(void *unused)
{
	(void)unused;
	return (void *)(long)buffer[16];
}

int main(void)
{
	zeros = fopen("/dev/zero", "r");
	if (!zeros)
		return 1;
	together(fill, look, look_behind);
	return fclose(zeros);
}
