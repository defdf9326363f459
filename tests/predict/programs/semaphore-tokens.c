// flags: -pthread
// race A B: max

/*
 * One semaphore announces two jobs. The threads took the tokens in the order in which they were posted; each
 * could have taken the other one, and then its job is not done yet.
 */
#include <semaphore.h>
#include "../../races/threads.h"

static sem_t done;
static int head, tail;

static void *first_job(void *unused)
{
	head = 1; // race A
	sem_post(&done);
	return unused;
}

static void *second_job(void *unused)
{
	tail = 1; // race B
	sem_post(&done);
	return unused;
}

static void *use_head(void *unused)
{
	sem_wait(&done);
	head = 2; // race A
	return unused;
}

static void *use_tail(void *unused)
{
	sem_wait(&done);
	tail = 2; // race B
	return unused;
}

int main(void)
{
	sem_init(&done, 0, 0);
	together(first_job, second_job, use_head, use_tail);
	return head + tail > 4;
}
