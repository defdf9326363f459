// flags: -pthread
// race A: hb
// race B: may

/*
 * An initialiser's writes come before every return from pthread_once. What follows is not ordered (A). In another execution
 * the second thread could initialise, and then B is a race; in this one the first did, and prediction keeps that.
 */
#include "../../races/threads.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table, level, mode, sums[2];

static void make(void) { table = 5; }

static void *first(void *unused)
{
	mode = 1; // race B
	pthread_once(&once, make);
	sums[0] = table;
	level = 1; // race A
	return unused;
}

static void *second(void *unused)
{
	pthread_once(&once, make);
	sums[1] = table;
	level = 2; // race A
	mode = 2;  // race B
	return unused;
}

int main(void)
{
	together(first, second);
	return table + level + mode > 9;
}
