// expect: assertion
// at: main
// strategy: mixed random pct:3
// flags: -pthread

/* poll() with a time limit: it times out, and the program uses the result although nothing has arrived. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int result;

static void *worker(void *unused)
{
	for (int i = 0; i < 20; i++)
		atomic_fetch_add(&result, 1);
	return write(ends[1], "", 1) == 1 ? unused : NULL;
}

int main(void)
{
	pthread_t thread;

	if (pipe(ends))
		return 0;
	pthread_create(&thread, NULL, worker, NULL);
	poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, 100);
	assert(atomic_load(&result) == 20); /* HERE */
	pthread_join(thread, NULL);
	return 0;
}
