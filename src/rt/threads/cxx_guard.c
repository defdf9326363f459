/* The guards of static variables that C++ initialises on first use. */
#include <dlfcn.h>

#include "rt/core/text.h"
#include "rt/order/happens_before.h"
#include "rt/threads/interpose.h"

static void *next_named(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		text_die("no library has %s", name);
	return f;
}

/* The running fiber is about to read or change the guard. */
static inline void come_to(uint64_t *guard, uint64_t where)
{
	op_count();
	if (unlikely(mode_is(STEPS)))
		sched_point(POINT_SYNC, where);
	OP(WRITTEN, .object = guard, .size = sizeof(*guard));
}

/* The running fiber releases the guard: the variable is initialised, or an exception has left its initialiser. */
static inline void give_back(uint64_t *guard, uint64_t where)
{
	come_to(guard, where);
	order_store(guard, __ATOMIC_RELEASE);
	OP(ORDERS, .object = guard);
}

/* Before a call of these functions, compiled code tests the guard with an atomic load that acquires. */
EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
	static int (*next)(uint64_t *);

	if (!next)
		next = (int (*)(uint64_t *))next_named("__cxa_guard_acquire");
	come_to(guard, HERE);
	int mine = next(guard);
	OP(WRITTEN, .object = guard, .size = sizeof(*guard));
	OP(ORDERS, .object = guard);
	order_load(guard, __ATOMIC_ACQUIRE); /* also if an exception has left the initialiser before */
	return mine;
}

EXPORT void __cxa_guard_release(uint64_t *guard)
{
	static void (*next)(uint64_t *);

	if (!next)
		next = (void (*)(uint64_t *))next_named("__cxa_guard_release");
	give_back(guard, HERE);
	OP(WILL_STORE, .object = guard, .size = 1, .value = 1); /* compiled code tests this value */
	next(guard);
}

EXPORT void __cxa_guard_abort(uint64_t *guard)
{
	static void (*next)(uint64_t *);

	if (!next)
		next = (void (*)(uint64_t *))next_named("__cxa_guard_abort");
	give_back(guard, HERE);
	next(guard);
}
