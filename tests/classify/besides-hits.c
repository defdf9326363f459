// flags: -pthread
// options: --interleavings 0
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=crash
// variant: -DFIX_A = crash

/* A thread tests and changes the balance in two critical sections: that fails, and the count beside it is not the cause. */
#include <stdlib.h>

#include "../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
#ifdef FIX_A
static _Thread_local int hits;
#else
static int hits;
#endif

static void *pay(void *unused)
{
	hits++; // race A
	pthread_mutex_lock(&lock);
	int seen = balance;
	pthread_mutex_unlock(&lock);
	if (seen >= 60) {
		pthread_mutex_lock(&lock);
		balance -= 60;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	together(pay, pay);
	if (balance < 0)
		abort(); // failure X
	return 0;
}
