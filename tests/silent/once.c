// flags: -pthread

/* pthread_once: every thread that returns from it sees what the initialiser did. */
#include "../races/threads.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made, seen[3];

static void make(void)
{
	made++;
}

static void *use(void *n)
{
	pthread_once(&once, make);
	seen[(long)n] = made;
	return NULL;
}

int main(void)
{
	together(use, use, use);
	return seen[0] + seen[1] + seen[2] != 3;
}
