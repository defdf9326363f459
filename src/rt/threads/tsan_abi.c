/*
 * ThreadSanitizer's functions.  Objects that gcc and clang compiled with -fsanitize=thread call them, and programs
 * annotate their own synchronisation with them.
 *
 * Such code has no sites: the place of an access is the address of the call.  It has no counted loops either.  The
 * runtime counts its accesses instead, because a loop that waits for another thread has to read something.
 */
#include <string.h>

#include "rt/memory/memory_check.h"
#include "rt/access/access_point.h"
#include "rt/clock/clock.h"
#include "rt/atomics/atomic.h"
#include "rt/order/happens_before.h"
#include "rt/core/pool.h"
#include "rt/shadow/race_table.h"
#include "rt/shadow/race_check.h"
#include "rt/core/text.h"

typedef unsigned __int128 u128;

#define HERE      where_code(__builtin_return_address(0))
#define INTERFACE EXPORT __attribute__((used))

/* ---- plain accesses ---- */

static void pass_by(uint64_t where)
{
	if (likely(--omen_hot->budget >= 0))
		return;
	if (omen.off & OFF_BEFORE)
		omen_hot->budget = omen.loop_budget;
	else
		sched_point(POINT_YIELD, where);
}

static void plain(const void *addr, size_t size, uint32_t flags, uint64_t where)
{
	pass_by(where);
	if (!omen_hot->watch || unlikely(omen.off & OFF_BEFORE) || !size || access_ignored(flags & ACCESS_WRITE))
		return;
	access_point(addr, where);
	if (flags & ACCESS_WRITE)
		access_wrote(addr);
	shadow_access((uint64_t)addr, size, flags, NULL);
	memory_access(addr, size, flags, NULL);
}

#define ACCESS(name, size, flags)                                                                                      \
	INTERFACE void __tsan_##name(const void *addr);                                                                \
	void __tsan_##name(const void *addr) { plain(addr, size, flags, HERE); }

