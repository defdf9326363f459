// expect: assertion
// at: watcher
// strategy: mixed random pct:3
// flags: -pthread

/* A thread reads a timer's descriptor: when the timer expires, the other thread can be anywhere. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../races/threads.h"

static atomic_int steps;

static void *worker(void *unused)
{
	for (int i = 0; i < 15; i++)
		atomic_fetch_add(&steps, 1);
	return unused;
}

static void *watcher(void *unused)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t times = 0;

	timerfd_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 1000000}, NULL);
	if (read(timer, &times, sizeof times) == sizeof times)
		assert(atomic_load(&steps) == 15); /* HERE */
	close(timer);
	return unused;
}

int main(void)
{
	together(worker, watcher);
	return 0;
}
