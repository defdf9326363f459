// expect: infinite-loop
// at: waiter
// strategy: mixed random pct:3
// flags: -pthread

/* The waiter spins until the flag is OPEN; if the closer overwrites OPEN first, the waiter never sees it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { NEW, OPEN, CLOSED };

static atomic_int state = NEW;

static void *opener(void *unused)
{
	atomic_store(&state, OPEN);
	return unused;
}

static void *waiter(void *unused)
{
	while (atomic_load(&state) != OPEN) /* HERE */
		;
	return unused;
}

static void *closer(void *unused)
{
	if (atomic_load(&state) == OPEN)
		atomic_store(&state, CLOSED);
	return unused;
}

int main(void)
{
	void *(*const role[])(void *) = {opener, waiter, closer};
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, role[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	puts("seen");
	return 0;
}
