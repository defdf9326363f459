// flags: -pthread

/* C11: thrd, mtx of each type, cnd. */
#include <stddef.h>
#include <threads.h>

static mtx_t plain, recursive, timed;
static cnd_t changed;
static int turn, a, b, c;

static int work(void *number)
{
	int me = number != NULL;

	for (int i = 0; i < 2; i++) {
		mtx_lock(&plain);
		while (turn != me)
			cnd_wait(&changed, &plain);
		a++;
		turn = 1 - me;
		cnd_broadcast(&changed);
		mtx_unlock(&plain);
	}
	mtx_lock(&recursive);
	mtx_lock(&recursive);
	b++;
	mtx_unlock(&recursive);
	b++;
	mtx_unlock(&recursive);
	while (mtx_trylock(&timed) != thrd_success)
		thrd_yield();
	c++;
	mtx_unlock(&timed);
	return me;
}

int main(void)
{
	thrd_t one, two;
	int x, y;

	mtx_init(&plain, mtx_plain);
	mtx_init(&recursive, mtx_plain | mtx_recursive);
	mtx_init(&timed, mtx_timed);
	cnd_init(&changed);
	thrd_create(&one, work, NULL);
	thrd_create(&two, work, &a);
	thrd_join(one, &x);
	thrd_join(two, &y);
	return x + y != 1 || a != 4 || b != 4 || c != 2;
}
