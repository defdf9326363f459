// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock
// race B: verdict=k-witness-harmless pattern=approximate-counter
// variant: -DFIX_A = nothing
// variant: -DFIX_B = deadlock

/* A flag decides in which order a thread takes two locks; a counter beside it decides nothing. */
#include "../races/threads.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int both;
#ifdef FIX_A
static _Thread_local int turned;
#else
static int turned;
#endif
#ifdef FIX_B
static _Thread_local int calls;
#else
static int calls;
#endif

static void *one(void *unused)
{
	calls++; // race B
	pthread_mutex_lock(&left);
	pthread_mutex_lock(&right); // violation A
	both++;
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	return unused;
}

static void *other(void *unused)
{
	pthread_mutex_t *first = &left, *second = &right;

	if (turned) { // race A
		first = &right;
		second = &left;
	}
	calls++; // race B
	pthread_mutex_lock(first);
	pthread_mutex_lock(second); // violation A
	both++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	return unused;
}

static void *turn(void *unused)
{
	turned = 1; // race A
	return unused;
}

int main(void)
{
	together(one, other, turn);
	return 0;
}
