// flags: -pthread
// races: the flag that by_volatile spins on

/* Threads that spin, with and without a yield, must not keep the thread that they wait for from running. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "must.h"

static atomic_int baton;
static volatile int flag;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *by_atomic(void *number)
{
	for (int round = 0; round < 3; round++) {
		while (atomic_load(&baton) % 3 != (int)(long)number)
			;
		atomic_fetch_add(&baton, 1);
	}
	return NULL;
}

static void *by_yield(void *number)
{
	for (int round = 0; round < 3; round++) {
		while (atomic_load_explicit(&baton, memory_order_acquire) % 3 != (int)(long)number)
			sched_yield();
		atomic_fetch_add(&baton, 1);
	}
	return NULL;
}

static void *by_volatile(void *number)
{
	while (flag != (int)(long)number)
		;
	flag = (int)(long)number + 1;
	return NULL;
}

static void *by_flag(void *unused)
{
	for (int i = 0; i < 10; i++) {
		while (atomic_flag_test_and_set(&lock))
			;
		counter++;
		atomic_flag_clear(&lock);
	}
	return unused;
}

/* Newest first, so that the first to run has the longest wait. */
static void together(void *(*body)(void *))
{
	pthread_t thread[3];

	for (long i = 2; i >= 0; i--)
		must(pthread_create(&thread[i], NULL, body, (void *)i) == 0);
	for (int i = 0; i < 3; i++)
		must(pthread_join(thread[i], NULL) == 0);
}

int main(void)
{
	together(by_atomic);
	must(baton == 9);
	together(by_yield);
	must(baton == 18);
	together(by_volatile);
	must(flag == 3);
	together(by_flag);
	must(counter == 30);
	puts("ok");
	return 0;
}
