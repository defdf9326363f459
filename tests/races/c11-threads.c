// flags: -pthread

/* C11's threads and mutexes: the reader takes the wrong one. */
#include <stddef.h>
#include <threads.h>

static mtx_t right, wrong;
static int value;

static int writer(void *unused)
{
	(void)unused;
	mtx_lock(&right);
	value = 1; // race A
	mtx_unlock(&right);
	return 0;
}

static int reader(void *unused)
{
	(void)unused;
	mtx_lock(&wrong);
	int seen = value; // race A
	mtx_unlock(&wrong);
	return seen;
}

int main(void)
{
	thrd_t a, b;

	mtx_init(&right, mtx_plain);
	mtx_init(&wrong, mtx_plain);
	thrd_create(&a, writer, NULL);
	thrd_create(&b, reader, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return 0;
}
