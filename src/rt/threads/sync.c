/*
 * The interposed functions of pthread, C11 threads and semaphores.  glibc's own do the work (env/ is the kernel below
 * them); what is added here is what a syscall does not show: a scheduling point before an operation that takes
 * something and after one that gives something, and the name of the object, for the report of a deadlock.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "rt/ending/ending.h"
#include "rt/kernel/kernel.h"
#include "rt/observe/timeline_record.h"
#include "rt/observe/explain.h"
#include "rt/memory/memory_check.h"
#include "rt/threads/held_locks.h"
#include "rt/observe/prediction_record.h"
#include "rt/threads/lock_order.h"
#include "rt/threads/notice.h"
#include "rt/threads/sync_object.h"
#include "rt/threads/openmp.h"
#include "rt/order/happens_before.h"
#include "rt/core/real.h"
#include "rt/core/rt.h"
#include "rt/fibers/sched.h"
#include "rt/observe/step_record.h"
#include "rt/threads/sync.h"
#include "rt/core/text.h"
#include "rt/memory/wild_pointer.h"

/* The functions interposed: one table, from which the pointers to the real ones come. */
/* clang-format off */
#define REALS(X)                                                                                                       \
	X(pthread_create) X(pthread_join) X(pthread_tryjoin_np) X(pthread_timedjoin_np) X(pthread_clockjoin_np)        \
	X(pthread_detach) X(pthread_cancel) X(pthread_once) X(pthread_setname_np) X(pthread_getname_np)                \
	X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock) X(pthread_mutex_clocklock)           \
	X(pthread_mutex_unlock) X(pthread_mutex_destroy) X(pthread_rwlock_destroy) X(pthread_cond_destroy)              \
	X(pthread_mutex_init) X(pthread_cond_init) X(pthread_rwlock_init) X(pthread_barrier_destroy) X(pthread_spin_init) X(pthread_spin_destroy) X(sem_init) X(sem_destroy) X(mtx_init) X(cnd_init) \
	X(mtx_destroy) X(cnd_destroy)                                                                                        \
	X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_timedrdlock)                             \
	X(pthread_rwlock_clockrdlock) X(pthread_rwlock_wrlock) X(pthread_rwlock_trywrlock)                             \
	X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock)                           \
	X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait) X(pthread_cond_signal)                \
	X(pthread_cond_broadcast) X(pthread_barrier_init) X(pthread_barrier_wait)                                                              \
	X(pthread_spin_lock) X(pthread_spin_trylock) X(pthread_spin_unlock)                                            \
	X(sem_wait) X(sem_trywait) X(sem_timedwait) X(sem_clockwait) X(sem_post) X(sem_getvalue)                                       \
	X(thrd_create) X(thrd_join) X(mtx_lock) X(mtx_trylock) X(mtx_timedlock) X(mtx_unlock)                          \
	X(cnd_wait) X(cnd_timedwait) X(cnd_signal) X(cnd_broadcast)                                     \
	X(flockfile) X(ftrylockfile) X(funlockfile) X(exit)
/* clang-format on */

static struct {
#define X(name) __typeof__(&name) name;
	REALS(X)
#undef X
} real;

void sync_start(void)
{
	static const char *const names[] = {
#define X(name) #name,
	        REALS(X)
#undef X
	};

	real_find((void **)&real, names, sizeof(names) / sizeof(*names));
}

/* An interposed function may be called by another library's constructor before ours has run. */
#define REAL(name) (likely(real.name != NULL) ? real.name : (sync_start(), real.name))

#define HERE where_code(__builtin_return_address(0))

/* libomp calls, which tells what it orders (openmp.c): what it locks to do so is its own business. */
#define IS_TOLD unlikely((uint64_t)__builtin_return_address(0) - omen.told_low < omen.told_high - omen.told_low)

struct named {
	enum object_kind kind;
	const void *object, *mutex;
};

static inline struct named enter(enum object_kind kind, const void *object, uint64_t where)
{
	if (kind != OBJECT_THREAD) /* that one is no address */
		wild_access(object, 1);
	history_op();
	sched_point(POINT_SYNC, where);
	struct fiber *f = omen.current;
	if (unlikely(!f))
		return (struct named){OBJECT_NONE, NULL, NULL};
	struct named outer = {f->object_kind, f->object, f->mutex};
	f->object_kind = kind;
	f->object = object;
	f->mutex = NULL;
	return outer;
}

static inline void leave(struct named outer)
{
	struct fiber *f = omen.current;

	if (unlikely(!f))
		return;
	f->object_kind = outer.kind;
	f->object = outer.object;
	f->mutex = outer.mutex;
}

/* ---- what if it were not there? ---- */

#define LEFT_OUT 64
#define FRAMES   4 /* of the program that are looked at */
#define SEEN     64

