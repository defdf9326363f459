// flags: -pthread
// race A B: verdict=spec-violated consequence=assertion violation=failed-assert

/* Each read of the source is one of the program, with every -O: the second one of a thread may find less than the first. */
#include <assert.h>
#include <stdio.h>

#include "../races/threads.h"

static int balance = 100;

static void *withdraw(void *amount)
{
	if (balance >= (int)(long)amount)       // race A
		balance -= (int)(long)amount;   // race A B
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, withdraw, (void *)60);
	pthread_create(&b, NULL, withdraw, (void *)70);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance >= 0); // violation A B
	puts("ok");
	return 0;
}
