// flags: -pthread

/* A semaphore used as a lock that admits two. */
#include <semaphore.h>

#include "threads.h"

static sem_t room;
static int visitors;

static void *visit(void *unused)
{
	sem_wait(&room);
	visitors++; // race A
	sem_post(&room);
	return unused;
}

int main(void)
{
	sem_init(&room, 0, 2);
	together(visit, visit, visit);
	return 0;
}
