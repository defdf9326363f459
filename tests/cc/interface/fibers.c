/*
 * A fiber of the program's own writes while the first thread runs it and reads while the second thread does: the fiber
 * orders the two accesses.  "unordered": the second thread reads without running the fiber.
 */
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdatomic.h>
#include <stdio.h>

static void *fiber;
static atomic_int over;
static int data, unordered;

static void *first(void *arg)
{
	void *own = __tsan_get_current_fiber();

	__tsan_switch_to_fiber(fiber, 0);
	data = 42;
	__tsan_switch_to_fiber(own, 0);
	atomic_store_explicit(&over, 1, memory_order_relaxed);
	return arg;
}

static void *second(void *arg)
{
	void *own = __tsan_get_current_fiber();

	while (!atomic_load_explicit(&over, memory_order_relaxed))
		;
	if (!unordered)
		__tsan_switch_to_fiber(fiber, 0);
	int seen = data;
	if (!unordered)
		__tsan_switch_to_fiber(own, 0);
	return seen == 42 && __tsan_get_current_fiber() == own ? arg : NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	void *fine;

	(void)argv;
	unordered = argc > 1;
	fiber = __tsan_create_fiber(0);
	__tsan_set_fiber_name(fiber, "worker");
	pthread_create(&a, NULL, first, &data);
	pthread_create(&b, NULL, second, &data);
	pthread_join(a, NULL);
	pthread_join(b, &fine);
	__tsan_destroy_fiber(fiber);
	return !fine;
}
