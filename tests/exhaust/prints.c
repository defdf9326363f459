// outcomes: exit 123 | exit 132 | exit 213 | exit 231 | exit 312 | exit 321
// races: 0

/* Each thread prints to the same stream with another function: every order is possible. */
#include <pthread.h>
#include <stdio.h>

static void *formatted(void *unused)
{
	printf("%d", 1);
	return unused;
}

static void *text(void *unused)
{
	fputs("2", stdout);
	return unused;
}

static void *bytes(void *unused)
{
	fwrite("3", 1, 1, stdout);
	return unused;
}

int main(void)
{
	void *(*const each[])(void *) = {formatted, text, bytes};
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, each[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
