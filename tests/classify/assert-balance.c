// flags: -pthread
// race A B C: verdict=spec-violated consequence=assertion violation=failed-assert

/* Two cashiers look at the balance, and both find enough for one. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int balance = 100;

static void *withdraw(void *unused)
{
	if (balance >= 80)              // race A
		balance = balance - 80; // race A B C
	assert(balance >= 0);           // race B violation A B C
	return unused;
}

int main(void)
{
	together(withdraw, withdraw);
	puts("closed");
	return 0;
}
