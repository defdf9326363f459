// flags: -pthread
// race A: verdict=spec-violated consequence=crash violation=null-dereference
// race B: verdict=k-witness-harmless pattern=none
// variant: -DFIX_B = crash

/*
 * Two workers see that there is one more job; the list has its lock, but gives the second one nothing.  Two workers that are
 * about to count the job have both seen it: they fail in either order.
 */
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
#ifdef FIX_B
		__atomic_fetch_sub(&waiting, 1, __ATOMIC_SEQ_CST);
#else
		waiting--;       // race A B
#endif
		pop()->cost = 0; // violation A
	}
	return unused;
}

int main(void)
{
	together(work, work);
	puts("done");
	return 0;
}