/* Threads that poll take the same lock from the same frames again and again: a call that was looked at is kept. */
struct seen {
	struct ending_trail trail;
	uint32_t fiber;
	bool answer;
};

/* Locks that were not taken, and whose unlock is therefore to do nothing either. */
static struct {
	struct {
		const struct fiber *fiber;
		const void *object;
	} at[LEFT_OUT];
	uint32_t n;
	uint64_t base; /* of the program */
	struct seen seen[SEEN];
} without;

static int find_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	(void)arg;
	without.base = info->dlpi_addr;
	return 1; /* the program comes first */
}

static bool is_there(uint64_t pc)
{
	const struct board_config *c = &omen.board->config;

	for (uint32_t i = 0; i < c->nwithout && i < BOARD_WITHOUT; i++)
		if (pc - without.base >= c->without[i].low && pc - without.base < c->without[i].high)
			return true;
	return false;
}

/* The call itself, or that of a function around it: std::lock_guard and its kin need not be inlined. */
static bool is_in(const struct board_stack *stack)
{
	for (uint32_t i = 0; i < stack->depth && i < FRAMES; i++)
		if (is_there(stack->pc[i] - (i > 0)))
			return true;
	return false;
}

static bool is_without(void)
{
	const void *frame = __builtin_frame_address(0);
	struct seen *s = &without.seen[(uint64_t)frame / 16 % SEEN];
	static struct board_stack stack;

	if (s->fiber == omen.current->id && ending_is_on_trail(&s->trail, frame))
		return s->answer;
	if (!without.base)
		dl_iterate_phdr(find_base, NULL);
	ending_stack_with_trail(&stack, &s->trail, frame);
	s->fiber = omen.current->id;
	s->answer = is_in(&stack);
	return s->answer;
}

static COLD bool left_out(uint64_t where, const void *object)
{
	if ((omen.off & OFF_INSIDE) || !is_without())
		return false;
	sched_point(POINT_SYNC, where);
	if (without.n < LEFT_OUT) {
		without.at[without.n].fiber = omen.current;
		without.at[without.n++].object = object;
	}
	return true;
}

static uint32_t find_left_out(const void *object)
{
	uint32_t i = 0;

	while (i < without.n && (without.at[i].fiber != omen.current || without.at[i].object != object))
		i++;
	return i;
}

/* The running fiber would have it now. */
static bool is_left_out(const void *object) { return find_left_out(object) < without.n; }

static COLD bool gives_nothing(const void *object)
{
	uint32_t i = find_left_out(object);

	if (i < without.n) {
		without.at[i] = without.at[--without.n];
		return true;
	}
	return !(omen.off & OFF_INSIDE) && is_without();
}

/* Takes something: a point, then the real call under the object's name; `taken` is told how it went. */
#define TAKE_AS(how, kind, object, call, taken)                                                                        \
	({                                                                                                             \
		__typeof__(call) result_ = 0;                                                                          \
		if (likely(!omen.without) || !left_out(HERE, object)) {                                                \
			if ((kind) == OBJECT_MUTEX || (kind) == OBJECT_RWLOCK)                                         \
				notice_call("a lock", true);                                                           \
			STEP(taking(how, kind, (const void *)(object)));                                               \
			struct named outer_ = enter(kind, object, HERE);                                               \
			if ((kind) != OBJECT_THREAD)                                                                   \
				object_used(kind, object, HERE);                                                       \
			if ((how) == STEPS_WAITS && (kind) == OBJECT_MUTEX)                                            \
				lock_order_taking(object, false);                                                      \
			result_ = (call);                                                                              \
			if ((kind) != OBJECT_THREAD && unlikely(omen.checking))                                        \
				object_stays(kind, object, HERE);                                                      \
			STEP(took(how, kind, (const void *)(object), !result_ || result_ == EOWNERDEAD));              \
			taken((const void *)(object), result_);                                                        \
			leave(outer_);                                                                                 \
		}                                                                                                      \
		result_;                                                                                               \
	})
#define TAKE(kind, object, call, taken) TAKE_AS(STEPS_TRIES, kind, object, call, taken)
/* One that waits for as long as it takes. */
#define AWAIT(kind, object, call, taken) TAKE_AS(STEPS_WAITS, kind, object, call, taken)

/* Gives something: the real call, then a point. What it does to the object must not pass for nothing (endless_loop.c).
 */
#define GIVE_COUNTED(call)                                                                                             \
	({                                                                                                             \
		if (unlikely(omen.every))                                                                              \
			sched_point(POINT_SYNC, HERE);                                                                 \
		__typeof__(call) result_ = (call);                                                                     \
		omen.progress++;                                                                                       \
		sched_point(POINT_SYNC, HERE);                                                                         \
		result_;                                                                                               \
	})

