/*
 * Executes the random program, instrumented.  Every access is in a function of its own that is never inlined, so that
 * the compiler can neither merge two of them nor remove one. The code between an operation and its note touches no
 * memory, so there is no scheduling point between them (reference.c explains why that is enough).
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "differential.h"

#define ALONE __attribute__((noinline))

static pthread_mutex_t mutex[MUTEXES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static mtx_t c11;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t cond[CONDS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphore[SEMAPHORES];
static pthread_barrier_t barrier[BARRIERS];
static pthread_once_t once[ONCES] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_t posix[THREADS];
static thrd_t standard[THREADS];
static _Thread_local char thread_local_memory[LOCAL_SIZE] __attribute__((aligned(16)));

/* Plain accesses. */

struct pair {
	uint64_t a, b;
};
typedef float vector __attribute__((vector_size(16)));

#define PLAIN(name, type)                                                                                              \
	type read_##name(const void *p);                                                                               \
	void write_##name(void *p, type value);                                                                        \
	type loose_read_##name(const void *p);                                                                         \
	void loose_write_##name(void *p, type value);                                                                  \
	typedef type loose_##name __attribute__((aligned(1)));                                                         \
	ALONE type read_##name(const void *p) { return *(type const *)p; }                                             \
	ALONE void write_##name(void *p, type value) { *(type *)p = value; }                                           \
	ALONE type loose_read_##name(const void *p) { return *(const loose_##name *)p; }                               \
	ALONE void loose_write_##name(void *p, type value) { *(loose_##name *)p = value; }
PLAIN(1, uint8_t)
PLAIN(2, uint16_t)
PLAIN(4, uint32_t)
PLAIN(8, uint64_t)
PLAIN(16, unsigned __int128)
PLAIN(float, float)
PLAIN(double, double)
PLAIN(pointer, void *)
PLAIN(vector, vector)

/* Members of a structure at fixed offsets in 8 bytes: the `k`th of those after the first 8. */
#define AT_CONSTANT(N, DO) DO(N, 0) DO(N, 1) DO(N, 2) DO(N, 3) DO(N, 4) DO(N, 5) DO(N, 6) DO(N, 7)
#define READ_MEMBER(N, K)                                                                                              \
	case K:                                                                                                        \
		return m->at[K % (8 / N)];
#define WRITE_MEMBER(N, K)                                                                                             \
	case K:                                                                                                        \
		m->at[K % (8 / N)] = 1;                                                                                \
		break;
#define MEMBER(N, type)                                                                                                \
	struct members_##N {                                                                                           \
		uint64_t before;                                                                                       \
		type at[8 / N];                                                                                        \
	};                                                                                                             \
	type read_member_##N(const struct members_##N *m, unsigned k);                                                 \
	void write_member_##N(struct members_##N *m, unsigned k);                                                      \
	ALONE type read_member_##N(const struct members_##N *m, unsigned k)                                            \
	{                                                                                                              \
		switch (k) {                                                                                           \
			AT_CONSTANT(N, READ_MEMBER)                                                                    \
		}                                                                                                      \
		return 0;                                                                                              \
	}                                                                                                              \
	ALONE void write_member_##N(struct members_##N *m, unsigned k)                                                 \
	{                                                                                                              \
		switch (k) {                                                                                           \
			AT_CONSTANT(N, WRITE_MEMBER)                                                                   \
		}                                                                                                      \
	}
MEMBER(1, uint8_t)
MEMBER(2, uint16_t)
MEMBER(4, uint32_t)
MEMBER(8, uint64_t)

void copy_pair(void *to, const void *from);
ALONE void copy_pair(void *to, const void *from) { *(struct pair *)to = *(const struct pair *)from; }
void copy_bytes(void *to, const void *from, size_t size);
ALONE void copy_bytes(void *to, const void *from, size_t size) { memcpy(to, from, size); }
void move_bytes(void *to, const void *from, size_t size);
ALONE void move_bytes(void *to, const void *from, size_t size) { memmove(to, from, size); }
void set_bytes(void *to, int value, size_t size);
ALONE void set_bytes(void *to, int value, size_t size) { memset(to, value, size); }

#define PLAIN_CASE(N, name)                                                                                            \
	case N:                                                                                                        \
		if (write)                                                                                             \
			write_##name(p, 1);                                                                            \
		else                                                                                                   \
			read_##name(p);                                                                                \
		break
