/*
 * Atomics: visible operations, done here.  There is only one kernel thread, but memory may be shared with other
 * processes, so the operations are real ones.
 */
#include "rt/atomics/atomic.h"

#include "rt/core/op.h"

#include "rt/memory/memory_check.h"
#include "rt/order/happens_before.h"
#include "rt/fibers/sched.h"
#include "rt/shadow/race_check.h"
#include "rt/atomics/store_history.h"
#include "rt/memory/wild_pointer.h"

typedef unsigned __int128 u128;

/*
 * The order of the calls below matters.  An operation first acquires: its own access comes after everything that the
 * releaser had done, at this very location too.  It releases last: its own access comes before.
 */
#define WEAK_MOST 16

static inline struct store_history_access access_of(const void *addr, uint64_t size, int order,
                                                    const struct omen_site *site)
{
	return (struct store_history_access){
	        .address = (void *)addr, .size = (uint32_t)size, .order = order, .site = site};
}

static inline struct store_history_access access_done(const void *addr, uint64_t size, int order,
                                                      const struct omen_site *site)
{
	struct store_history_access a = access_of(addr, size, order, site);
	a.done = true;
	return a;
}

void atomic_read(const void *addr, uint64_t size, int order, const struct omen_site *site)
{
	if (store_history_active() && size <= WEAK_MOST) {
		struct store_history_access a = access_done(addr, size, order, site);
		u128 seen;
		store_history_load(&a, &seen);
		return;
	}
	if (shadow_is_last_load((uint64_t)addr, size, site))
		return;
	OP(ATOMIC_LOAD, .object = addr, .size = size, .site = site);
	bool learns = order_load(addr, order);
	shadow_access((uint64_t)addr, size, ACCESS_ATOMIC, site);
	if (!learns)
		shadow_set_last_load((uint64_t)addr, size, site);
}

void atomic_written(const void *addr, uint64_t size, int order, const struct omen_site *site)
{
	if (store_history_active() && size <= WEAK_MOST) {
		struct store_history_access a = access_done(addr, size, order, site);
		store_history_store(&a, addr);
		return;
	}
	OP(ATOMIC_STORE, .object = addr, .size = size, .site = site);
	shadow_access((uint64_t)addr, size, ACCESS_ATOMIC | ACCESS_WRITE, site);
	order_store(addr, order);
}

void atomic_updated(const void *addr, uint64_t size, int order, const struct omen_site *site)
{
	if (store_history_active() && size <= WEAK_MOST) {
		struct store_history_access a = access_done(addr, size, order, site);
		u128 now, seen;
		__builtin_memcpy(&now, addr, size);
		store_history_update_to(store_history_update_from(&a, &seen), &a, &now);
		return;
	}
	OP(ATOMIC_UPDATE, .object = addr, .size = size, .site = site);
	order_load(addr, order);
	shadow_access((uint64_t)addr, size, ACCESS_ATOMIC | ACCESS_WRITE, site);
	order_update(addr, order);
}

void atomic_compared(const void *addr, uint64_t size, bool ok, int success, int failure, const struct omen_site *site)
{
	OP(COMPARES);
	if (ok)
		atomic_updated(addr, size, success, site);
	else
		atomic_read(addr, size, failure, site);
}

void atomic_fence(int order)
{
	if (store_history_active())
		store_history_fence(order);
	order_fence(order);
}

static inline void atomic_point(const struct omen_site *site)
{
	op_count();
	sched_point(POINT_SYNC, where_site(site));
}

static inline void operation_point(const void *addr, uint64_t size, uint32_t flags, const struct omen_site *site)
{
	atomic_point(site);
	wild_access(addr, size);
	OP(ATOMIC_AHEAD, .object = addr, .size = size, .flags = flags | ACCESS_ATOMIC, .site = site);
	memory_access(addr, size, flags | ACCESS_ATOMIC, site);
	OP(ATOMIC_LOOK, .object = addr, .size = size);
}