/* A point before it, too: what the thread has written so far others may see, and what it gives not yet. */
#define GIVE(call)                                                                                                     \
	({                                                                                                             \
		history_op();                                                                                          \
		if (likely(!omen.every))                                                                               \
			sched_point(POINT_SYNC, HERE);                                                                 \
		GIVE_COUNTED(call);                                                                                    \
	})

/* The same to an object: it has to be the program's. */
#define GIVE_TO(object, call)                                                                                          \
	({                                                                                                             \
		wild_access(object, 1);                                                                                \
		GIVE(call);                                                                                            \
	})

/* With omen.checking only. */
#define IN_CHECK(call) (unlikely(omen.checking) ? (call) : (void)0)

/* Begins or ends the life of an object. What is to be checked before that is part of the call: it comes behind the
 * point. */
#define PUT(kind, object, life, call)                                                                                  \
	({                                                                                                             \
		wild_access((const void *)(object), 1);                                                                \
		sched_point(POINT_SYNC, HERE);                                                                         \
		if (unlikely(omen.every))                                                                              \
			steps_used(kind, (const void *)(object));                                                      \
		object_lives(kind, object, life, HERE);                                                                \
		(call);                                                                                                \
	})

/* Gives a lock back: others must be able to come by while it is held, even if nothing happens under it. */
#define UNLOCK(kind, object, call, giving)                                                                             \
	({                                                                                                             \
		int given_ = 0;                                                                                        \
		wild_access((const void *)(object), 1);                                                                \
		history_op();                                                                                          \
		sched_point(POINT_SYNC, HERE);                                                                         \
		if (likely(!omen.without) || !gives_nothing(object)) {                                                 \
			object_used(kind, object, HERE);                                                               \
			giving(object);                                                                                \
			given_ = GIVE_COUNTED(call);                                                                   \
		}                                                                                                      \
		given_;                                                                                                \
	})

/* ---- what they order: happens_before.c ---- */

static void joined(const void *thread, int result)
{
	if (result)
		return;
	EVENT(join, thread);
	HISTORY(add, PREDICT_JOIN, thread, 0, 0);
	order_joined(thread);
	notice_joined((uint64_t)thread);
}

static void has(const void *lock)
{
	EVENT(lock, lock, false);
	if (likely(!omen.blind))
		order_acquire(lock);
	held_add(lock);
}

static void has_no_more(const void *lock)
{
	held_remove(lock);
	if (likely(!omen.blind))
		order_release(lock);
	EVENT(unlock, lock);
}

/* A robust mutex whose owner has died is locked all the same. */
static void locked(const void *lock, int result)
{
	bool ok = !result || result == EOWNERDEAD;

	HISTORY(add, ok ? PREDICT_LOCK : PREDICT_REFUSED, lock, 0, 0);
	if (ok)
		has(lock);
}

static void unlocking(const void *lock)
{
	STEP(add(omen.current->object_kind == OBJECT_SPINLOCK ? STEP_WRITE : STEP_UNLOCK, (uint64_t)lock,
	         sizeof(pthread_mutex_t)));
	HISTORY(add, PREDICT_UNLOCK, lock, 0, 0);
	has_no_more(lock);
}

/* Of a mutex that knows its owner, nobody else can give it back: the attempt orders nothing. */
static void unlocking_mutex(pthread_mutex_t *m)
{
	STEP(add(STEP_UNLOCK, (uint64_t)m, sizeof(*m))); /* also where it is the end */
	if (unlikely(omen.checking))
		guard_unlock_mutex(m);
	int kind = m->__data.__kind & 3;
	bool knows_owner = kind == PTHREAD_MUTEX_RECURSIVE_NP || kind == PTHREAD_MUTEX_ERRORCHECK_NP;

	if (!omen.current || (knows_owner && (uint32_t)m->__data.__owner != omen.current->tid))
		return;
	unlocking(m);
}

static void read_locked(const void *lock, int result)
{
	HISTORY(add, result ? PREDICT_REFUSED : PREDICT_LOCK, lock, 0, PREDICT_SHARED);
	if (!result)
		has(lock);
}

static void write_locked(const void *lock, int result)
{
	HISTORY(add, result ? PREDICT_REFUSED : PREDICT_LOCK, lock, 0, 0);
	if (result)
		return;
	EVENT(lock, lock, true);
	order_writer_acquires(lock);
	held_add(lock);
}

static void unlocking_rwlock(pthread_rwlock_t *l)
{
	STEP(used(OBJECT_RWLOCK, l));
	if (unlikely(omen.checking))
		guard_unlock_rwlock(l);
	HISTORY(add, PREDICT_UNLOCK, l, 0, 0);
	held_remove(l);
	if (omen.current && (uint32_t)l->__data.__cur_writer == omen.current->tid)
		order_release(l);
	else
		order_reader_releases(l);
	EVENT(unlock, l);
}

