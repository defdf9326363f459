// flags: -pthread
// options: --invariant 'invariant-stock.c:stock >= 0'
// race A B: verdict=spec-violated consequence=invariant violation=invariant-option

/* Two customers see the last piece, and both get it. */
#include <stdio.h>

#include "../races/threads.h"

static volatile int stock = 1;

static void *buy(void *unused)
{
	if (stock > 0)             // race A
		stock = stock - 1; // race A B violation A B
	return unused;
}

int main(void)
{
	together(buy, buy);
	puts("closed");
	return 0;
}
