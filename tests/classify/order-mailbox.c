// flags: -pthread
// race A E: verdict=single-ordering adhoc=data pattern=user-synchronisation
// race C D: verdict=single-ordering adhoc=flag pattern=user-synchronisation

/* A mailbox for one letter: filled when it is empty, emptied when it is full. */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile bool full;
static int letter, sum;

static void *send(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		while (full) // race D
			sched_yield();
		letter = i;  // race A
		full = true; // race C E
	}
	return unused;
}

static void *receive(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		while (!full) // race C
			sched_yield();
		sum = sum * 10 + letter; // race A
		full = false;            // race D E
	}
	return unused;
}

int main(void)
{
	together(send, receive);
	printf("%d\n", sum);
	return 0;
}