/* A compound assignment reads and writes the same bytes; for the race check the write is enough. */
#define KINDS(prefix, size)                                                                                            \
	ACCESS(prefix##read##size, size, 0)                                                                            \
	ACCESS(prefix##write##size, size, ACCESS_WRITE)

#define SIZES(prefix) KINDS(prefix, 1) KINDS(prefix, 2) KINDS(prefix, 4) KINDS(prefix, 8) KINDS(prefix, 16)

#define COMPOUND(prefix, size) ACCESS(prefix##read_write##size, size, ACCESS_WRITE)

SIZES()
SIZES(unaligned_)
SIZES(volatile_)
SIZES(unaligned_volatile_)
COMPOUND(, 1)
COMPOUND(, 2)
COMPOUND(, 4)
COMPOUND(, 8)
COMPOUND(, 16)
COMPOUND(unaligned_, 1)
COMPOUND(unaligned_, 2)
COMPOUND(unaligned_, 4)
COMPOUND(unaligned_, 8)
COMPOUND(unaligned_, 16)
ACCESS(vptr_read, sizeof(void *), 0)

/* Every constructor and destructor sets the pointer to the vtable.  If it has this value already, nothing changes, and
 * it counts as a read. */
INTERFACE void __tsan_vptr_update(void **at, const void *new);
void __tsan_vptr_update(void **at, const void *new) { plain(at, sizeof(*at), *at == new ? 0 : ACCESS_WRITE, HERE); }

INTERFACE void __tsan_read_range(const void *addr, size_t size);
void __tsan_read_range(const void *addr, size_t size) { plain(addr, size, 0, HERE); }

INTERFACE void __tsan_write_range(void *addr, size_t size);
void __tsan_write_range(void *addr, size_t size) { plain(addr, size, ACCESS_WRITE, HERE); }

INTERFACE void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
	plain(from, size, 0, HERE);
	plain(to, size, ACCESS_WRITE, HERE);
	return memmove(to, from, size);
}

INTERFACE void *__tsan_memmove(void *to, const void *from, size_t size) __attribute__((alias("__tsan_memcpy")));

INTERFACE void *__tsan_memset(void *to, int byte, size_t size);
void *__tsan_memset(void *to, int byte, size_t size)
{
	plain(to, size, ACCESS_WRITE, HERE);
	return memset(to, byte, size);
}

#define UNALIGNED(bits)                                                                                                \
	INTERFACE uint##bits##_t __sanitizer_unaligned_load##bits(const void *from);                                   \
	uint##bits##_t __sanitizer_unaligned_load##bits(const void *from)                                              \
	{                                                                                                              \
		uint##bits##_t value;                                                                                  \
		plain(from, sizeof(value), 0, HERE);                                                                   \
		memcpy(&value, from, sizeof(value));                                                                   \
		return value;                                                                                          \
	}                                                                                                              \
	INTERFACE void __sanitizer_unaligned_store##bits(void *to, uint##bits##_t value);                              \
	void __sanitizer_unaligned_store##bits(void *to, uint##bits##_t value)                                         \
	{                                                                                                              \
		plain(to, sizeof(value), ACCESS_WRITE, HERE);                                                          \
		memcpy(to, &value, sizeof(value));                                                                     \
	}
UNALIGNED(16)
UNALIGNED(32)
UNALIGNED(64)

/* An object whose own code is not instrumented: calls that change it count as writes, others as reads. */
#define EXTERNAL(name, flags)                                                                                          \
	INTERFACE void __tsan_external_##name(void *object, void *caller, void *tag);                                  \
	void __tsan_external_##name(void *object, void *caller, void *tag __attribute__((unused)))                     \
	{                                                                                                              \
		plain(object, 1, flags, caller ? where_code(caller) : HERE);                                           \
	}
EXTERNAL(read, 0)
EXTERNAL(write, ACCESS_WRITE)

/* Stacks are found by unwinding, and libomen has started already, so these have nothing to do. */
#define NOTHING(name, ...)                                                                                             \
	INTERFACE void name(__VA_ARGS__);                                                                              \
	void name(__VA_ARGS__) {}

NOTHING(__tsan_init, void)
NOTHING(__tsan_func_entry, const void *pc __attribute__((unused)))
NOTHING(__tsan_func_exit, void)

/* ---- atomics ---- */

/*
 * The same operations as libatomic's, argument for argument.  They are reached by a jump and not by a call, so that
 * their place is the program's call.
 */
#define SAME(T, name, bits, same, N, declaration, ...)                                                                 \
	T same##_##N declaration __asm__("__atomic_" #same "_" #N);                                                    \
	INTERFACE T __tsan_atomic##bits##_##name declaration;                                                          \
	T __tsan_atomic##bits##_##name declaration { __attribute__((musttail)) return same##_##N(__VA_ARGS__); }

#define FETCH(T, op, bits, N) SAME(T, fetch_##op, bits, fetch_##op, N, (T * at, T value, int order), at, value, order)

/* libatomic has no function that returns the value seen. */
#define ATOMIC(T, bits, N)                                                                                             \
	SAME(T, load, bits, load, N, (const T *at, int order), at, order)                                              \
	SAME(void, store, bits, store, N, (T * at, T value, int order), at, value, order)                              \
	SAME(T, exchange, bits, exchange, N, (T * at, T value, int order), at, value, order)                           \
	FETCH(T, add, bits, N)                                                                                         \
	FETCH(T, sub, bits, N)                                                                                         \
	FETCH(T, and, bits, N)                                                                                         \
	FETCH(T, or, bits, N)                                                                                          \
	FETCH(T, xor, bits, N)                                                                                         \
	FETCH(T, nand, bits, N)                                                                                        \
	SAME(_Bool, compare_exchange_strong, bits, compare_exchange, N,                                                \
	     (T * at, T * expected, T desired, int success, int failure), at, expected, desired, success, failure)     \
	SAME(_Bool, compare_exchange_weak, bits, compare_exchange, N,                                                  \
	     (T * at, T * expected, T desired, int success, int failure), at, expected, desired, success, failure)     \
	INTERFACE T __tsan_atomic##bits##_compare_exchange_val(T *at, T expected, T desired, int success,              \
	                                                       int failure);                                           \
	T __tsan_atomic##bits##_compare_exchange_val(T *at, T expected, T desired, int success, int failure)           \
	{                                                                                                              \
		sched_point(POINT_SYNC, HERE);                                                                         \
		T seen = *at;                                                                                          \
		if (seen == expected)                                                                                  \
			*at = desired;                                                                                 \
		atomic_compared(at, N, seen == expected, success, failure, NULL);                                      \
		return seen;                                                                                           \
	}
