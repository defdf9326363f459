/*
 * Interposed calls to libomp and by libomp.
 *
 * libomp does not report all of its order (openmp.c): how reductions are combined, flushes, and where the memory of
 * tasks comes from.  The calls that the compiler emits for these show it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/atomics/atomic.h"
#include "rt/threads/openmp.h"
#include "rt/order/happens_before.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"
#include "rt/shadow/race_check.h"

#define INTERFACE EXPORT __attribute__((used))

entry openmp_next(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	entry function;

	memcpy(&function, &found, sizeof(function));
	return function;
}

/*
 * libomp leaves a note in shared memory under the process's id, to find a second libomp in the same process.  Process
 * ids are virtual, so libomp would take another execution, side by side or killed before, for this second one.
 * Therefore the note becomes a file without a name.
 */
static bool is_note(const char *name) { return omen.board && !strncmp(name, "/__KMP_REGISTERED_LIB_", 22); }

EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
	if (!is_note(name))
		return ((int (*)(const char *, int, mode_t))openmp_next("shm_open"))(name, flags, mode);
	if (flags & O_CREAT)
		return memfd_create(name + 1, MFD_CLOEXEC);
	errno = ENOENT;
	return -1;
}

EXPORT int shm_unlink(const char *name)
{
	return is_note(name) ? 0 : ((int (*)(const char *))openmp_next("shm_unlink"))(name);
}

/* ---- calls that the compiler emits ---- */

typedef void (*combine)(void *to, void *from);
typedef int (*reduce)(void *, int, int, size_t, void *, combine, void *);
typedef void (*end_reduce)(void *, int, void *);

struct reduction {
	combine function;
	const void *lock;
	const struct reduction *outer;
};

#define REAL(name, type)                                                                                               \
	({                                                                                                             \
		static entry real_;                                                                                    \
		if (!real_)                                                                                            \
			real_ = openmp_next(#name);                                                                    \
		(type) real_;                                                                                          \
	})

/* A key: what threads did before they came to the reduction.  Their values may be combined from then on. */
static const void *came(const void *lock) { return (const char *)lock + 1; }

/* libomp combines the values of two threads, after one has waited for the other. */
static void combine_in_order(void *to, void *from)
{
	const struct reduction *r = omen.current->reduction;

	order_acquire(came(r->lock));
	r->function(to, from);
	order_release_too(came(r->lock));
}

static int reduce_by(reduce real, void *loc, int thread, int n, size_t size, void *data, combine f, void *lock)
{
	struct fiber *me = omen.current;
	const struct reduction own = {f, lock, me ? me->reduction : NULL};

	if (!me)
		return real(loc, thread, n, size, data, f, lock);
	order_release_too(came(lock));
	me->reduction = &own;
	int how = real(loc, thread, n, size, data, combine_in_order, lock);
	me->reduction = own.outer;
	return how;
}

INTERFACE int __kmpc_reduce(void *, int, int, size_t, void *, combine, void *);
int __kmpc_reduce(void *loc, int thread, int n, size_t size, void *data, combine f, void *lock)
{
	int how = reduce_by(REAL(__kmpc_reduce, reduce), loc, thread, n, size, data, f, lock);

	order_acquire(lock);
	return how;
}

/* A thread that gets 1 combines its own value, alone.  The value of a thread that gets 0 was or will be combined by
 * another one. */
INTERFACE int __kmpc_reduce_nowait(void *, int, int, size_t, void *, combine, void *);
int __kmpc_reduce_nowait(void *loc, int thread, int n, size_t size, void *data, combine f, void *lock)
{
	int how = reduce_by(REAL(__kmpc_reduce_nowait, reduce), loc, thread, n, size, data, f, lock);

	if (how == 1)
		order_acquire(lock);
	return how;
}

INTERFACE void __kmpc_end_reduce(void *, int, void *);
void __kmpc_end_reduce(void *loc, int thread, void *lock)
{
	order_release_too(lock);
	REAL(__kmpc_end_reduce, end_reduce)(loc, thread, lock);
}

INTERFACE void __kmpc_end_reduce_nowait(void *, int, void *);
void __kmpc_end_reduce_nowait(void *loc, int thread, void *lock)
{
	order_release_too(lock);
	REAL(__kmpc_end_reduce_nowait, end_reduce)(loc, thread, lock);
}

INTERFACE void __kmpc_flush(void *);
void __kmpc_flush(void *loc)
{
	if (!omen.off)
		sched_point(POINT_SYNC, where_code(__builtin_return_address(0)));
	atomic_fence(SEQ_CST);
	REAL(__kmpc_flush, void (*)(void *))(loc);
}

/* libomp uses the memory of finished tasks for new ones: former accesses to it do not count any more. */
INTERFACE void **__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, void *);
void **__kmpc_omp_task_alloc(void *loc, int thread, int flags, size_t size, size_t shared_size, void *code)
{
	typedef void **(*alloc)(void *, int, int, size_t, size_t, void *);
	void **task = REAL(__kmpc_omp_task_alloc, alloc)(loc, thread, flags, size, shared_size, code);

	shadow_clear((uint64_t)task, size);
	if (shared_size)
		shadow_clear((uint64_t)task[0], shared_size);
	return task;
}