uint64_t sync_tokens(const void *semaphore)
{
	int n = 0;

	REAL(sem_getvalue)((sem_t *)semaphore, &n);
	return (uint64_t)n;
}

static void passed(const void *semaphore, int result)
{
	if (result)
		HISTORY(add, PREDICT_REFUSED, semaphore, 0, 0);
	else
		HISTORY(add, PREDICT_TAKE, semaphore, sync_tokens(semaphore) + 1, PREDICT_VALUE);
	if (!result)
		order_acquire(semaphore);
}

/* ---- threads ---- */

/* How often the C library frees something on the way depends on the stacks it keeps, so on what other threads do. */
#define UNCOUNTED(call)                                                                                                \
	({                                                                                                             \
		struct fiber *counted_ = omen.current;                                                                 \
		if (likely(counted_))                                                                                  \
			counted_->uncounted = true;                                                                    \
		int made_ = (call);                                                                                    \
		if (likely(counted_))                                                                                  \
			counted_->uncounted = false;                                                                   \
		made_;                                                                                                 \
	})

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	if (unlikely(omen.explaining))
		explain_creating();
	EVENT(creating);
	int state = PTHREAD_CREATE_JOINABLE;
	if (attr)
		pthread_attr_getdetachstate(attr, &state);
	return GIVE(({
		int failed = UNCOUNTED(REAL(pthread_create)(thread, attr, start, arg));
		if (!failed && state == PTHREAD_CREATE_JOINABLE)
			notice_created(*thread);
		failed;
	}));
}
EXPORT int pthread_join(pthread_t t, void **result)
{
	return AWAIT(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_join)(t, result)), joined);
}
EXPORT int pthread_tryjoin_np(pthread_t t, void **result)
{
	return TAKE(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_tryjoin_np)(t, result)), joined);
}
EXPORT int pthread_timedjoin_np(pthread_t t, void **result, const struct timespec *until)
{
	return TAKE(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_timedjoin_np)(t, result, until)), joined);
}
EXPORT int pthread_clockjoin_np(pthread_t t, void **result, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(pthread_clockjoin_np)(t, result, clock, until)), joined);
}
EXPORT int pthread_detach(pthread_t t)
{
	notice_joined(t);
	return GIVE(UNCOUNTED(REAL(pthread_detach)(t)));
}
EXPORT int pthread_cancel(pthread_t t) { return GIVE(REAL(pthread_cancel)(t)); }

/* The C library looks for the names of other threads in /proc, which knows none of ours. */
static struct fiber *other_fiber(pthread_t t)
{
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->fs == t && omen.live[i] != omen.current)
			return omen.live[i];
	return NULL;
}

EXPORT int pthread_setname_np(pthread_t t, const char *name)
{
	struct fiber *f = other_fiber(t);

	if (!f)
		return REAL(pthread_setname_np)(t, name);
	if (strlen(name) >= sizeof(f->name))
		return ERANGE;
	text_format(f->name, sizeof(f->name), "%s", name);
	EVENT(name, f, name);
	return 0;
}

EXPORT int pthread_getname_np(pthread_t t, char *name, size_t size)
{
	const struct fiber *f = other_fiber(t);

	if (!f)
		return REAL(pthread_getname_np)(t, name, size);
	if (size < sizeof(f->name))
		return ERANGE;
	text_format(name, sizeof(f->name), "%s", f->name[0] ? f->name : program_invocation_short_name);
	return 0;
}

/* Whoever comes to a once knows what its function did; others may pass as soon as glibc has seen it return. */
static void run_once(void)
{
	struct once *o = omen.current->once;

	/* one that it threw out of is ordered before the next that tries */
	for (uint32_t i = 0; i < omen.nlive; i++)
		if (omen.live[i]->once_tried == o->control)
			order_after(omen.live[i]);
	order_acquire(o->control);
	omen.current->once = o->outer;
	const void *tried = omen.current->once_tried;
	omen.current->once_tried = o->control;
	o->init();
	HISTORY(add, PREDICT_ONCE, o->control, 0, 0); /* others may come by before this call has returned */
	omen.current->once_tried = tried == o->control ? NULL : tried;
	order_release(o->control);
}

EXPORT int pthread_once(pthread_once_t *control, void (*init)(void))
{
	struct named outer = enter(OBJECT_ONCE, control, HERE);
	STEP(used(OBJECT_ONCE, control));
	struct once o = {control, init, omen.current ? omen.current->once : NULL};

	if (!omen.current)
		return REAL(pthread_once)(control, init);
	omen.current->once = &o;
	int result = REAL(pthread_once)(control, run_once);
	STEP(used(OBJECT_ONCE, control));
	omen.current->once = o.outer;
	order_acquire(control);
	HISTORY(add, PREDICT_ONCE, control, 0, 0);
	leave(outer);
	return result;
}

