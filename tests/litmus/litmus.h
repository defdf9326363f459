/*
 * A litmus program is a few threads that run once and print one line about what they saw:
 *
 *	THREAD(0) { STORE(x, 1, relaxed); r1 = LOAD(y, relaxed); }
 *	THREAD(1) { STORE(y, 1, relaxed); r2 = LOAD(x, relaxed); }
 *	MAIN("r1=%d r2=%d", r1, r2)
 *
 * Its head says what a memory model must and must not show:
 *
 *	// allowed: LINE         every line that the model allows; each must be seen
 *	// forbidden: LINE       the interesting lines that must not be seen; any other line that is not allowed is wrong too
 *	// races: none|marked    marked: between the two lines that end in the same comment "race: NAME", or of that one
 *	//                       line with itself
 *	// std: c11|c++20        where the two differ; c11 otherwise
 *	// fragment: full        some allowed line needs a modification order that is not the order of execution
 *	// std-flag: FLAG        for the compiler
 *	// link: FLAG            for the linker
 *
 * The model is C11's, without load buffering: a load reads only executed stores.  "p3" to "p7" are the paragraphs on
 * sequential consistency in C++11, 29.3.  In structures/ the line marked "seeded:" is the bug; -DFIXED repairs it.
 *
 * Registers (r1, r2, ...) are plain: one thread writes each, main reads them after the joins.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#ifdef __cplusplus
#include <atomic>
#else
#include <stdatomic.h>

#define LOAD(x, order)             atomic_load_explicit(&(x), memory_order_##order)
#define STORE(x, value, order)     atomic_store_explicit(&(x), value, memory_order_##order)
#define FENCE(order)               atomic_thread_fence(memory_order_##order)
#define EXCHANGE(x, value, order)  atomic_exchange_explicit(&(x), value, memory_order_##order)
#define FETCH_ADD(x, value, order) atomic_fetch_add_explicit(&(x), value, memory_order_##order)
#define CAS(x, old, value, yes, no)                                                                                    \
	atomic_compare_exchange_strong_explicit(&(x), old, value, memory_order_##yes, memory_order_##no)
#define CAS_WEAK(x, old, value, yes, no)                                                                               \
	atomic_compare_exchange_weak_explicit(&(x), old, value, memory_order_##yes, memory_order_##no)
#endif

/* Reads a plain object and ignores its value. */
#define USE(object) __asm__ volatile("" : : "r"(object))

#define THREAD(n) void thread_##n(void)

/* The threads that a program does not define are null. */
__attribute__((weak)) THREAD(0);
__attribute__((weak)) THREAD(1);
__attribute__((weak)) THREAD(2);
__attribute__((weak)) THREAD(3);

/* All threads start together; otherwise the first thread would nearly always be ahead of the last. */
static pthread_barrier_t start;

static void *thread_body(void *body)
{
	pthread_barrier_wait(&start);
	(*(void (**)(void))body)();
	return NULL;
}

static inline void run_threads(void)
{
	static void (*const all[])(void) = {thread_0, thread_1, thread_2, thread_3};
	pthread_t threads[4];
	unsigned count = 0;

	while (count < 4 && all[count])
		count++;
	pthread_barrier_init(&start, NULL, count);
	for (unsigned n = 0; n < count; n++)
		pthread_create(&threads[n], NULL, thread_body, (void *)&all[n]);
	for (unsigned n = 0; n < count; n++)
		pthread_join(threads[n], NULL);
}

#define MAIN(format, ...)                                                                                              \
	int main(void)                                                                                                 \
	{                                                                                                              \
		run_threads();                                                                                         \
		printf(format "\n", ##__VA_ARGS__);                                                                    \
		return 0;                                                                                              \
	}

#endif
