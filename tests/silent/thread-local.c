// flags: -pthread

/* _Thread_local variables: initialised, zeroed, large; threads that follow each other get the same memory. */
#include "../races/threads.h"

static _Thread_local int counter = 5, zero;
static _Thread_local char big[300];
static int result[3];

static void *work(void *n)
{
	for (int i = 0; i < 3; i++) {
		counter++;
		zero++;
		big[100 * i] = 1;
	}
	result[(long)n] += counter + zero + big[200];
	return NULL;
}

int main(void)
{
	together(work, work, work);
	together(work, work, work);
	return result[0] != 24 || result[1] != 24 || result[2] != 24 || counter != 5;
}
