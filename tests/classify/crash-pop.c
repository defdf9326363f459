// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=null-dereference

/* Two workers see that there is one more job; the list has its lock, but gives the second one nothing. */
#include <stdio.h>

#include "../races/threads.h"

struct job {
	struct job *next;
	int cost;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct job only = {NULL, 3};
static struct job *jobs = &only;
static volatile int waiting = 1;

static struct job *pop(void)
{
	struct job *first;

	pthread_mutex_lock(&lock);
	first = jobs;
	if (first)
		jobs = first->next;
	pthread_mutex_unlock(&lock);
	return first;
}

static void *work(void *unused)
{
	if (waiting > 0) {       // race A
		waiting--;       // race A B
		pop()->cost = 0; // violation A B
	}
	return unused;
}

int main(void)
{
	together(work, work);
	puts("done");
	return 0;
}