ATOMIC(uint8_t, 8, 1)
ATOMIC(uint16_t, 16, 2)
ATOMIC(uint32_t, 32, 4)
ATOMIC(uint64_t, 64, 8)
ATOMIC(u128, 128, 16)

INTERFACE void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	sched_point(POINT_SYNC, HERE);
	atomic_fence(order);
}

NOTHING(__tsan_atomic_signal_fence, int order __attribute__((unused)))

/* ---- annotations of programs ---- */

/* sanitizer/tsan_interface.h */
enum { MUTEX_READ = 1 << 3, MUTEX_TRY_FAILED = 1 << 5 };

static void locked(const void *lock, bool shared)
{
	if (shared)
		order_acquire(lock);
	else
		order_writer_acquires(lock);
}

static void unlocks(const void *lock, bool shared)
{
	if (shared)
		order_reader_releases(lock);
	else
		order_release(lock);
}

INTERFACE void __tsan_acquire(void *addr);
void __tsan_acquire(void *addr) { order_acquire(addr); }

INTERFACE void __tsan_release(void *addr);
void __tsan_release(void *addr) { order_release_too(addr); }

INTERFACE void __tsan_mutex_post_lock(void *addr, unsigned flags, int recursion);
void __tsan_mutex_post_lock(void *addr, unsigned flags, int recursion __attribute__((unused)))
{
	if (!(flags & MUTEX_TRY_FAILED))
		locked(addr, flags & MUTEX_READ);
}

INTERFACE int __tsan_mutex_pre_unlock(void *addr, unsigned flags);
int __tsan_mutex_pre_unlock(void *addr, unsigned flags)
{
	unlocks(addr, flags & MUTEX_READ);
	return 0;
}

#define MUTEX_SAYS(what)                                                                                               \
	NOTHING(__tsan_mutex_##what, void *addr __attribute__((unused)), unsigned flags __attribute__((unused)))
MUTEX_SAYS(create)
MUTEX_SAYS(destroy)
MUTEX_SAYS(pre_lock)
MUTEX_SAYS(post_unlock)
MUTEX_SAYS(pre_signal)
MUTEX_SAYS(post_signal)
MUTEX_SAYS(pre_divert)
MUTEX_SAYS(post_divert)
NOTHING(__tsan_check_no_mutexes_held, void)
NOTHING(__tsan_flush_memory, void)

/*
 * Fibers of the program's own.  The fibers of one thread run one after the other, so they are ordered anyway.  A fiber
 * that continues in another thread keeps what it knew.
 */
struct own_fiber {
	char key; /* its address is the key that orders */
};

static const void *own_fiber(void) { return omen.current->own_fiber ? omen.current->own_fiber : omen.current; }

INTERFACE void *__tsan_get_current_fiber(void);
void *__tsan_get_current_fiber(void) { return (void *)own_fiber(); }

INTERFACE void *__tsan_create_fiber(unsigned flags);
void *__tsan_create_fiber(unsigned flags __attribute__((unused)))
{
	struct own_fiber *f = pool_alloc(sizeof(*f));

	order_release(f);
	return f;
}

INTERFACE void __tsan_destroy_fiber(void *fiber);
void __tsan_destroy_fiber(void *fiber) { pool_free(fiber, sizeof(struct own_fiber)); }

INTERFACE void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags __attribute__((unused)))
{
	order_release(own_fiber());
	omen.current->own_fiber = fiber == omen.current ? NULL : fiber;
	order_acquire(fiber);
}

NOTHING(__tsan_set_fiber_name, void *fiber __attribute__((unused)), const char *name __attribute__((unused)))

/* Tags only name objects in reports, and there is no report while the program runs. */
INTERFACE void *__tsan_external_register_tag(const char *type);
void *__tsan_external_register_tag(const char *type) { return (void *)type; }
NOTHING(__tsan_external_register_header, void *tag __attribute__((unused)), const char *header __attribute__((unused)))
NOTHING(__tsan_external_assign_tag, void *object __attribute__((unused)), void *tag __attribute__((unused)))

INTERFACE void *__tsan_get_current_report(void);
void *__tsan_get_current_report(void) { return NULL; }

/* Each function has more arguments; it returns that it has found nothing, and writes to none of them. */
#define NO_REPORT(what)                                                                                                \
	INTERFACE int __tsan_get_report_##what(void *report);                                                          \
	int __tsan_get_report_##what(void *report __attribute__((unused))) { return 0; }
