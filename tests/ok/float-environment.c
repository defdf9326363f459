// flags: -pthread -lm

/*
 * Every thread has a floating point environment of its own: its rounding mode and the exceptions that it has raised,
 * with vector registers and with x87.  A new thread has its creator's.
 */
#include <fenv.h>
#include <pthread.h>

#include "must.h"

static pthread_barrier_t turn;
static volatile double one = 1, three = 3, third;
static volatile long double long_one = 1, long_three = 3, long_third;

static void *raises(void *unused)
{
	must(fegetround() == FE_UPWARD);
	must(!fetestexcept(FE_ALL_EXCEPT));
	pthread_barrier_wait(&turn);
	third = one / three;
	long_third = long_one / long_three;
	must(fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
	pthread_barrier_wait(&turn);
	fesetround(FE_DOWNWARD);
	must(long_third > long_one / long_three);
	pthread_barrier_wait(&turn);
	return unused;
}

static void *looks(void *unused)
{
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	must(!fetestexcept(FE_ALL_EXCEPT));
	pthread_barrier_wait(&turn);
	must(fegetround() == FE_UPWARD);
	return unused;
}

int main(void)
{
	pthread_t t[2];

	pthread_barrier_init(&turn, NULL, 2);
	feclearexcept(FE_ALL_EXCEPT);
	fesetround(FE_UPWARD);
	must(pthread_create(&t[0], NULL, raises, NULL) == 0);
	must(pthread_create(&t[1], NULL, looks, NULL) == 0);
	for (int i = 0; i < 2; i++)
		must(pthread_join(t[i], NULL) == 0);
	return 0;
}
