// localtime() returns memory that all threads share.
#include <time.h>

#include "threads.h"

static void *one(void *arg)
{
	time_t t = 0;
	struct tm *tm = localtime(&t); // race A

	return tm->tm_year ? arg : NULL; // race B
}

static void *two(void *arg)
{
	time_t t = 1000000000;

	return localtime(&t) ? arg : NULL; // race A B
}

int main(void) { together(one, two); }
