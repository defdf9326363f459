/* Four threads with functions of their own run the same line; the last but one takes the money. */
#include <pthread.h>
#include <stdio.h>

static int money = 100;
static int got[5];

static void take(int who)
{
	if (money >= 100) { /* check */
		money -= 100; /* take */
		got[who] = 1;
	}
}

static void *north(void *arg) { take(1); return arg; }
static void *south(void *arg) { take(2); return arg; }
static void *east(void *arg) { take(3); return arg; }
static void *west(void *arg) { take(4); return arg; }

int main(void)
{
	void *(*const start[])(void *) = {north, south, east, west};
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, start[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", got[1] + got[2] + got[3] + got[4]);
	return 0;
}
