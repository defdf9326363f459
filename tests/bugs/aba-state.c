// expect: assertion
// at: client
// strategy: mixed random pct:3
// flags: -pthread

/* ABA: take() finds the state idle again, but the value that it read during the earlier idle time has changed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../races/threads.h"

enum { IDLE, BUSY };

static atomic_int state, owner;

static void *server(void *unused)
{
	for (int i = 1; i <= 3; i++) {
		int idle = IDLE;
		if (!atomic_compare_exchange_strong(&state, &idle, BUSY))
			continue;
		atomic_store(&owner, i);
		atomic_store(&state, IDLE);
	}
	return unused;
}

static void *client(void *unused)
{
	int idle = IDLE, last = atomic_load(&owner);

	if (atomic_compare_exchange_strong(&state, &idle, BUSY)) {
		assert(atomic_load(&owner) == last); /* HERE */
		atomic_store(&state, IDLE);
	}
	return unused;
}

int main(void)
{
	together(server, client);
	return 0;
}