/* ---- statics that C++ initialises on first use ---- */

static void *next_named(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		text_die("no library has %s", name);
	return f;
}

/* The compiler's own test before these is an atomic load that acquires. */
EXPORT int __cxa_guard_acquire(uint64_t *guard)
{
	static int (*next)(uint64_t *);

	if (!next)
		next = (int (*)(uint64_t *))next_named("__cxa_guard_acquire");
	history_op();
	if (unlikely(omen.every))
		sched_point(POINT_SYNC, HERE);
	STEP(add(STEP_WRITE, (uint64_t)guard, sizeof(*guard)));
	int mine = next(guard);
	STEP(add(STEP_WRITE, (uint64_t)guard, sizeof(*guard)));
	HISTORY(add, PREDICT_ORDER, guard, 0, 0);
	order_load(guard, __ATOMIC_ACQUIRE); /* of one that was left by an exception, too */
	return mine;
}

EXPORT void __cxa_guard_release(uint64_t *guard)
{
	static void (*next)(uint64_t *);

	if (!next)
		next = (void (*)(uint64_t *))next_named("__cxa_guard_release");
	history_op();
	if (unlikely(omen.every))
		sched_point(POINT_SYNC, HERE);
	STEP(add(STEP_WRITE, (uint64_t)guard, sizeof(*guard)));
	order_store(guard, __ATOMIC_RELEASE);
	HISTORY(add, PREDICT_ORDER, guard, 0, 0);
	HISTORY(will_store, guard, 1, 1); /* what the compiler's own test sees */
	next(guard);
}

EXPORT void __cxa_guard_abort(uint64_t *guard)
{
	static void (*next)(uint64_t *);

	if (!next)
		next = (void (*)(uint64_t *))next_named("__cxa_guard_abort");
	history_op();
	if (unlikely(omen.every))
		sched_point(POINT_SYNC, HERE);
	STEP(add(STEP_WRITE, (uint64_t)guard, sizeof(*guard)));
	order_store(guard, __ATOMIC_RELEASE);
	HISTORY(add, PREDICT_ORDER, guard, 0, 0);
	next(guard);
}

/* ---- mutexes ---- */

EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_lock)(m);
	return AWAIT(OBJECT_MUTEX, m, REAL(pthread_mutex_lock)(m), locked);
}
/* libomp tries again at once, without a word. */
static COLD int try_untold(pthread_mutex_t *m)
{
	int result = REAL(pthread_mutex_trylock)(m);

	if (result)
		sched_point(POINT_YIELD, HERE);
	return result;
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return try_untold(m);
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_trylock)(m), locked);
}
EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_timedlock)(m, until), locked);
}
EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(pthread_mutex_clocklock)(m, clock, until), locked);
}
EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_unlock)(m);
	return UNLOCK(OBJECT_MUTEX, m, REAL(pthread_mutex_unlock)(m), unlocking_mutex);
}
EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_destroy)(m);
	return PUT(OBJECT_MUTEX, m, OBJECT_GONE, (IN_CHECK(guard_destroy_mutex(m)), REAL(pthread_mutex_destroy)(m)));
}

/* ---- reader-writer locks ---- */

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	lock_order_taking(l, true);
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_rdlock)(l), read_locked);
}
EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_tryrdlock)(l), read_locked);
}
EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_timedrdlock)(l, until), read_locked);
}
EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_clockrdlock)(l, clock, until), read_locked);
}
EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	lock_order_taking(l, false);
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_wrlock)(l), write_locked);
}
EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_trywrlock)(l), write_locked);
}
EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_timedwrlock)(l, until), write_locked);
}
EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_RWLOCK, l, REAL(pthread_rwlock_clockwrlock)(l, clock, until), write_locked);
}
EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	return UNLOCK(OBJECT_RWLOCK, l, REAL(pthread_rwlock_unlock)(l), unlocking_rwlock);
}
EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	return PUT(OBJECT_RWLOCK, l, OBJECT_GONE, (IN_CHECK(guard_destroy_rwlock(l)), REAL(pthread_rwlock_destroy)(l)));
}

/* ---- condition variables ---- */

/* A wait gives back a lock that was left out, and takes it again: so it is taken before, and given back behind. */
static COLD bool borrow(pthread_mutex_t *m, uint64_t where)
{
	if (!is_left_out(m))
		return false;
	struct named outer = enter(OBJECT_MUTEX, m, where);
	locked(m, REAL(pthread_mutex_lock)(m));
	leave(outer);
	return true;
}

