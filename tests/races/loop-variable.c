// flags: -pthread

/* Every thread gets the address of the one loop variable. */
#include "threads.h"

static void *work(void *number)
{
	return (void *)(long)*(int *)number; // race A
}

int main(void)
{
	pthread_t thread[3];
	int i;

	for (i = 0; i < 3; i++) // race A
		pthread_create(&thread[i], NULL, work, &i);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	pthread_join(thread[2], NULL);
	return 0;
}
