// flags: -pthread
// race A B: verdict=spec-violated consequence=assertion violation=failed-assert

/* The compiler keeps each read of the source at every -O level: a thread's second read may see less than its first. */
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
