// flags: -pthread
// options: --blind mutex
// race A B: verdict=single-ordering

/* Two accounts, two locks always in the same order: money moves, and none is lost. */
#include <stdio.h>

#include "../races/threads.h"

static struct account {
	pthread_mutex_t lock;
	int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 50}, {PTHREAD_MUTEX_INITIALIZER, 50}};

static void *transfer(void *n)
{
	int amount = n ? 10 : -5;

	pthread_mutex_lock(&accounts[0].lock);
	pthread_mutex_lock(&accounts[1].lock);
	accounts[0].balance -= amount; // race A
	accounts[1].balance += amount; // race B
	pthread_mutex_unlock(&accounts[1].lock);
	pthread_mutex_unlock(&accounts[0].lock);
	return NULL;
}

int main(void)
{
	together(transfer, transfer);
	printf("%d %d\n", accounts[0].balance, accounts[1].balance);
	return 0;
}
