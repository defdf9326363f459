// flags: -pthread
// race A: sp
// race B: max

/* A block is copied while others write into its middle (A); a structure is assigned while its parts are written (B). */
#include <string.h>
#include "../../races/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char line[64], copy[64];
static struct point {
	long x, y, z;
} here, there = {1, 2, 3};
static int one, two, moves;

static void *first(void *unused)
{
	here = there; // race B
	pthread_mutex_lock(&lock);
	moves++;
	pthread_mutex_unlock(&lock);
	memcpy(copy, line, sizeof(line)); // race A
	pthread_mutex_lock(&lock);
	one = 1;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&lock);
	two = 1;
	pthread_mutex_unlock(&lock);
	line[40] = 'x'; // race A
	pthread_mutex_lock(&lock);
	moves++;
	pthread_mutex_unlock(&lock);
	here.y = 7; // race B
	return unused;
}

int main(void)
{
	together(first, second);
	return here.y + one + two + moves + (copy[40] != 0) > 12;
}
