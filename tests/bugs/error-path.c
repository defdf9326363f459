// expect: deadlock
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* The early return for an overdraft does not unlock. A thread takes it only if a withdrawal overtakes the deposit. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *amount)
{
	pthread_mutex_lock(&lock);
	balance += (int)(long)amount;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *withdraw(void *amount)
{
	pthread_mutex_lock(&lock);
	if (balance < (int)(long)amount)
		return "overdraft";
	balance -= (int)(long)amount;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, deposit, (void *)100);
	pthread_create(&b, NULL, withdraw, (void *)30);
	pthread_create(&c, NULL, withdraw, (void *)70);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	printf("balance %d\n", balance);
	return 0;
}
