// flags: -pthread
// race A B: verdict=spec-violated consequence=infinite-loop violation=infinite-loop

/* Two threads take the same free slot and both insert it into the list: it becomes its own successor. */
#include <stdbool.h>
#include <stdio.h>

#include "../races/threads.h"

struct node {
	struct node *next;
	volatile bool used;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node slots[2];
static struct node *list;

static struct node *free_slot(void)
{
	for (int i = 0; i < 2; i++)
		if (!slots[i].used) {         // race A
			slots[i].used = true; // race A B
			return &slots[i];
		}
	return NULL;
}

static void *insert(void *unused)
{
	struct node *n = free_slot();

	pthread_mutex_lock(&lock);
	n->next = list;
	list = n;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	int length = 0;

	together(insert, insert);
	for (struct node *n = list; n; n = n->next) // violation A B
		length = 1;
	printf("%d\n", length);
	return 0;
}
