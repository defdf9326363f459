// flags: -pthread
// race A B: verdict=spec-violated consequence=crash violation=null-dereference

/* What if the reader of an item took no lock? */
#include <stdio.h>

#include "../races/threads.h"

struct item {
	int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item first = {5};
static struct item *volatile item = &first;
static int values;

static void *get(void *unused)
{
	pthread_mutex_lock(&lock);     // without
	if (item)                      // race A
		values += item->value; // race B violation A B
	pthread_mutex_unlock(&lock);   // without unlock
	return unused;
}

static void *flush(void *unused)
{
	pthread_mutex_lock(&lock);
	item = NULL; // race A B
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	together(get, flush);
	puts("flushed");
	return 0;
}
