// flags: -pthread
// race A: verdict=spec-violated consequence=deadlock violation=deadlock

/* A plain variable decides which of two locks comes first, and changes while threads take them. */
#include <stdio.h>

#include "../races/threads.h"

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int first;
static int transactions[2];

static void *commit(void *n)
{
	int a = first; // race A

	pthread_mutex_lock(&locks[a]);
	pthread_mutex_lock(&locks[1 - a]); // violation A
	transactions[(long)n]++;
	pthread_mutex_unlock(&locks[1 - a]);
	pthread_mutex_unlock(&locks[a]);
	return NULL;
}

static void *reorganise(void *unused)
{
	first = 1; // race A
	return unused;
}

int main(void)
{
	together(commit, commit, reorganise);
	printf("%d\n", transactions[0] + transactions[1]);
	return 0;
}