#define LOOSE_CASE(N)                                                                                                  \
	case 100 + N:                                                                                                  \
		if (write)                                                                                             \
			loose_write_##N(p, 1);                                                                         \
		else                                                                                                   \
			loose_read_##N(p);                                                                             \
		break

#define MEMBER_CASE(N)                                                                                                 \
	case 300 + N:                                                                                                  \
		if (write)                                                                                             \
			write_member_##N((struct members_##N *)(p - place - 8), place / N);                            \
		else                                                                                                   \
			read_member_##N((struct members_##N *)(p - place - 8), place / N);                             \
		break

/* `what` is the size, 100 more for an address of no alignment, 300 more for a member, or one of these types. */
enum { FLOAT = 200, DOUBLE, POINTER, VECTOR };

static int type_of(int size, int form)
{
	if (form >= 5)
		return 100 + size;
	if (form == 2 && size <= 8)
		return 300 + size;
	if (form < 3)
		return size;
	switch (size) {
	case 4:
		return FLOAT;
	case 8:
		return form == 3 ? DOUBLE : POINTER;
	case 16:
		return VECTOR;
	}
	return size;
}

static void plain(char *p, int what, bool write)
{
	unsigned place = (uintptr_t)p & 7;

	switch (what) {
		PLAIN_CASE(1, 1);
		PLAIN_CASE(2, 2);
		PLAIN_CASE(4, 4);
		PLAIN_CASE(8, 8);
		PLAIN_CASE(16, 16);
		PLAIN_CASE(FLOAT, float);
		PLAIN_CASE(DOUBLE, double);
		LOOSE_CASE(1);
		LOOSE_CASE(2);
		LOOSE_CASE(4);
		LOOSE_CASE(8);
		LOOSE_CASE(16);
		MEMBER_CASE(1);
		MEMBER_CASE(2);
		MEMBER_CASE(4);
		MEMBER_CASE(8);
	case POINTER:
		if (write)
			write_pointer(p, NULL);
		else
			read_pointer(p);
		break;
	case VECTOR:
		if (write)
			write_vector(p, (vector){1, 2, 3, 4});
		else
			read_vector(p);
		break;
	}
}

static void do_plain(int self, struct op op)
{
	char *p = reference_pin(op.area);
	bool write = op.kind == OP_WRITE;

	if (!p) {
		note_other(self);
		return;
	}
	plain(p + op.offset, type_of(op.size, op.form), write);
	note_access(self, op.area, op.offset, op.size, write);
	reference_unpin(op.area);
}

/* A struct of 16 bytes is copied where size and alignment allow it. */
static void copy(char *to, const char *from, struct op op)
{
	if (op.kind == OP_MOVE)
		move_bytes(to, from, op.size);
	else if (op.size == 16 && !((uintptr_t)to & 7) && !((uintptr_t)from & 7))
		copy_pair(to, from);
	else
		copy_bytes(to, from, op.size);
}

static void do_copy(int self, struct op op)
{
	char mine[64] __attribute__((aligned(16))) = {0};
	char *to = op.form == 1 ? mine : reference_pin(op.area);
	char *from = op.form == 2 ? mine : reference_pin(op.from_area);

	if (to && from) {
		copy(to == mine ? mine : to + op.offset, from == mine ? mine : from + op.from, op);
		if (from != mine)
			note_access(self, op.from_area, op.from, op.size, false);
		if (to != mine)
			note_access(self, op.area, op.offset, op.size, true);
	} else {
		note_other(self);
	}
	if (to && to != mine)
		reference_unpin(op.area);
	if (from && from != mine)
		reference_unpin(op.from_area);
}

static void do_set(int self, struct op op)
{
	char *p = reference_pin(op.area);

	if (!p) {
		note_other(self);
		return;
	}
	set_bytes(p + op.offset, op.value, op.size);
	note_access(self, op.area, op.offset, op.size, true);
	reference_unpin(op.area);
}

/* Atomics. */