static COLD void give_back(pthread_mutex_t *m)
{
	unlocking_mutex(m);
	REAL(pthread_mutex_unlock)(m);
}

/* A wait is told as one, not as a lock given back and taken again. */
static void waits(const void *mutex)
{
	STEP(add(STEP_UNLOCK, (uint64_t)mutex, sizeof(pthread_mutex_t)));
	HISTORY(add, PREDICT_WAIT, mutex, (uint64_t)omen.current->object, 0);
	has_no_more(mutex);
}

static void has_again(void *mutex)
{
	STEP(add(STEP_TRYLOCK, (uint64_t)mutex, sizeof(pthread_mutex_t)));
	HISTORY(add, PREDICT_WAKE, mutex, (uint64_t)omen.current->object, 0);
	has(mutex);
}

/*
 * While it waits, a fiber waits for the condition; when it takes the mutex again, for the mutex: both are noted.  It
 * has the mutex again also when it is cancelled.
 */
#define WAIT(cond, m, call)                                                                                            \
	({                                                                                                             \
		bool borrowed_ = unlikely(omen.without) && borrow((pthread_mutex_t *)(m), HERE);                       \
		struct named outer_ = enter(OBJECT_COND, cond, HERE);                                                  \
		int result_;                                                                                           \
		if (likely(omen.current != NULL))                                                                      \
			omen.current->mutex = (m);                                                                     \
		if (unlikely(omen.checking))                                                                           \
			guard_wait(m);                                                                                 \
		STEP(used(OBJECT_COND, cond));                                                                         \
		object_used(OBJECT_COND, cond, HERE);                                                                  \
		object_used(OBJECT_MUTEX, m, HERE);                                                                    \
		waits(m);                                                                                              \
		pthread_cleanup_push(has_again, m);                                                                    \
		result_ = (call);                                                                                      \
		pthread_cleanup_pop(1);                                                                                \
		object_used(OBJECT_MUTEX, m, HERE);                                                                    \
		leave(outer_);                                                                                         \
		if (unlikely(borrowed_))                                                                               \
			give_back((pthread_mutex_t *)(m));                                                             \
		result_;                                                                                               \
	})

/* Wakes who waits for a condition. */
#define SIGNAL(cond, past, given, call)                                                                                \
	GIVE_TO(cond, ({                                                                                               \
		        object_used(OBJECT_COND, cond, HERE);                                                          \
		        STEP(used(OBJECT_COND, cond));                                                                 \
		        HISTORY(add, past, cond, 0, 0);                                                                \
		        EVENT(give, given, cond);                                                                      \
		        call;                                                                                          \
	        }))

EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	if (IS_TOLD)
		return REAL(pthread_cond_wait)(c, m);
	return WAIT(c, m, REAL(pthread_cond_wait)(c, m));
}
EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
	if (IS_TOLD)
		return REAL(pthread_cond_timedwait)(c, m, until);
	return WAIT(c, m, REAL(pthread_cond_timedwait)(c, m, until));
}
EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return WAIT(c, m, REAL(pthread_cond_clockwait)(c, m, clock, until));
}
EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
	if (IS_TOLD)
		return REAL(pthread_cond_signal)(c);
	return SIGNAL(c, PREDICT_SIGNAL, GIVE_SIGNAL, REAL(pthread_cond_signal)(c));
}
EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
	if (IS_TOLD)
		return REAL(pthread_cond_broadcast)(c);
	return SIGNAL(c, PREDICT_BROADCAST, GIVE_BROADCAST, REAL(pthread_cond_broadcast)(c));
}
EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
	if (IS_TOLD)
		return REAL(pthread_cond_destroy)(c);
	return PUT(OBJECT_COND, c, OBJECT_GONE, (IN_CHECK(guard_destroy_cond(c)), REAL(pthread_cond_destroy)(c)));
}

/* ---- barriers, spin locks, semaphores ---- */

EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned count)
{
	int result = PUT(OBJECT_BARRIER, b, OBJECT_MADE, REAL(pthread_barrier_init)(b, attr, count));

	if (!result)
		order_barrier(b, count);
	return result;
}
EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
	struct named outer = enter(OBJECT_BARRIER, b, HERE);
	STEP(used(OBJECT_BARRIER, b));
	object_used(OBJECT_BARRIER, b, HERE);
	struct round *round = order_arrive(b);
	HISTORY(add, PREDICT_ARRIVE, b, 0, 0);
	EVENT(give, GIVE_ARRIVAL, b);
	int result = REAL(pthread_barrier_wait)(b);

	STEP(used(OBJECT_BARRIER, b));
	HISTORY(add, PREDICT_LEAVE, b, 0, 0);
	order_leave(round);
	leave(outer);
	return result;
}

/* glibc's spins for real, which on one kernel thread is for ever: here the fiber blocks until the lock is given back.
 */
EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
	struct named outer = enter(OBJECT_SPINLOCK, (const void *)l, HERE);

	object_used(OBJECT_SPINLOCK, l, HERE);
	lock_order_taking((const void *)l, false);
	while (REAL(pthread_spin_trylock)(l)) {
		STEP(add(STEP_FUTEX, (uint64_t)l, sizeof(*l)));
		omen.current->wait = (struct wait){.kind = WAIT_KEY,
		                                   .key = (const void *)l,
		                                   .bits = ~0u,
		                                   .deadline = NEVER,
		                                   .uninterruptible = true};
		sched_block(HERE);
	}
	STEP(add(STEP_WRITE, (uint64_t)l, sizeof(*l)));
	locked((const void *)l, 0);
	leave(outer);
	return 0;
}
EXPORT int pthread_spin_trylock(pthread_spinlock_t *l)
{
	return TAKE(OBJECT_SPINLOCK, (const void *)l, REAL(pthread_spin_trylock)(l), locked);
}
EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
	history_op();
	sched_point(POINT_SYNC, HERE);
	object_used(OBJECT_SPINLOCK, l, HERE);
	if (unlikely(omen.checking))
		guard_unlock_spin(l);
	unlocking((const void *)l);
	int result = REAL(pthread_spin_unlock)(l);

	omen.progress++;
	sched_wake((const void *)l, 1, ~0u);
	sched_point(POINT_SYNC, HERE);
	return result;
}

EXPORT int sem_wait(sem_t *s) { return AWAIT(OBJECT_SEMAPHORE, s, REAL(sem_wait)(s), passed); }
EXPORT int sem_trywait(sem_t *s) { return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_trywait)(s), passed); }
EXPORT int sem_timedwait(sem_t *s, const struct timespec *until)
{
	return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_timedwait)(s, until), passed);
}
EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
	return TAKE(OBJECT_SEMAPHORE, s, REAL(sem_clockwait)(s, clock, until), passed);
}
static inline void before_post(sem_t *s, uint64_t where)
{
	object_used(OBJECT_SEMAPHORE, s, where);
	order_release_too(s);
}

EXPORT int sem_post(sem_t *s)
{
	wild_access(s, sizeof(*s));
	if (likely(!omen.every)) /* so who takes the semaphore at the point before the post hears of it: docs/status.md
	                          */
		before_post(s, HERE);
	return GIVE(({
		if (unlikely(omen.every))
			before_post(s, HERE);
		STEP(add(STEP_POST, (uint64_t)s, sizeof(*s)));
		HISTORY(add, PREDICT_POST, s, sync_tokens(s), PREDICT_VALUE);
		EVENT(give, GIVE_POST, s);
		REAL(sem_post)(s);
	}));
}

/* ---- C11 threads ---- */

EXPORT int thrd_create(thrd_t *t, thrd_start_t start, void *arg)
{
	if (unlikely(omen.explaining))
		explain_creating();
	EVENT(creating);
	return GIVE(UNCOUNTED(REAL(thrd_create)(t, start, arg)));
}
EXPORT int thrd_join(thrd_t t, int *result)
{
	return AWAIT(OBJECT_THREAD, (void *)t, UNCOUNTED(REAL(thrd_join)(t, result)), joined);
}
EXPORT int mtx_lock(mtx_t *m) { return AWAIT(OBJECT_MUTEX, m, REAL(mtx_lock)(m), locked); }
EXPORT int mtx_trylock(mtx_t *m) { return TAKE(OBJECT_MUTEX, m, REAL(mtx_trylock)(m), locked); }
EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *until)
{
	return TAKE(OBJECT_MUTEX, m, REAL(mtx_timedlock)(m, until), locked);
}
static void unlocking_mtx(mtx_t *m)
{
	if (unlikely(omen.checking))
		guard_unlock_mutex(m);
	unlocking(m);
}
EXPORT int mtx_unlock(mtx_t *m) { return UNLOCK(OBJECT_MUTEX, m, REAL(mtx_unlock)(m), unlocking_mtx); }
EXPORT void mtx_destroy(mtx_t *m)
{
	PUT(OBJECT_MUTEX, m, OBJECT_GONE, (IN_CHECK(guard_destroy_mutex(m)), REAL(mtx_destroy)(m), 0));
}
EXPORT int cnd_wait(cnd_t *c, mtx_t *m) { return WAIT(c, m, REAL(cnd_wait)(c, m)); }
EXPORT int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
	return WAIT(c, m, REAL(cnd_timedwait)(c, m, until));
}
EXPORT int cnd_signal(cnd_t *c) { return SIGNAL(c, PREDICT_SIGNAL, GIVE_SIGNAL, REAL(cnd_signal)(c)); }
EXPORT int cnd_broadcast(cnd_t *c) { return SIGNAL(c, PREDICT_BROADCAST, GIVE_BROADCAST, REAL(cnd_broadcast)(c)); }
EXPORT void cnd_destroy(cnd_t *c)
{
	PUT(OBJECT_COND, c, OBJECT_GONE, (IN_CHECK(guard_destroy_cond(c)), REAL(cnd_destroy)(c), 0));
}
EXPORT int sem_getvalue(sem_t *s, int *value)
{
	struct named outer = enter(OBJECT_SEMAPHORE, s, HERE);

	STEP(used(OBJECT_SEMAPHORE, s));
	object_used(OBJECT_SEMAPHORE, s, HERE);
	HISTORY(add, PREDICT_REFUSED, s, 0, 0); /* what it tells depends on who has posted and taken before */
	int result = REAL(sem_getvalue)(s, value);
	leave(outer);
	return result;
}
EXPORT void call_once(once_flag *flag, void (*init)(void))
{
	pthread_once((pthread_once_t *)flag, init); /* as glibc's own does */
}

