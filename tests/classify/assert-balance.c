// flags: -pthread
// race A C: verdict=spec-violated consequence=assertion violation=failed-assert
// race B: verdict=k-witness-harmless pattern=redundant-write states=equal

/*
 * Two cashiers test the balance, and both find enough for one withdrawal.
 *
 * B does no harm by itself. A cashier that asserts while the other is about to write has written 20 before. If the other
 * one has read 100, it writes 20 over 20: the states are equal, and nothing fails in either order. If it has read 20, it
 * will write -60 and fail its own assertion in either order: A or C has caused that.
 */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

static volatile int balance = 100;

static void *withdraw(void *unused)
{
	if (balance >= 80)              // race A
		balance = balance - 80; // race A B C
	assert(balance >= 0);           // race B violation A C
	return unused;
}

int main(void)
{
	together(withdraw, withdraw);
	puts("closed");
	return 0;
}
