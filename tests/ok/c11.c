// flags: -pthread

/* C11 threads: creation, every kind of mtx_t, cnd_t, tss_t with destructors, call_once, sleeping, error codes. */
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

#include "must.h"

static mtx_t plain, recursive, timed;
static cnd_t changed;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static atomic_int destroyed;
static int counter, initialised, turn;

static void initialise(void)
{
	initialised++;
}

static void destroy(void *p)
{
	free(p);
	destroyed++;
}

static int counts(void *number)
{
	call_once(&once, initialise);
	must(tss_set(key, malloc(1)) == thrd_success);
	for (int i = 0; i < 10; i++) {
		must(mtx_lock(&plain) == thrd_success);
		counter++;
		must(mtx_unlock(&plain) == thrd_success);
		thrd_yield();
	}
	must(mtx_lock(&recursive) == thrd_success);
	must(mtx_lock(&recursive) == thrd_success);
	must(mtx_unlock(&recursive) == thrd_success);
	must(mtx_unlock(&recursive) == thrd_success);
	return (int)(long)number * 2;
}

static int waits(void *number)
{
	must(mtx_lock(&plain) == thrd_success);
	while (turn != (int)(long)number)
		must(cnd_wait(&changed, &plain) == thrd_success);
	printf("turn %d\n", turn++);
	must(cnd_broadcast(&changed) == thrd_success);
	must(mtx_unlock(&plain) == thrd_success);
	thrd_exit(7);
}

static int is_locked_out(void *unused)
{
	struct timespec past = {1, 0};

	(void)unused;
	must(mtx_trylock(&timed) == thrd_busy);
	must(mtx_timedlock(&timed, &past) == thrd_timedout);
	return 0;
}

int main(void)
{
	struct timespec past = {1, 0}, moment = {0, 1000000};
	thrd_t thread[4];
	int result;

	must(mtx_init(&plain, mtx_plain) == thrd_success);
	must(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
	must(mtx_init(&timed, mtx_timed) == thrd_success);
	must(cnd_init(&changed) == thrd_success);
	must(tss_create(&key, destroy) == thrd_success);
	for (long i = 0; i < 4; i++)
		must(thrd_create(&thread[i], counts, (void *)i) == thrd_success);
	for (int i = 0; i < 4; i++)
		must(thrd_join(thread[i], &result) == thrd_success && result == i * 2);
	must(counter == 40 && initialised == 1 && destroyed == 4);
	for (long i = 0; i < 4; i++)
		must(thrd_create(&thread[i], waits, (void *)i) == thrd_success);
	for (int i = 0; i < 4; i++)
		must(thrd_join(thread[i], &result) == thrd_success && result == 7);
	must(mtx_lock(&timed) == thrd_success);
	must(cnd_timedwait(&changed, &timed, &past) == thrd_timedout);
	must(thrd_create(&thread[0], is_locked_out, NULL) == thrd_success);
	must(thrd_join(thread[0], NULL) == thrd_success);
	must(mtx_unlock(&timed) == thrd_success);
	must(thrd_sleep(&moment, NULL) == 0);
	must(thrd_create(&thread[0], counts, NULL) == thrd_success);
	must(thrd_equal(thrd_current(), thrd_current()));
	must(thrd_detach(thread[0]) == thrd_success);
	puts("ok");
	return 0;
}
