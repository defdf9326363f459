// flags: -pthread
// race A: verdict=k-witness-harmless pattern=approximate-counter
// failure X: kind=crash runs=2
// variant: -DAPART = crash

/* Money on its way is in neither account: each account has its lock, but no lock covers both. */
#include <stdio.h>
#include <stdlib.h>

#include "../races/threads.h"

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int account[2] = {50, 50};
#ifdef APART
static _Thread_local int bookings;
#else
static int bookings;
#endif

static int change(int which, int by)
{
	pthread_mutex_lock(&lock[which]);
	int now = account[which] += by;
	pthread_mutex_unlock(&lock[which]);
	return now;
}

static void *transfer(void *unused)
{
	for (int i = 0; i < 2; i++) {
		bookings++; // race A
		change(0, -10);
		change(1, 10);
	}
	return unused;
}

static void *audit(void *unused)
{
	bookings++; // race A
	if (change(0, 0) + change(1, 0) < 100)
		abort(); // failure X
	return unused;
}

int main(void)
{
	together(transfer, audit);
	puts("balanced");
	return 0;
}
