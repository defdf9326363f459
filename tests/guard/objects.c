// flags: -pthread -O0
// options: --strategy fair
// 1: lock-misuse use of mutex
// 2: lock-misuse which T0 has destroyed
// 3: lock-misuse use of condition
// 4: lock-misuse use of rwlock
// 5: lock-misuse destruction of semaphore
// 6: lock-misuse use of semaphore
// 7: lock-misuse which was never initialised
// 8: lock-misuse use of barrier
// 9: lock-misuse which was never initialised
// 10: lock-misuse free of a block with lock
// 11: lock-misuse which T1 holds
// 12: lock-misuse which T1 waits for
// 13: lock-misuse init of barrier
// 14: lock-misuse init of mutex
// 15: lock-misuse use of spin lock
// 16: lock-misuse use of mutex
// 17: memory-error use after free: read of 4 bytes
// 18: memory-error use after free: write of 4 bytes
// 20: nothing
// 21: nothing
// 22: nothing
// 23: nothing
// 24: nothing
// 25: nothing
// 26: nothing
// 27: nothing
// 28: nothing

/* Objects used after they were destroyed or freed, or before they were made. From case 20 on the program is correct. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>

struct shared {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	pthread_rwlock_t rwlock;
	pthread_barrier_t barrier;
	pthread_spinlock_t spin;
	sem_t sem;
	mtx_t plain;
	int set;
};

static struct shared global = {.mutex = PTHREAD_MUTEX_INITIALIZER,
                               .cond = PTHREAD_COND_INITIALIZER,
                               .rwlock = PTHREAD_RWLOCK_INITIALIZER};
static sem_t ready, go;

static void use(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
}

static void *hold(void *arg)
{
	struct shared *s = arg;

	pthread_mutex_lock(&s->mutex);
	sem_post(&ready);
	sem_wait(&go);
	return NULL;
}

static void *wait(void *arg)
{
	struct shared *s = arg;

	pthread_mutex_lock(&s->mutex);
	sem_post(&ready);
	while (!s->set)
		pthread_cond_wait(&s->cond, &s->mutex);
	pthread_mutex_unlock(&s->mutex);
	return NULL;
}

static void *arrive(void *arg)
{
	struct shared *s = arg;

	sem_post(&ready);
	pthread_barrier_wait(&s->barrier);
	return NULL;
}

static void with(void *(*f)(void *), void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, f, arg);
	pthread_detach(t);
	sem_wait(&ready);
}

/* Until the other thread waits. */
static void stand_back(void)
{
	for (int i = 0; i < 20; i++)
		thrd_yield();
}

static struct shared *heap(void)
{
	struct shared *s = calloc(1, sizeof *s);

	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->cond, NULL);
	return s;
}

static void wrong_uses(int which)
{
	struct shared *s = heap();

	if (which == 1) {
		pthread_mutex_destroy(&global.mutex);
		pthread_mutex_lock(&global.mutex); /* 1 */
	} else if (which == 2) {
		pthread_mutex_destroy(&s->mutex);
		pthread_mutex_destroy(&s->mutex); /* 2 */
	} else if (which == 3) {
		pthread_cond_destroy(&global.cond);
		pthread_cond_signal(&global.cond); /* 3 */
	} else if (which == 4) {
		pthread_rwlock_destroy(&global.rwlock);
		pthread_rwlock_rdlock(&global.rwlock); /* 4 */
	} else if (which == 5) {
		sem_init(&s->sem, 0, 1);
		sem_destroy(&s->sem);
		sem_destroy(&s->sem); /* 5 */
	} else if (which == 6) {
		sem_init(&s->sem, 0, 1);
		sem_destroy(&s->sem);
		sem_wait(&s->sem); /* 6 */
	} else if (which == 7) {
		sem_post(&s->sem); /* 7 */
	} else if (which == 8) {
		pthread_barrier_init(&global.barrier, NULL, 1);
		pthread_barrier_destroy(&global.barrier);
		pthread_barrier_wait(&global.barrier); /* 8 */
	} else if (which == 9) {
		memset(&s->mutex, 0x5a, sizeof s->mutex);
		pthread_mutex_trylock(&s->mutex); /* 9 */
	} else if (which == 10) {
		pthread_mutex_lock(&s->mutex);
		free(s); /* 10 */
	}
}