#define AS_FLOAT(bits, type, uint)                                                                                     \
	({                                                                                                             \
		uint b_ = (bits);                                                                                      \
		type f_;                                                                                               \
		__builtin_memcpy(&f_, &b_, sizeof(f_));                                                                \
		f_;                                                                                                    \
	})

static uint64_t float_result(int op, uint64_t old, uint64_t arg, unsigned size)
{
	double a = size == 4 ? AS_FLOAT((uint32_t)old, float, uint32_t) : AS_FLOAT(old, double, uint64_t);
	double b = size == 4 ? AS_FLOAT((uint32_t)arg, float, uint32_t) : AS_FLOAT(arg, double, uint64_t);
	double r;

	switch (op) {
	case OMEN_RMW_FADD:
		r = size == 4 ? (double)((float)a + (float)b) : a + b;
		break;
	case OMEN_RMW_FSUB:
		r = size == 4 ? (double)((float)a - (float)b) : a - b;
		break;
	case OMEN_RMW_FMAX:
		r = __builtin_fmax(a, b);
		break;
	default:
		r = __builtin_fmin(a, b);
		break;
	}
	if (size == 4)
		return AS_FLOAT((float)r, uint32_t, float);
	return AS_FLOAT(r, uint64_t, double);
}

/* The value that `op` makes of `old`; S is the signed type of T's size. */
#define RMW_RESULT(T, S)                                                                                               \
	static T rmw_result_##T(int op, T old, T arg)                                                                  \
	{                                                                                                              \
		switch (op) {                                                                                          \
		case OMEN_RMW_XCHG:                                                                                    \
			return arg;                                                                                    \
		case OMEN_RMW_ADD:                                                                                     \
			return (T)(old + arg);                                                                         \
		case OMEN_RMW_SUB:                                                                                     \
			return (T)(old - arg);                                                                         \
		case OMEN_RMW_AND:                                                                                     \
			return old & arg;                                                                              \
		case OMEN_RMW_NAND:                                                                                    \
			return (T) ~(old & arg);                                                                       \
		case OMEN_RMW_OR:                                                                                      \
			return old | arg;                                                                              \
		case OMEN_RMW_XOR:                                                                                     \
			return old ^ arg;                                                                              \
		case OMEN_RMW_MAX:                                                                                     \
			return (S)old > (S)arg ? old : arg;                                                            \
		case OMEN_RMW_MIN:                                                                                     \
			return (S)old < (S)arg ? old : arg;                                                            \
		case OMEN_RMW_UMAX:                                                                                    \
			return old > arg ? old : arg;                                                                  \
		case OMEN_RMW_UMIN:                                                                                    \
			return old < arg ? old : arg;                                                                  \
		case OMEN_RMW_UINC_WRAP:                                                                               \
			return old >= arg ? 0 : (T)(old + 1);                                                          \
		case OMEN_RMW_UDEC_WRAP:                                                                               \
			return old == 0 || old > arg ? arg : (T)(old - 1);                                             \
		default:                                                                                               \
			return (T)float_result(op, (uint64_t)old, (uint64_t)arg, sizeof(T));                           \
		}                                                                                                      \
	}
RMW_RESULT(uint8_t, int8_t)
RMW_RESULT(uint16_t, int16_t)
RMW_RESULT(uint32_t, int32_t)
RMW_RESULT(uint64_t, int64_t)
RMW_RESULT(u128, __int128)

