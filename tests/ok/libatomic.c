// flags: -pthread -latomic -Wno-atomic-alignment

/* Atomics that compilers leave to libatomic: a structure of 24 bytes and a 16-byte integer. */
#include <pthread.h>
#include <stdatomic.h>

#include "must.h"

struct triple {
	long up, down, twice;
};

static _Atomic struct triple all;
static _Atomic __int128 wide;

static void *adds(void *unused)
{
	for (int i = 0; i < 50; i++) {
		struct triple old = atomic_load(&all), new;
		do {
			must(old.up == -old.down && old.twice == 2 * old.up);
			new = (struct triple){old.up + 1, old.down - 1, old.twice + 2};
		} while (!atomic_compare_exchange_strong(&all, &old, new));
		atomic_fetch_add(&wide, 3);
	}
	return unused;
}

int main(void)
{
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		must(pthread_create(&thread[i], NULL, adds, NULL) == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL) == 0);
	struct triple end = atomic_load(&all);
	must(end.twice == 300 && atomic_load(&wide) == 450);
	puts("ok");
	return 0;
}
