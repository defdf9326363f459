// flags: -pthread
// options: --interleavings 0
// race A: verdict=spec-violated consequence=deadlock violation=deadlock states=differ

/* As deadlock-far.c, but the reader branches on what it read: right after the race it is at another place in the code.
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
	if (backwards) // race A
		mine = 1;
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
