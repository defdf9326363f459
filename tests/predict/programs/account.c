// flags: -pthread
// race A B: max

/*
 * Two transfers lock both accounts in the same order. The audit does not lock the second account (A); the lock of the first
 * one hides that as long as the audit comes last. No lock protects the date of the last booking (B).
 */
#include "../../races/threads.h"

static struct account {
	pthread_mutex_t lock;
	int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};
static int date, audited;

static void transfer(int amount)
{
	pthread_mutex_lock(&accounts[0].lock);
	pthread_mutex_lock(&accounts[1].lock);
	accounts[0].balance -= amount;
	accounts[1].balance += amount; // race A
	pthread_mutex_unlock(&accounts[1].lock);
	pthread_mutex_unlock(&accounts[0].lock);
}

static void *early(void *unused)
{
	date = 1; // race B
	transfer(10);
	return unused;
}

static void *late(void *unused)
{
	transfer(20);
	date = 2; // race B
	return unused;
}

static void *audit(void *unused)
{
	int sum;

	pthread_mutex_lock(&accounts[0].lock);
	sum = accounts[0].balance;
	pthread_mutex_unlock(&accounts[0].lock);
	sum += accounts[1].balance; // race A
	audited = sum;
	return unused;
}

int main(void)
{
	together(early, late, audit);
	return audited + date > 300;
}