#define ATOMIC(N, T)                                                                                                   \
	static ALONE void load_##N(int self, T *p, int order)                                                          \
	{                                                                                                              \
		T seen = __atomic_load_n(p, order);                                                                    \
		note_atomic(self, seen, true);                                                                         \
	}                                                                                                              \
	static ALONE void store_##N(int self, T *p, T value, int order)                                                \
	{                                                                                                              \
		__atomic_store_n(p, value, order);                                                                     \
		note_atomic(self, 0, true);                                                                            \
	}                                                                                                              \
	static ALONE void rmw_##N(int self, T *p, T value, int form, int order)                                        \
	{                                                                                                              \
		T seen;                                                                                                \
		switch (form) {                                                                                        \
		case 0:                                                                                                \
			seen = __atomic_exchange_n(p, value, order);                                                   \
			break;                                                                                         \
		case 1:                                                                                                \
			seen = __atomic_fetch_add(p, value, order);                                                    \
			break;                                                                                         \
		case 2:                                                                                                \
			seen = __atomic_fetch_sub(p, value, order);                                                    \
			break;                                                                                         \
		case 3:                                                                                                \
			seen = __atomic_fetch_and(p, value, order);                                                    \
			break;                                                                                         \
		case 4:                                                                                                \
			seen = __atomic_fetch_or(p, value, order);                                                     \
			break;                                                                                         \
		case 5:                                                                                                \
			seen = __atomic_fetch_xor(p, value, order);                                                    \
			break;                                                                                         \
		default:                                                                                               \
			seen = __atomic_fetch_nand(p, value, order);                                                   \
			break;                                                                                         \
		}                                                                                                      \
		note_atomic(self, seen, true);                                                                         \
	}                                                                                                              \
	static ALONE void cas_##N(int self, T *p, T value, int form, int order, int failure)                           \
	{                                                                                                              \
		T seen = (T)(form & 3);                                                                                \
		bool success = form & 4 ? __atomic_compare_exchange_n(p, &seen, value, true, order, failure)           \
		                        : __atomic_compare_exchange_n(p, &seen, value, false, order, failure);         \
		note_atomic(self, seen, success);                                                                      \
	}                                                                                                              \
	static void atomic_##N(int self, T *p, struct op op)                                                           \
	{                                                                                                              \
		switch (op.kind) {                                                                                     \
		case OP_LOAD:                                                                                          \
			load_##N(self, p, op.order);                                                                   \
			break;                                                                                         \
		case OP_STORE:                                                                                         \
			store_##N(self, p, (T)op.value, op.order);                                                     \
			break;                                                                                         \
		case OP_RMW:                                                                                           \
			rmw_##N(self, p, (T)op.value, op.form, op.order);                                              \
			break;                                                                                         \
		default:                                                                                               \
			cas_##N(self, p, (T)op.value, op.form, op.order, op.failure);                                  \
			break;                                                                                         \
		}                                                                                                      \
	}
ATOMIC(1, uint8_t)
ATOMIC(2, uint16_t)
ATOMIC(4, uint32_t)
ATOMIC(8, uint64_t)

static void do_atomic(int self, struct op op)
{
	char *p = reference_pin(op.area);

	if (!p) {
		note_other(self);
		return;
	}
	switch (op.size) {
	case 1:
		atomic_1(self, (uint8_t *)(p + op.offset), op);
		break;
	case 2:
		atomic_2(self, (uint16_t *)(p + op.offset), op);
		break;
	case 4:
		atomic_4(self, (uint32_t *)(p + op.offset), op);
		break;
	default:
		atomic_8(self, (uint64_t *)(p + op.offset), op);
		break;
	}
	reference_unpin(op.area);
}

static ALONE void do_fence(int self, int order)
{
	__atomic_thread_fence(order);
	note_fence(self);
}

/* Locks. */