static void wrong_with_others(int which)
{
	struct shared *s = heap();

	if (which == 11) {
		with(hold, s);
		free(s); /* 11 */
	} else if (which == 12) {
		with(wait, s);
		stand_back();
		free(s); /* 12 */
	} else if (which == 13) {
		pthread_barrier_init(&s->barrier, NULL, 2);
		with(arrive, s);
		stand_back();
		pthread_barrier_init(&s->barrier, NULL, 2); /* 13 */
	} else if (which == 14) {
		with(hold, s);
		pthread_mutex_init(&s->mutex, NULL); /* 14 */
	} else if (which == 15) {
		pthread_spin_init(&s->spin, 0);
		pthread_spin_destroy(&s->spin);
		pthread_spin_lock(&s->spin); /* 15 */
	} else if (which == 16) {
		mtx_init(&s->plain, mtx_plain);
		mtx_destroy(&s->plain);
		mtx_lock(&s->plain); /* 16 */
	} else if (which == 17) {
		free(s);
		pthread_mutex_lock(&s->mutex); /* 17 */
	} else if (which == 18) {
		free(s);
		pthread_cond_destroy(&s->cond); /* 18 */
	}
}

/* Made again, by a call or by its initialiser, or the memory serves something else. */
static void made_again(int which)
{
	struct shared *s = heap();

	if (which == 20) {
		pthread_mutex_destroy(&s->mutex);
		pthread_mutex_init(&s->mutex, NULL);
		use(&s->mutex);
	} else if (which == 21) {
		pthread_mutex_destroy(&global.mutex);
		pthread_rwlock_destroy(&global.rwlock);
		global.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
		global.rwlock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
		use(&global.mutex);
		pthread_rwlock_wrlock(&global.rwlock);
		pthread_rwlock_unlock(&global.rwlock);
	} else if (which == 22) {
		pthread_cond_destroy(&s->cond);
		pthread_mutex_destroy(&s->mutex);
		memset(s, 0, sizeof *s);
		use(&s->mutex);
		pthread_cond_signal(&s->cond);
	} else if (which == 23) {
		pthread_mutex_destroy(&s->mutex);
		free(s);
		struct shared *again = calloc(1, sizeof *again);
		use(&again->mutex);
		free(again);
	} else if (which == 24) {
		for (int i = 0; i < 1000; i++) {
			pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
			use(&m);
			pthread_mutex_destroy(&m);
		}
	}
}

static void *leave(void *arg)
{
	struct shared *s = arg;

	pthread_mutex_lock(&s->mutex);
	s->set = 1;
	pthread_cond_broadcast(&s->cond);
	pthread_mutex_unlock(&s->mutex);
	return NULL;
}

static void right_ends(int which)
{
	struct shared *s = heap();
	pthread_t t;

	if (which == 25) { /* the waiter destroys it */
		pthread_create(&t, NULL, leave, s);
		wait(s);
		pthread_cond_destroy(&s->cond);
		pthread_join(t, NULL);
		pthread_mutex_destroy(&s->mutex);
		free(s);
	} else if (which == 26) { /* another process may have initialised it: the memory is shared */
		struct shared *m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		sem_post(&m->sem);
		sem_wait(&m->sem);
		munmap(m, sizeof *m);
	} else if (which == 27) {
		pthread_mutex_lock(&s->mutex);
		pthread_mutex_unlock(&s->mutex);
		free(s);
	} else if (which == 28) {
		sem_init(&s->sem, 0, 0);
		sem_post(&s->sem);
		sem_wait(&s->sem);
		sem_destroy(&s->sem);
		free(s);
	}
}

int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : 0;

	sem_init(&ready, 0, 0);
	sem_init(&go, 0, 0);
	if (which <= 10)
		wrong_uses(which);
	else if (which < 20)
		wrong_with_others(which);
	else if (which < 25)
		made_again(which);
	else
		right_ends(which);
	exit(0);
}
