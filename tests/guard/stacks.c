// flags: -pthread -O0
// options: --strategy fair
// 1: memory-error on the stack of T1, which has ended
// 2: memory-error on the stack of T1, which has ended
// 20: nothing
// 21: nothing
// 22: nothing

/* Variables of threads that have ended. From case 20 on the memory is valid. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int *volatile left;

static void *leave(void *arg)
{
	int here = 1;

	left = &here;
	return arg;
}

static void *use(void *arg)
{
	char room[20000];

	memset(room, 1, sizeof room);
	for (int i = 0; i < 3; i++)
		room[i] = room[i + 1];
	int *volatile mine = (int *)(void *)room;
	*mine = 1;
	return arg;
}

static void run(void *(*f)(void *), const pthread_attr_t *attr)
{
	pthread_t t;

	pthread_create(&t, attr, f, NULL);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;
	static char stack[1 << 16] __attribute__((aligned(64)));
	pthread_attr_t own;

	pthread_attr_init(&own);
	pthread_attr_setstack(&own, stack, sizeof stack);
	if (which == 1) {
		run(leave, NULL);
		*left = 2; /* 1 */
	} else if (which == 2) {
		run(leave, NULL);
		return *left == 3; /* 2 */
	} else if (which == 20) {
		for (int i = 0; i < 5; i++)
			run(i % 2 ? use : leave, NULL);
	} else if (which == 21) { /* the program's own memory */
		run(leave, &own);
		*left = 2;
		memset(stack, 0, sizeof stack);
	} else if (which == 22) {
		pthread_t t[8];
		for (int i = 0; i < 8; i++)
			pthread_create(&t[i], NULL, use, NULL);
		for (int i = 0; i < 8; i++)
			pthread_join(t[i], NULL);
		for (int i = 0; i < 8; i++)
			run(use, NULL);
	}
	return 0;
}