#define ATOMIC(N, T)                                                                                                   \
	EXPORT FORGETS T omen_atomic_load##N(const T *addr, int order, const struct omen_site *site)                   \
	{                                                                                                              \
		operation_point(addr, N, 0, site);                                                                     \
		if (unlikely(store_history_active())) {                                                                \
			struct store_history_access a = access_of(addr, N, order, site);                               \
			T value;                                                                                       \
			store_history_load(&a, &value);                                                                \
			return value;                                                                                  \
		}                                                                                                      \
		T seen = __atomic_load_n(addr, __ATOMIC_SEQ_CST);                                                      \
		atomic_read(addr, N, order, site);                                                                     \
		return seen;                                                                                           \
	}                                                                                                              \
	EXPORT FORGETS void omen_atomic_store##N(T *addr, T value, int order, const struct omen_site *site)            \
	{                                                                                                              \
		operation_point(addr, N, ACCESS_WRITE, site);                                                          \
		if (unlikely(store_history_active())) {                                                                \
			struct store_history_access a = access_of(addr, N, order, site);                               \
			store_history_store(&a, &value);                                                               \
			return;                                                                                        \
		}                                                                                                      \
		__atomic_store_n(addr, value, __ATOMIC_RELEASE);                                                       \
		atomic_written(addr, N, order, site);                                                                  \
	}                                                                                                              \
	EXPORT FORGETS T omen_atomic_rmw##N(T *addr, T value, int op, int order, const struct omen_site *site)         \
	{                                                                                                              \
		operation_point(addr, N, ACCESS_WRITE, site);                                                          \
		if (unlikely(store_history_active())) {                                                                \
			struct store_history_access a = access_of(addr, N, order, site);                               \
			T seen;                                                                                        \
			struct location *l = store_history_update_from(&a, &seen);                                     \
			value = rmw_result_##T(op, seen, value);                                                       \
			store_history_update_to(l, &a, &value);                                                        \
			return seen;                                                                                   \
		}                                                                                                      \
		T old = __atomic_load_n(addr, __ATOMIC_RELAXED);                                                       \
		while (!__atomic_compare_exchange_n(addr, &old, rmw_result_##T(op, old, value), 0, __ATOMIC_SEQ_CST,   \
		                                    __ATOMIC_RELAXED))                                                 \
			;                                                                                              \
		if (unlikely(mode_is(STEPS)) && rmw_result_##T(op, old, value) == old)                                 \
			OP(SAME_VALUE, .value = order_heads_one(order));                                               \
		atomic_updated(addr, N, order, site);                                                                  \
		return old;                                                                                            \
	}                                                                                                              \
	EXPORT FORGETS _Bool omen_atomic_cas##N(T *addr, T *expected, T desired, int success, int failure, int flags,  \
	                                        const struct omen_site *site)                                          \
	{                                                                                                              \
		operation_point(addr, N, ACCESS_WRITE, site);                                                          \
		if (unlikely(store_history_active())) {                                                                \
			struct store_history_access a = access_of(addr, N, success, site);                             \
			return store_history_compare(&a, failure, expected, &desired, flags & OMEN_CAS_WEAK);          \
		}                                                                                                      \
		bool ok = __atomic_compare_exchange_n(addr, expected, desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
		atomic_compared(addr, N, ok, success, failure, site);                                                  \
		return ok;                                                                                             \
	}
ATOMIC(1, uint8_t)
ATOMIC(2, uint16_t)
ATOMIC(4, uint32_t)
ATOMIC(8, uint64_t)

/* clang calls libatomic for 16 bytes even where cmpxchg16b is available, so these functions use the instruction. */
static bool cas16(u128 *addr, u128 *expected, u128 desired)
{
	uint64_t low = (uint64_t)*expected, high = (uint64_t)(*expected >> 64);
	bool ok;

	__asm__ volatile("lock cmpxchg16b %1"
	                 : "=@ccz"(ok), "+m"(*addr), "+a"(low), "+d"(high)
	                 : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
	                 : "memory");
	*expected = (u128)high << 64 | low;
	return ok;
}

EXPORT FORGETS u128 omen_atomic_load16(const u128 *addr, int order, const struct omen_site *site)
{
	u128 seen;

	operation_point(addr, 16, 0, site);
	if (unlikely(store_history_active())) {
		struct store_history_access a = access_of(addr, 16, order, site);
		store_history_load(&a, &seen);
		return seen;
	}
	/* no compare-exchange: the memory may be read-only, and one kernel thread reads it whole anyway */
	__builtin_memcpy(&seen, addr, sizeof(seen));
	atomic_read(addr, 16, order, site);
	return seen;
}

EXPORT FORGETS void omen_atomic_store16(u128 *addr, u128 value, int order, const struct omen_site *site)
{
	u128 old;

	operation_point(addr, 16, ACCESS_WRITE, site);
	if (unlikely(store_history_active())) {
		struct store_history_access a = access_of(addr, 16, order, site);
		store_history_store(&a, &value);
		return;
	}
	__builtin_memcpy(&old, addr, sizeof(old));
	while (!cas16(addr, &old, value))
		;
	atomic_written(addr, 16, order, site);
}

EXPORT FORGETS u128 omen_atomic_rmw16(u128 *addr, u128 value, int op, int order, const struct omen_site *site)
{
	u128 old;

	operation_point(addr, 16, ACCESS_WRITE, site);
	if (unlikely(store_history_active())) {
		struct store_history_access a = access_of(addr, 16, order, site);
		struct location *l = store_history_update_from(&a, &old);
		value = rmw_result_u128(op, old, value);
		store_history_update_to(l, &a, &value);
		return old;
	}
	__builtin_memcpy(&old, addr, sizeof(old));
	while (!cas16(addr, &old, rmw_result_u128(op, old, value)))
		;
	atomic_updated(addr, 16, order, site);
	return old;
}

EXPORT FORGETS _Bool omen_atomic_cas16(u128 *addr, u128 *expected, u128 desired, int success, int failure, int flags,
                                       const struct omen_site *site)
{
	operation_point(addr, 16, ACCESS_WRITE, site);
	if (unlikely(store_history_active())) {
		struct store_history_access a = access_of(addr, 16, success, site);
		return store_history_compare(&a, failure, expected, &desired, flags & OMEN_CAS_WEAK);
	}
	bool ok = cas16(addr, expected, desired);
	atomic_compared(addr, 16, ok, success, failure, site);
	return ok;
}

EXPORT void omen_fence(int order, int single_thread, const struct omen_site *site)
{
	if (single_thread)
		return;
	atomic_point(site);
	atomic_fence(order);
}

/* ---- inline assembly ---- */

/* The value at this address; of 16 bytes a number that changes with them. */
static uint64_t value_at(const void *addr, size_t size)
{
	uint64_t value[2] = {0};

	__builtin_memcpy(value, addr, size <= sizeof value ? size : sizeof value);
	return value[0] + value[1] * 0x9e3779b97f4a7c15;
}

/* An operand that is not aligned is no atomic object; it counts as a plain access. */
static bool is_atomic(const void *addr, size_t size, uint32_t what)
{
	return what & OMEN_ASM_ATOMIC && !((uint64_t)addr & (size - 1));
}

EXPORT uint64_t omen_assembly_before(void *addr, size_t size, uint32_t what, const struct omen_site *site)
{
	if (is_atomic(addr, size, what)) {
		operation_point(addr, size, what & OMEN_ASM_WRITES ? ACCESS_WRITE : 0, site);
		return value_at(addr, size);
	}
	if (omen_hot->stamp == OMEN_UNWATCHED)
		return 0;
	if (what & OMEN_ASM_READS)
		omen_slow_loadn(addr, (uint8_t[16]){0}, size, site);
	if (what & OMEN_ASM_WRITES)
		omen_slow_store(addr, size, site);
	return 0;
}

EXPORT void omen_assembly_after(void *addr, size_t size, uint32_t what, uint64_t old, const struct omen_site *site)
{
	if (!is_atomic(addr, size, what))
		return;
	if (!(what & OMEN_ASM_WRITES))
		atomic_read(addr, size, ACQUIRE, site);
	else if (!(what & OMEN_ASM_READS))
		atomic_written(addr, size, RELEASE, site);
	else if (what & OMEN_ASM_COMPARES)
		atomic_compared(addr, size, value_at(addr, size) != old, SEQ_CST, SEQ_CST, site);
	else
		atomic_updated(addr, size, SEQ_CST, site);
}

EXPORT void omen_assembly_unseen(void)
{
	omen.hidden = true;
	if (!mode_is(STEPS) || !omen.current || omen.off)
		return;
	sched_point(POINT_SYNC, where_code(__builtin_return_address(0)));
	OP(OUTSIDE, .value = 1, .flags = OP_ANY);
}
