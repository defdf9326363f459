// flags: -pthread

/* Threads get the stack, guard and detach state that they were created with, and deep recursion fits where it should. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

#include "must.h"

#define LARGE (16ul << 20)

static sem_t done;

static int within(const void *p, const void *start, size_t size)
{
	return (const char *)p >= (const char *)start && (const char *)p < (const char *)start + size;
}

static void *has_user_stack(void *stack)
{
	int here;

	must(within(&here, stack, LARGE));
	return NULL;
}

static int recurse(int depth)
{
	volatile char frame[1000];

	frame[0] = (char)depth;
	return depth == 0 ? frame[0] : recurse(depth - 1) + (frame[0] & 0);
}

static void *goes_deep(void *unused)
{
	pthread_attr_t a;
	void *stack;
	size_t size;

	must(pthread_getattr_np(pthread_self(), &a) == 0);
	must(pthread_attr_getstack(&a, &stack, &size) == 0);
	must(size >= LARGE && within(&a, stack, size));
	must(pthread_attr_destroy(&a) == 0);
	must(recurse(12000) == 0);
	return unused;
}

static void *is_detached(void *unused)
{
	pthread_attr_t a;
	int state;

	must(pthread_getattr_np(pthread_self(), &a) == 0);
	must(pthread_attr_getdetachstate(&a, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
	must(pthread_attr_destroy(&a) == 0);
	sem_post(&done);
	return unused;
}

static void *is_small(void *unused)
{
	return unused;
}

int main(void)
{
	void *stack = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;
	pthread_attr_t a;

	must(stack != MAP_FAILED);
	must(sem_init(&done, 0, 0) == 0);

	must(pthread_attr_init(&a) == 0);
	must(pthread_attr_setstack(&a, stack, LARGE) == 0);
	must(pthread_create(&thread, &a, has_user_stack, stack) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(munmap(stack, LARGE) == 0);
	must(pthread_attr_destroy(&a) == 0);

	must(pthread_attr_init(&a) == 0);
	must(pthread_attr_setstacksize(&a, LARGE) == 0);
	must(pthread_attr_setguardsize(&a, 65536) == 0);
	must(pthread_create(&thread, &a, goes_deep, NULL) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(pthread_attr_setstacksize(&a, 1) == EINVAL);
	must(pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN) == 0);
	must(pthread_create(&thread, &a, is_small, NULL) == 0);
	must(pthread_join(thread, NULL) == 0);

	must(pthread_attr_setstacksize(&a, 1 << 20) == 0);
	must(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
	must(pthread_create(&thread, &a, is_detached, NULL) == 0);
	must(sem_wait(&done) == 0);
	must(pthread_attr_destroy(&a) == 0);
	puts("ok");
	return 0;
}
