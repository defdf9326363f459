// flags: -pthread

/* Semaphores: as a count, as a signal, timed on both clocks, at their limits, and by name. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

static sem_t seats, ping, pong;
static atomic_int seated;

static void *sits(void *unused)
{
	for (int i = 0; i < 5; i++) {
		must(sem_wait(&seats) == 0);
		int now = ++seated;
		must(now <= 2);
		seated--;
		must(sem_post(&seats) == 0);
	}
	return unused;
}

static void *answers(void *unused)
{
	for (int i = 0; i < 5; i++) {
		must(sem_wait(&ping) == 0);
		printf("pong ");
		must(sem_post(&pong) == 0);
	}
	return unused;
}

static void timed(void)
{
	struct timespec past = {1, 0}, soon, wrong = {1, 2000000000};
	int value;

	must(sem_trywait(&ping) == -1 && errno == EAGAIN);
	must(sem_timedwait(&ping, &past) == -1 && errno == ETIMEDOUT);
	must(sem_timedwait(&ping, &wrong) == -1 && errno == EINVAL);
	clock_gettime(CLOCK_MONOTONIC, &soon);
	soon.tv_sec += soon.tv_nsec > 998000000;
	soon.tv_nsec = (soon.tv_nsec + 1000000) % 1000000000;
	must(sem_clockwait(&ping, CLOCK_MONOTONIC, &soon) == -1 && errno == ETIMEDOUT);
	must(sem_post(&ping) == 0);
	must(sem_getvalue(&ping, &value) == 0 && value == 1);
	must(sem_timedwait(&ping, &past) == 0);
	must(sem_getvalue(&ping, &value) == 0 && value == 0);
}

static void named(void)
{
	char name[64];
	int value;
	sem_t *s = SEM_FAILED;

	/* Under Omen process ids and random numbers are the same in every process, so look for a name that is not in use. */
	for (int i = 0; s == SEM_FAILED; i++) {
		snprintf(name, sizeof name, "/omen-test-%d-%d", (int)getpid(), i);
		s = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
		must(s != SEM_FAILED || errno == EEXIST);
	}
	sem_t *again = sem_open(name, 0);
	must(again == s);
	must(sem_wait(again) == 0);
	must(sem_getvalue(s, &value) == 0 && value == 1);
	must(sem_unlink(name) == 0);
	must(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
	must(sem_close(again) == 0);
	must(sem_close(s) == 0);
}

int main(void)
{
	pthread_t thread[4];
	sem_t full;

	must(sem_init(&seats, 0, 2) == 0);
	must(sem_init(&ping, 0, 0) == 0);
	must(sem_init(&pong, 0, 0) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_create(&thread[i], NULL, sits, NULL) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_join(thread[i], NULL) == 0);
	must(pthread_create(&thread[0], NULL, answers, NULL) == 0);
	for (int i = 0; i < 5; i++) {
		printf("ping ");
		must(sem_post(&ping) == 0);
		must(sem_wait(&pong) == 0);
	}
	must(pthread_join(thread[0], NULL) == 0);
	puts("");
	timed();
	must(sem_init(&full, 0, SEM_VALUE_MAX) == 0);
	must(sem_post(&full) == -1 && errno == EOVERFLOW);
	must(sem_destroy(&seats) == 0);
	named();
	puts("ok");
	return 0;
}