static struct timespec soon(int microseconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += microseconds * 1000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

static int lock_now(int lock, bool to_read)
{
	switch (lock) {
	case LOCK_RECURSIVE:
		return pthread_mutex_lock(&recursive);
	case LOCK_C11:
		return mtx_lock(&c11) != thrd_success;
	case LOCK_SHARED:
		return to_read ? pthread_rwlock_rdlock(&rwlock) : pthread_rwlock_wrlock(&rwlock);
	case LOCK_SPIN:
		return pthread_spin_lock(&spin);
	}
	return pthread_mutex_lock(&mutex[lock]);
}

static int try_lock(int lock, bool to_read)
{
	switch (lock) {
	case LOCK_RECURSIVE:
		return pthread_mutex_trylock(&recursive);
	case LOCK_C11:
		return mtx_trylock(&c11) != thrd_success;
	case LOCK_SHARED:
		return to_read ? pthread_rwlock_tryrdlock(&rwlock) : pthread_rwlock_trywrlock(&rwlock);
	case LOCK_SPIN:
		return pthread_spin_trylock(&spin);
	}
	return pthread_mutex_trylock(&mutex[lock]);
}

static int lock_until(int lock, bool to_read, const struct timespec *until)
{
	switch (lock) {
	case LOCK_RECURSIVE:
		return pthread_mutex_timedlock(&recursive, until);
	case LOCK_C11:
		return mtx_timedlock(&c11, until) != thrd_success;
	case LOCK_SHARED:
		return to_read ? pthread_rwlock_timedrdlock(&rwlock, until)
		               : pthread_rwlock_timedwrlock(&rwlock, until);
	case LOCK_SPIN:
		return pthread_spin_trylock(&spin);
	}
	return pthread_mutex_timedlock(&mutex[lock], until);
}

static void do_lock(int self, struct op op)
{
	bool taken;

	if (reference_holds(self, op.object) && op.object != LOCK_RECURSIVE) {
		note_other(self);
		return;
	}
	if (op.kind == OP_TIMEDLOCK) {
		struct timespec until = soon(op.value);
		taken = lock_until(op.object, op.value & 1, &until) == 0;
	} else if (op.kind == OP_LOCK && reference_in_order(self, op.object)) {
		taken = lock_now(op.object, op.value & 1) == 0;
	} else {
		taken = try_lock(op.object, op.value & 1) == 0;
	}
	note_lock(self, op.object, op.value & 1, taken);
}

static void unlock(int self, int lock)
{
	note_unlock(self, lock);
	switch (lock) {
	case LOCK_RECURSIVE:
		pthread_mutex_unlock(&recursive);
		break;
	case LOCK_C11:
		mtx_unlock(&c11);
		break;
	case LOCK_SHARED:
		pthread_rwlock_unlock(&rwlock);
		break;
	case LOCK_SPIN:
		pthread_spin_unlock(&spin);
		break;
	default:
		pthread_mutex_unlock(&mutex[lock]);
		break;
	}
}

/* Called before an operation that may wait for a thread that needs a lock. */
static void unlock_all(int self)
{
	for (int lock = 0; lock < LOCKS; lock++)
		while (reference_holds(self, lock))
			unlock(self, lock);
}

static void do_wait(int self, struct op op)
{
	/* the wait takes the mutex again at its end, which must keep the order of the locks */
	if (!reference_holds_only(self, op.object)) {
		note_other(self);
		return;
	}
	struct timespec until = soon(op.value);
	note_release_to_wait(self, op.object);
	int result = pthread_cond_timedwait(&cond[op.form], &mutex[op.object], &until);
	note_waited(self, op.object, result == 0);
}

/* Other operations. */

static void do_semaphore(int self, struct op op)
{
	bool taken;

	if (op.kind == OP_POST) {
		note_post(self, op.object);
		sem_post(&semaphore[op.object]);
		return;
	}
	if (op.kind == OP_TRYWAIT) {
		taken = sem_trywait(&semaphore[op.object]) == 0;
	} else {
		struct timespec until = soon(op.value);
		taken = sem_timedwait(&semaphore[op.object], &until) == 0;
	}
	note_waited_semaphore(self, op.object, taken);
}

static _Thread_local int who; /* the current thread: pthread_once passes no argument */

static void once_only(int number)
{
	char *p = reference_pin(AREA_BUFFER);

	plain(p + 8 * number, 4, true);
	note_access(who, AREA_BUFFER, (unsigned)(8 * number), 4, true);
	reference_unpin(AREA_BUFFER);
	note_once_done(who, number);
}
static void once_0(void) { once_only(0); }
static void once_1(void) { once_only(1); }

static void do_malloc(int self, int slot, int form)
{
	size_t size = program.size[AREA_HEAP + slot];
	char *p;

	if (!reference_reserve(slot)) {
		note_other(self);
		return;
	}
	p = form == 0 ? malloc(size) : form == 1 ? calloc(1, size) : aligned_alloc(16, size);
	note_malloc(self, slot, p);
}

static void *run(void *argument);
static int run_standard(void *argument) { return run(argument) != NULL; }

/* Forms 0 to 2 are POSIX threads: form 1 is created detached if it is to be detached. Form 3 is a C11 thread. */
static void do_spawn(int self, int child, int form)
{
	void *argument = (void *)(intptr_t)child;
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	if (form == 1 && program.detached[child])
		pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	note_spawn(self, child);
	if (form == 3) {
		thrd_create(&standard[child], run_standard, argument);
		if (program.detached[child])
			thrd_detach(standard[child]);
		return;
	}
	pthread_create(&posix[child], &attributes, run, argument);
	if (form != 1 && program.detached[child])
		pthread_detach(posix[child]);
}

static void do_join(int self, int child, int form)
{
	if (!reference_spawned(child)) {
		note_other(self);
		return;
	}
	unlock_all(self);
	if (form == 3)
		thrd_join(standard[child], NULL);
	else
		pthread_join(posix[child], NULL);
	note_joined(self, child);
}

static void step(int self, struct op op)
{
	switch (op.kind) {
	case OP_READ:
	case OP_WRITE:
		do_plain(self, op);
		break;
	case OP_COPY:
	case OP_MOVE:
		do_copy(self, op);
		break;
	case OP_SET:
		do_set(self, op);
		break;
	case OP_LOAD:
	case OP_STORE:
	case OP_RMW:
	case OP_CAS:
		do_atomic(self, op);
		break;
	case OP_FENCE:
		do_fence(self, op.order);
		break;
	case OP_LOCK:
	case OP_TRYLOCK:
	case OP_TIMEDLOCK:
		do_lock(self, op);
		break;
	case OP_UNLOCK:
		if (reference_holds(self, op.object))
			unlock(self, op.object);
		break;
	case OP_SIGNAL:
		note_other(self);
		pthread_cond_signal(&cond[op.object]);
		break;
	case OP_BROADCAST:
		note_other(self);
		pthread_cond_broadcast(&cond[op.object]);
		break;
	case OP_WAIT:
		do_wait(self, op);
		break;
	case OP_POST:
	case OP_TRYWAIT:
	case OP_TIMEDWAIT:
		do_semaphore(self, op);
		break;
	case OP_BARRIER:
		unlock_all(self);
		note_arrive(self, op.object);
		pthread_barrier_wait(&barrier[op.object]);
		note_depart(self, op.object);
		break;
	case OP_ONCE:
		who = self;
		pthread_once(&once[op.object], op.object ? once_1 : once_0);
		note_once(self, op.object);
		break;
	case OP_SPAWN:
		do_spawn(self, op.object, op.form);
		break;
	case OP_JOIN:
		do_join(self, op.object, op.form);
		break;
	case OP_MALLOC:
		do_malloc(self, op.object, op.form);
		break;
	case OP_FREE:
		free(reference_take(self, op.object));
		break;
	case OP_SLEEP:
		note_other(self);
		usleep(op.value);
		break;
	}
}

static void *run(void *argument)
{
	char memory[LOCAL_SIZE] __attribute__((aligned(16)));
	int self = (int)(intptr_t)argument;
	struct op op;

	note_begin(self, self % 2 ? memory : thread_local_memory);
	while (reference_next(self, &op))
		step(self, op);
	unlock_all(self);
	while (!note_end(self))
		usleep(1);
	return NULL;
}

/* Programs differ from execution to execution: the virtual process id, which comes from the schedule's seed, chooses. */
static uint64_t seed_of(const char *text)
{
	if (*text == '=')
		return strtoull(text + 1, NULL, 0);
	return strtoull(text, NULL, 0) * 0x9e3779b97f4a7c15u ^ (uint64_t)getpid() * 0xd6e8feb86659fd93u;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s SEED|=PROGRAM [OPTION...]\n", argv[0]);
		return 2;
	}
	generate(seed_of(argv[1]));
	reference_start(argc - 2, argv + 2);
	mtx_init(&c11, mtx_timed);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < SEMAPHORES; i++)
		sem_init(&semaphore[i], 0, 0);
	for (int i = 0; i < BARRIERS; i++)
		pthread_barrier_init(&barrier[i], NULL, (unsigned)program.meets[i]);
	run(NULL);
	while (reference_running())
		usleep(100);
	reference_compare();
	return 0;
}
