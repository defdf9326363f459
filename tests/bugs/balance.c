// expect: assertion
// at: withdraw
// strategy: mixed random pct:3
// flags: -pthread

/* Atomicity violation: check and act are each under the lock, but not under one and the same critical section. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int read_balance(void)
{
	pthread_mutex_lock(&lock);
	int now = balance;
	pthread_mutex_unlock(&lock);
	return now;
}

static void *withdraw(void *amount)
{
	int wanted = (int)(long)amount;

	if (read_balance() < wanted)
		return NULL;
	pthread_mutex_lock(&lock);
	balance -= wanted;
	printf("withdrew %d\n", wanted);
	assert(balance >= 0); /* HERE */
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	setvbuf(stdout, NULL, _IOLBF, 0);
	pthread_create(&a, NULL, withdraw, (void *)70);
	pthread_create(&b, NULL, withdraw, (void *)60);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
