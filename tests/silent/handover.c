// flags: -pthread

/* Buffers pass between threads through a slot under a lock; library functions fill and read them. */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../races/threads.h"

static char buffer[64], copy[64];
static sem_t full, empty;

static void *fill(void *unused)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&empty);
		memset(buffer, 'x', sizeof buffer);
		snprintf(buffer, sizeof buffer, "line %d", i);
		strcat(buffer, " and more");
		sem_post(&full);
	}
	return unused;
}

static void *drain(void *unused)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&full);
		memcpy(copy, buffer, sizeof buffer);
		if (strlen(buffer) != 15 || strcmp(copy, buffer) || buffer[5] != '0' + i)
			abort();
		sem_post(&empty);
	}
	return unused;
}

int main(void)
{
	sem_init(&full, 0, 0);
	sem_init(&empty, 0, 1);
	together(fill, drain);
	return 0;
}
