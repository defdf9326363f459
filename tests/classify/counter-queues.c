// flags: -pthread
// race A B: verdict=k-witness-harmless pattern=approximate-counter

/* Jobs go to the queue that looks shorter; the lengths are read without the locks, and any choice gets all done. */
#include <stdio.h>

#include "../races/threads.h"

static struct queue {
	pthread_mutex_t lock;
	int length, sum;
} queues[2] = {{PTHREAD_MUTEX_INITIALIZER, 0, 0}, {PTHREAD_MUTEX_INITIALIZER, 0, 0}};

static void put(int job)
{
	int left = queues[0].length;  // race A
	int right = queues[1].length; // race B
	struct queue *q = &queues[left > right];

	pthread_mutex_lock(&q->lock);
	q->length++; // race A B
	q->sum += job;
	pthread_mutex_unlock(&q->lock);
}

static void *work(void *n)
{
	for (int i = 1; i <= 3; i++)
		put(i + 10 * (int)(long)n);
	return NULL;
}

int main(void)
{
	together(work, work);
	printf("%d jobs, %d\n", queues[0].length + queues[1].length, queues[0].sum + queues[1].sum);
	return 0;
}
