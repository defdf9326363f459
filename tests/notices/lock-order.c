// flags: -pthread
// 1: lock-order-inversion a b
// 2: lock-order-inversion a b c
// 3: lock-order-inversion a b
// 4: lock-order-inversion r a
// 5: lock-order-inversion a b
// 20: nothing
// 21: nothing
// 22: nothing
// 23: nothing
// 24: nothing
// 25: nothing

/* Orders in which threads take locks. From case 20 on no circle of waiting threads is possible. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER,
                       gate = PTHREAD_MUTEX_INITIALIZER, again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *ab(void *arg) { take(&a, &b); return arg; }
static void *ba(void *arg) { take(&b, &a); return arg; }
static void *bc(void *arg) { take(&b, &c); return arg; }
static void *ca(void *arg) { take(&c, &a); return arg; }

static void *ar(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_rwlock_wrlock(&r);
	pthread_rwlock_unlock(&r);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *ra(void *arg)
{
	pthread_rwlock_wrlock(&r);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_rwlock_unlock(&r);
	return arg;
}

static void *behind_gate(void *arg)
{
	pthread_mutex_lock(&gate);
	(arg ? ab : ba)(NULL);
	pthread_mutex_unlock(&gate);
	return arg;
}

static void *tries(void *arg)
{
	pthread_mutex_lock(&b);
	if (!pthread_mutex_trylock(&a))
		pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

static void *takes_again(void *arg)
{
	pthread_mutex_lock(&again);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&again);
	pthread_mutex_unlock(&again);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&again);
	return arg;
}

/* Locks in blocks that are allocated and freed: a new lock may have the address of an old one. */
static void *blocks(void *arg)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_t *m = calloc(1, sizeof *m);
		take(i % 2 ? &a : m, i % 2 ? m : &a);
		free(m);
	}
	return arg;
}

/* One thread after the other: nobody ever waits. */
static void one_by_one(void *(*const work[])(void *), void *const arg[])
{
	for (int i = 0; work[i]; i++) {
		pthread_t t;
		pthread_create(&t, NULL, work[i], arg ? arg[i] : NULL);
		pthread_join(t, NULL);
	}
}

#define ONE_BY_ONE(...) one_by_one((void *(*const[])(void *)){__VA_ARGS__, NULL}, NULL)

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;

	if (which == 1) {
		ONE_BY_ONE(ab, ba);
	} else if (which == 2) {
		ONE_BY_ONE(ab, bc, ca);
	} else if (which == 3) {
		ab(NULL);
		ba(NULL);
	} else if (which == 4) {
		ONE_BY_ONE(ra, ar);
	} else if (which == 5) {
		one_by_one((void *(*const[])(void *)){behind_gate, ba, NULL}, (void *const[]){&a, NULL});
	} else if (which == 20) {
		ONE_BY_ONE(ab, ab, bc, ab);
	} else if (which == 21) {
		one_by_one((void *(*const[])(void *)){behind_gate, behind_gate, NULL}, (void *const[]){&a, NULL});
	} else if (which == 22) {
		ONE_BY_ONE(ab, tries);
	} else if (which == 23) {
		ONE_BY_ONE(takes_again, takes_again);
	} else if (which == 24) {
		ONE_BY_ONE(blocks, blocks);
	} else if (which == 25) {
		ONE_BY_ONE(ab);
		pthread_mutex_destroy(&a);
		pthread_mutex_init(&a, NULL);
		ONE_BY_ONE(ba);
	}
	return 0;
}
