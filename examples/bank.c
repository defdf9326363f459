/*
 * Three clerks move money between two accounts.  Ordinary runs show no error, but two errors are possible.  A transfer
 * takes the locks in the order of its arguments, so two clerks can wait for each other for ever.  The cashier reads the
 * balance before it holds the lock, so the balance can become negative.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100}, bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *first_clerk(void *unused)
{
	transfer(&alice, &bob, 60);
	return unused;
}

static void *second_clerk(void *unused)
{
	transfer(&bob, &alice, 10);
	return unused;
}

static void *cashier(void *unused)
{
	if (alice.balance >= 90) {
		pthread_mutex_lock(&alice.lock);
		alice.balance -= 90;
		assert(alice.balance >= 0);
		pthread_mutex_unlock(&alice.lock);
	}
	return unused;
}

int main(void)
{
	void *(*const work[])(void *) = {first_clerk, second_clerk, cashier};
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, work[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("alice %d, bob %d\n", alice.balance, bob.balance);
	return 0;
}
