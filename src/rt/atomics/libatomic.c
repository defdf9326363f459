/*
 * libatomic's functions: what compilers call for atomics that they cannot do inline (16 bytes, odd sizes, no
 * alignment).  They are visible operations like the others; on one kernel thread a plain copy after the point is
 * atomic.
 *
 * Compilers know these names as builtins, so the functions are defined under other names and get their own in the
 * object file.
 */
#include <string.h>

#include "rt/atomics/atomic.h"
#include "rt/fibers/sched.h"

typedef unsigned __int128 u128;

#define NAMED(name) __asm__(#name)
#define POINT()     sched_point(POINT_SYNC, where_code(__builtin_return_address(0)))

#define DECLARE(result, name, ...) EXPORT result atomic_##name(__VA_ARGS__) NAMED(__atomic_##name)

/* ---- any size ---- */

DECLARE(void, load, size_t size, const void *from, void *to, int order);
void atomic_load(size_t size, const void *from, void *to, int order)
{
	POINT();
	memcpy(to, from, size);
	atomic_read(from, size, order, NULL);
}

DECLARE(void, store, size_t size, void *to, const void *from, int order);
void atomic_store(size_t size, void *to, const void *from, int order)
{
	POINT();
	memcpy(to, from, size);
	atomic_written(to, size, order, NULL);
}

/* `old` may be the same memory as `new`: each byte is read before it is written */
DECLARE(void, exchange, size_t size, void *at, const void *new, void *old, int order);
void atomic_exchange(size_t size, void *at, const void *new, void *old, int order)
{
	char *p = at, *o = old;
	const char *n = new;

	POINT();
	for (size_t i = 0; i < size; i++) {
		char was = p[i];
		p[i] = n[i];
		o[i] = was;
	}
	atomic_updated(at, size, order, NULL);
}

DECLARE(_Bool, compare_exchange, size_t size, void *at, void *expected, const void *desired, int success, int failure);
_Bool atomic_compare_exchange(size_t size, void *at, void *expected, const void *desired, int success, int failure)
{
	POINT();
	bool ok = !memcmp(at, expected, size);
	memcpy(ok ? at : expected, ok ? desired : at, size);
	atomic_compared(at, size, ok, success, failure, NULL);
	return ok;
}

/* ---- the sizes that have functions of their own ---- */

#define FETCH(N, T, op, expression)                                                                                    \
	DECLARE(T, fetch_##op##_##N, T *at, T arg, int order);                                                         \
	T atomic_fetch_##op##_##N(T *at, T arg, int order)                                                             \
	{                                                                                                              \
		POINT();                                                                                               \
		T old = *at;                                                                                           \
		*at = (T)(expression);                                                                                 \
		atomic_updated(at, N, order, NULL);                                                                    \
		return old;                                                                                            \
	}

#define SIZED(N, T)                                                                                                    \
	DECLARE(T, load_##N, const T *at, int order);                                                                  \
	T atomic_load_##N(const T *at, int order)                                                                      \
	{                                                                                                              \
		POINT();                                                                                               \
		atomic_read(at, N, order, NULL);                                                                       \
		return *at;                                                                                            \
	}                                                                                                              \
	DECLARE(void, store_##N, T *at, T value, int order);                                                           \
	void atomic_store_##N(T *at, T value, int order)                                                               \
	{                                                                                                              \
		POINT();                                                                                               \
		*at = value;                                                                                           \
		atomic_written(at, N, order, NULL);                                                                    \
	}                                                                                                              \
	DECLARE(_Bool, compare_exchange_##N, T *at, T *expected, T desired, int success, int failure);                 \
	_Bool atomic_compare_exchange_##N(T *at, T *expected, T desired, int success, int failure)                     \
	{                                                                                                              \
		POINT();                                                                                               \
		T old = *at;                                                                                           \
		bool ok = old == *expected;                                                                            \
		*(ok ? at : expected) = ok ? desired : old;                                                            \
		atomic_compared(at, N, ok, success, failure, NULL);                                                    \
		return ok;                                                                                             \
	}                                                                                                              \
	FETCH(N, T, add, old + arg)                                                                                    \
	FETCH(N, T, sub, old - arg)                                                                                    \
	FETCH(N, T, and, old &arg)                                                                                     \
	FETCH(N, T, or, old | arg)                                                                                     \
	FETCH(N, T, xor, old ^ arg)                                                                                    \
	FETCH(N, T, nand, ~(old & arg))                                                                                \
	DECLARE(T, exchange_##N, T *at, T arg, int order);                                                             \
	T atomic_exchange_##N(T *at, T arg, int order)                                                                 \
	{                                                                                                              \
		POINT();                                                                                               \
		T old = *at;                                                                                           \
		*at = arg;                                                                                             \
		atomic_updated(at, N, order, NULL);                                                                    \
		return old;                                                                                            \
	}
SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
SIZED(16, u128)
