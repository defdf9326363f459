// flags: -pthread
// race A: verdict=single-ordering adhoc=data
// race B: verdict=single-ordering adhoc=data
// race C: verdict=single-ordering adhoc=data
// race D: verdict=single-ordering adhoc=flag

/*
 * These calls report what they have written when they end, and contain no earlier point where a thread can be held.  The
 * first read() fills only a part of its buffer: it is not the one that races.
 */
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../races/threads.h"

#define SIZE  9000
#define PLACE 6000

static char text[SIZE], more[SIZE], pieces[2][SIZE], given[SIZE];
static int from[2];
static volatile int ready;

static void *reader(void *unused)
{
	FILE *file = fmemopen(given, sizeof given, "r");
	const struct iovec to[] = {{pieces[0], 10}, {pieces[1], SIZE}};

	for (size_t n = 0; n < SIZE; n += 4500)
		if (read(from[0], text + n, SIZE - n) != 4500) // race A
			return NULL;
		else if (!n && write(from[1], given, 4500) != 4500)
			return NULL;
	if (write(from[1], given, SIZE) != SIZE || readv(from[0], to, 2) != SIZE) // race B
		return NULL;
	if (fread(more, 100, SIZE / 100, file) != SIZE / 100) // race C
		return NULL;
	ready = 1; // race D
	return unused;
}

static void *looker(void *unused)
{
	while (!ready) // race D
		;
	int a = text[PLACE];      // race A
	int b = pieces[1][PLACE]; // race B
	int c = more[PLACE];      // race C

	printf("%d %d %d\n", a, b, c);
	return unused;
}

int main(void)
{
	for (int i = 0; i < SIZE; i++)
		given[i] = 'x';
	if (pipe(from) || write(from[1], given, 4500) != 4500)
		return 1;
	together(reader, looker);
	return 0;
}