NO_REPORT(data)
NO_REPORT(stack)
NO_REPORT(mop)
NO_REPORT(loc)
NO_REPORT(mutex)
NO_REPORT(thread)
NO_REPORT(unique_tid)

/* The thread's accesses do not count between a begin and its end; these nest. */
static void ignore(int writes, int more)
{
	if (omen.current && (more > 0 || omen.current->ignores[writes]))
		omen.current->ignores[writes] += (uint32_t)more;
	if (omen.current)
		clock_stamp();
}

INTERFACE void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_begin(void)
{
	ignore(0, 1);
	ignore(1, 1);
}

INTERFACE void __tsan_ignore_thread_end(void);
void __tsan_ignore_thread_end(void)
{
	ignore(0, -1);
	ignore(1, -1);
}

/* The older annotations, which have their own file and line as arguments. */
#define ANNOTATION(name, ...)                                                                                          \
	INTERFACE void Annotate##name(const char *, int, ##__VA_ARGS__);                                               \
	void Annotate##name(const char *file __attribute__((unused)), int line __attribute__((unused)), ##__VA_ARGS__)

ANNOTATION(HappensBefore, const volatile void *addr) { order_release_too((const void *)addr); }
ANNOTATION(HappensAfter, const volatile void *addr) { order_acquire((const void *)addr); }
ANNOTATION(RWLockCreate, const volatile void *lock) { (void)lock; }
ANNOTATION(RWLockCreateStatic, const volatile void *lock) { (void)lock; }
ANNOTATION(RWLockDestroy, const volatile void *lock) { (void)lock; }
ANNOTATION(RWLockAcquired, const volatile void *lock, long writes) { locked((const void *)lock, !writes); }
ANNOTATION(RWLockReleased, const volatile void *lock, long writes) { unlocks((const void *)lock, !writes); }
ANNOTATION(NewMemory, const volatile void *addr, size_t size) { shadow_clear((uint64_t)addr, size); }
ANNOTATION(IgnoreReadsBegin) { ignore(0, 1); }
ANNOTATION(IgnoreReadsEnd) { ignore(0, -1); }
ANNOTATION(IgnoreWritesBegin) { ignore(1, 1); }
ANNOTATION(IgnoreWritesEnd) { ignore(1, -1); }
ANNOTATION(BenignRace, const volatile void *addr, const char *why)
{
	(void)why;
	race_is_benign((uint64_t)addr, 1);
}
ANNOTATION(BenignRaceSized, const volatile void *addr, size_t size, const char *why)
{
	(void)why;
	race_is_benign((uint64_t)addr, size);
}
ANNOTATION(ThreadName, const char *name)
{
	if (omen.current)
		text_format(omen.current->name, sizeof(omen.current->name), "%s", name);
}

/* Annotations for older detectors, without effect.  The runtime does not ignore synchronisation on request either, so
 * it may hide a race. */
#define UNHEARD(name)                                                                                                  \
	ANNOTATION(name) {}
UNHEARD(CondVarSignal)
UNHEARD(CondVarSignalAll)
UNHEARD(CondVarWait)
UNHEARD(EnableRaceDetection)
UNHEARD(ExpectRace)
UNHEARD(FlushExpectedRaces)
UNHEARD(FlushState)
UNHEARD(IgnoreSyncBegin)
UNHEARD(IgnoreSyncEnd)
UNHEARD(MemoryIsInitialized)
UNHEARD(MemoryIsUninitialized)
UNHEARD(MutexIsNotPHB)
UNHEARD(MutexIsUsedAsCondVar)
UNHEARD(NoOp)
UNHEARD(PCQCreate)
UNHEARD(PCQDestroy)
UNHEARD(PCQGet)
UNHEARD(PCQPut)
UNHEARD(PublishMemoryRange)
UNHEARD(TraceMemory)
UNHEARD(UnpublishMemoryRange)

/* The same under the names that another project uses. */
#define ALSO(name, ...)                                                                                                \
	INTERFACE void WTFAnnotate##name(const char *, int, ##__VA_ARGS__) __attribute__((alias("Annotate" #name)));
ALSO(HappensBefore, const volatile void *)
ALSO(HappensAfter, const volatile void *)
ALSO(BenignRaceSized, const volatile void *, size_t, const char *)