/* ---- lives of objects ---- */

EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	if (IS_TOLD)
		return REAL(pthread_mutex_init)(m, attr);
	return PUT(OBJECT_MUTEX, m, OBJECT_MADE, REAL(pthread_mutex_init)(m, attr));
}
EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	if (IS_TOLD)
		return REAL(pthread_cond_init)(c, attr);
	return PUT(OBJECT_COND, c, OBJECT_MADE, REAL(pthread_cond_init)(c, attr));
}
EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	return PUT(OBJECT_RWLOCK, l, OBJECT_MADE, REAL(pthread_rwlock_init)(l, attr));
}
EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
	return PUT(OBJECT_BARRIER, b, OBJECT_GONE, REAL(pthread_barrier_destroy)(b));
}
EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	return PUT(OBJECT_SPINLOCK, l, OBJECT_MADE, REAL(pthread_spin_init)(l, shared));
}
EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
	return PUT(OBJECT_SPINLOCK, l, OBJECT_GONE, REAL(pthread_spin_destroy)(l));
}
EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
	return PUT(OBJECT_SEMAPHORE, s, OBJECT_MADE, REAL(sem_init)(s, shared, value));
}
EXPORT int sem_destroy(sem_t *s) { return PUT(OBJECT_SEMAPHORE, s, OBJECT_GONE, REAL(sem_destroy)(s)); }
EXPORT int mtx_init(mtx_t *m, int type) { return PUT(OBJECT_MUTEX, m, OBJECT_MADE, REAL(mtx_init)(m, type)); }
EXPORT int cnd_init(cnd_t *c) { return PUT(OBJECT_COND, c, OBJECT_MADE, REAL(cnd_init)(c)); }

/* ---- the locks of streams, where the program takes them itself ---- */

EXPORT void flockfile(FILE *f)
{
	sched_point(POINT_SYNC, HERE);
	STEP(unclear("streams are locked"));
	REAL(flockfile)(f);
	order_acquire(f);
}
EXPORT int ftrylockfile(FILE *f)
{
	sched_point(POINT_SYNC, HERE);
	int result = REAL(ftrylockfile)(f);
	if (!result)
		order_acquire(f);
	return result;
}
EXPORT void funlockfile(FILE *f)
{
	order_release_too(f);
	REAL(funlockfile)(f);
	sched_point(POINT_SYNC, HERE);
}

/* ---- the end ---- */

EXPORT void exit(int status)
{
	sync_ends();
	REAL(exit)(status);
	__builtin_unreachable();
}

void sync_ends(void)
{
	if (likely(!omen.every))
		return;
	sched_point(POINT_SYNC, HERE);
	steps_add(STEP_WRITE, STEP_OUTSIDE, 8); /* it takes the locks of all streams */
	steps_called(true);
}

/* ---- common syscalls, without the trap ---- */

static long call(long nr, long a, long b)
{
	struct call c = {.nr = nr, .arg = {a, b}};

	return env_call(&c);
}

EXPORT int sched_yield(void)
{
	sched_point(POINT_YIELD, HERE);
	if (IS_TOLD)
		openmp_yields(__builtin_return_address(0));
	return 0;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *t)
{
	long r = call(SYS_clock_gettime, clock, (long)t);

	if (r < 0)
		errno = (int)-r;
	return r < 0 ? -1 : 0;
}

EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	return (int)call(SYS_gettimeofday, (long)tv, (long)tz);
}
EXPORT time_t time(time_t *t) { return call(SYS_time, (long)t, 0); }
EXPORT pid_t getpid(void) { return (pid_t)call(SYS_getpid, 0, 0); }
EXPORT pid_t gettid(void) { return (pid_t)call(SYS_gettid, 0, 0); }
