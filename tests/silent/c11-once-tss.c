// flags: -pthread

/* C11: call_once, tss with a destructor, cnd_timedwait and mtx_timedlock. */
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static mtx_t lock;
static cnd_t never;
static int made, counter;

static void make(void)
{
	made = 1;
	mtx_init(&lock, mtx_timed);
	cnd_init(&never);
	tss_create(&key, free);
}

static int work(void *unused)
{
	struct timespec until;

	(void)unused;
	call_once(&once, make);
	tss_set(key, malloc(8));
	*(char *)tss_get(key) = (char)made;
	timespec_get(&until, TIME_UTC);
	until.tv_sec += 5;
	if (mtx_timedlock(&lock, &until) != thrd_success)
		return 1;
	counter++;
	timespec_get(&until, TIME_UTC);
	cnd_timedwait(&never, &lock, &until);
	counter++;
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t a, b;

	thrd_create(&a, work, NULL);
	thrd_create(&b, work, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return counter < 2;
}
