// flags: -pthread

/* Each side takes a lock, but not the same one. */
#include "threads.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *unused)
{
	pthread_mutex_lock(&first);
	balance += 10; // race A
	pthread_mutex_unlock(&first);
	return unused;
}

static void *withdraw(void *unused)
{
	pthread_mutex_lock(&second);
	balance -= 5; // race A
	pthread_mutex_unlock(&second);
	return unused;
}

int main(void)
{
	together(deposit, withdraw);
	return 0;
}
