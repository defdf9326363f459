// flags: -pthread
// options: --interleavings 0
// race A: verdict=spec-violated consequence=deadlock violation=deadlock states=differ

/*
 * A reader copies the order in which to take the two locks, and takes them much later.  It does not branch on the value
 * before that: right after the race the value is only in a register on its way to the copy.
 */
#include <stdio.h>

#include "../races/threads.h"

enum { WORK = 4 };

static int backwards, mine, done, worked;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER,
                       counts = PTHREAD_MUTEX_INITIALIZER;

static void work(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&counts);
		worked++;
		pthread_mutex_unlock(&counts);
	}
}

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second); // violation A
	done++;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *reader(void *unused)
{
	mine = backwards; // race A
	work(WORK);
	both(mine ? &right : &left, mine ? &left : &right);
	return unused;
}

static void *turn(void *unused)
{
	backwards = 1; // race A
	return unused;
}

static void *other(void *unused)
{
	work(WORK / 2);
	both(&left, &right);
	work(WORK / 2);
	return unused;
}

int main(void)
{
	together(reader, turn, other);
	puts("done");
	return 0;
}
